import type { LinkProps } from '@tanstack/react-router'
import { api, data } from '../../api/client.ts'
import { build, controlContainer } from '../projects/project.queries.ts'
import type { OverviewItem } from './overview.queries.ts'

export type OverviewCode = OverviewItem['code']
type ActionName = 'deploy' | 'start' | 'restart' | 'verify' | 'issue' | 'renew'

const ssl = (id: string, order: 'provision' | 'renew') =>
  data(api.POST(`/api/domains/{id}/ssl/${order}`, { params: { path: { id } } }))

/** Actions that a row offers directly. */
export const actions: Readonly<Record<ActionName, (item: OverviewItem) => Promise<unknown>>> = {
  deploy: ({ projectId, targetId }) => build(projectId!, targetId),
  start: ({ targetId }) => controlContainer(targetId, 'start'),
  restart: ({ targetId }) => controlContainer(targetId, 'restart'),
  verify: ({ targetId }) => data(api.POST('/api/domains/{id}/verify', { params: { path: { id: targetId } } })),
  issue: ({ targetId }) => ssl(targetId, 'provision'),
  renew: ({ targetId }) => ssl(targetId, 'renew')
}

export const actionOf: Readonly<Partial<Record<OverviewCode, ActionName>>> = {
  DEPLOYMENT_FAILED: 'deploy',
  CONTAINER_STOPPED: 'start',
  CONTAINER_LIMIT: 'start',
  CONTAINER_RESTARTING: 'restart',
  DOMAIN_ERROR: 'verify',
  DOMAIN_NOT_VERIFIED: 'verify',
  CERTIFICATE_FAILED: 'issue',
  CERTIFICATE_EXPIRED: 'renew',
  CERTIFICATE_EXPIRING: 'renew',
  CERTIFICATE_RENEWAL_FAILING: 'renew'
}

export const quotaNames = [
  'maxProjects',
  'maxDomains',
  'maxDatabases',
  'maxMailboxes',
  'maxSubAccounts',
  'maxMemoryMb',
  'maxCpus',
  'maxTcpPorts',
  'maxDiskMb'
] as const
export type QuotaName = (typeof quotaNames)[number]
export const isQuotaName = (name: string): name is QuotaName => quotaNames.some((each) => each === name)

/** List page per quota, if there is one. */
const quotaPages: Partial<Record<string, LinkProps>> = {
  maxProjects: { to: '/projects' },
  maxDomains: { to: '/domains' },
  maxDatabases: { to: '/databases' },
  maxMailboxes: { to: '/mail' }
}

/** Page of a row; undefined if there is none. */
export function linkOf({ code, targetType, targetId, projectId }: OverviewItem): LinkProps | undefined {
  if (targetType === 'deployment' && projectId !== null)
    return { to: '/projects/$projectId/deployments', params: { projectId }, search: { d: targetId } }
  if (code === 'WORKER_CRASH_LOOPING' || code === 'WORKER_OUT_OF_MEMORY')
    return { to: '/projects/$projectId/processes', params: { projectId: targetId } }
  if (code === 'VARIABLE_BROKEN') return { to: '/projects/$projectId/variables', params: { projectId: targetId } }
  if (code === 'CONTAINER_OUT_OF_MEMORY')
    return { to: '/projects/$projectId/settings', params: { projectId: targetId } }
  if (targetType === 'project') return { to: '/projects/$projectId', params: { projectId: targetId } }
  if (targetType === 'domain')
    return {
      to: code.startsWith('CERTIFICATE') ? '/domains/$domainId/certificate' : '/domains/$domainId',
      params: { domainId: targetId }
    }
  if (targetType === 'mail') return { to: '/mail/queue', search: { flagged: 'held' } }
  if (targetType === 'machine') return { to: '/server/machines/$machineId', params: { machineId: targetId } }
  if (targetType === 'backup') return { to: '/server/backups' }
  if (targetType === 'disk') return { to: '/server/disk' }
  if (targetType === 'account') return { to: '/account/security' }
  return targetType === 'quota' ? quotaPages[targetId] : undefined
}

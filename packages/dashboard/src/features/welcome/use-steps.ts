import { useQuery } from '@tanstack/react-query'
import { meQuery } from '../auth/me.queries.ts'
import { certificateQuery } from '../certificates/certificates.queries.ts'
import { projectsQuery } from '../projects/projects.queries.ts'
import { settingsQuery } from '../settings/settings.queries.ts'
import { healthQuery } from '../system/health.queries.ts'
import { dnsCheckQuery, isLive, panelDomainQuery, type StepName, stepNames, welcomeQuery } from './welcome.queries.ts'

const good = ['ACTIVE', 'EXPIRING_SOON']

/** Steps that are done according to the server, and those that were skipped in this browser. */
export function useSteps() {
  const { data: me } = useQuery(meQuery)
  const dns = useQuery(dnsCheckQuery)
  const info = dns.data
  const { data: domain = null } = useQuery(panelDomainQuery(info?.domain ?? null))
  const { data: certificate = null } = useQuery({ ...certificateQuery(domain?.id ?? ''), enabled: domain !== null })
  const { data: projects } = useQuery(projectsQuery({}))
  const { data: settings } = useQuery(settingsQuery)
  const { data: health } = useQuery(healthQuery)
  const { data: welcome } = useQuery(welcomeQuery)
  const setting = (name: string) => settings?.variables?.find((each) => each.name === name)
  const nameServers = setting('DNS_NAMESERVERS')
  const mail = setting('MAIL')
  const records = info?.records ?? []
  const isDone: Record<StepName, boolean> = {
    twoFactor: me?.totpEnabled ?? false,
    domain: records.length > 0 && records.every(isLive),
    certificate: certificate !== null && good.includes(certificate.status),
    project: (projects?.pagination.total ?? 0) > 0,
    nameServers: nameServers?.isSet ?? false,
    mail: mail?.value === 'true' && health?.parts.mailTransfer?.status === 'ok'
  }
  const skipped = welcome?.skipped ?? []
  return {
    dns,
    domain,
    certificate,
    nameServers,
    mail,
    isDone,
    skipped,
    next: stepNames.find((name) => !isDone[name] && !skipped.includes(name))
  }
}

export type Steps = ReturnType<typeof useSteps>

import type { LiveEventName, LiveEvents } from '@panel/contract/live'
import type { QueryKey } from '@tanstack/react-query'

/** Events only say what changed; data comes from the API with its own permission checks. */
const invalidatedBy: { [Name in LiveEventName]: (event: LiveEvents[Name]) => readonly QueryKey[] } = {
  'deployment:status': ({ projectId }) => project(projectId),
  domain: ({ domainId, projectId }) => [...domain(domainId), ...(projectId === null ? [] : project(projectId))],
  certificate: ({ domainId }) => domain(domainId),
  import: ({ projectId, mailboxId }) => (mailboxId === null ? project(projectId) : mailbox(mailboxId)),
  notification: () => [['notifications']],
  uptime: ({ projectId }) => project(projectId),
  'alert:threshold': () => [['monitoring']],
  // A newer server may send unknown types.
  changed: ({ type, id, projectId }) => changed[type]?.(id, projectId) ?? []
}

const project = (id: string | null): QueryKey[] => of('projects', id)
const domain = (id: string | null): QueryKey[] => of('domains', id)
const mailbox = (id: string | null): QueryKey[] => of('mailboxes', id)

const of = (noun: string, id: string | null): QueryKey[] =>
  id === null
    ? [[noun]]
    : [
        [noun, id],
        [noun, 'list']
      ]

type Changed = LiveEvents['changed']['type']
const changed: Partial<Record<Changed, (id: string | null, projectId: string | null) => readonly QueryKey[]>> = {
  account: () => [['me'], ['users']],
  ban: () => [['firewall', 'bans']],
  certificate: () => [['domains']],
  database: () => [['databases']],
  deployment: (_id, projectId) => project(projectId),
  'dns-records': domain,
  domain,
  import: (_id, projectId) => (projectId === null ? [['projects'], ['mailboxes']] : project(projectId)),
  'mail-alias': () => [['mailboxes']],
  mailbox: () => [['mailboxes']],
  process: (_id, projectId) => [['projects', projectId, 'processes']],
  project,
  run: (_id, projectId) => [
    ['projects', projectId, 'scheduled-jobs'],
    ['projects', projectId, 'runs']
  ],
  sftp: () => [['sftp']],
  variables: project
}

/** Query keys to invalidate; undefined for unknown events. */
export function outdatedKeysOf(name: string, event: unknown): readonly QueryKey[] | undefined {
  const table: Partial<Record<string, (event: never) => readonly QueryKey[]>> = invalidatedBy
  return table[name]?.(event as never)
}

import type { LiveEventName, LiveEvents } from '@panel/contract/live'
import type { QueryKey } from '@tanstack/react-query'

/** What each event makes stale. Events say what has changed; the data comes from the API, under its own permissions. */
const invalidatedBy: { [Name in LiveEventName]: (event: LiveEvents[Name]) => readonly QueryKey[] } = {
  'deployment:status': ({ projectId }) => project(projectId),
  domain: ({ domainId, projectId }) => [...domain(domainId), ...(projectId === null ? [] : project(projectId))],
  certificate: ({ domainId }) => domain(domainId),
  import: ({ projectId, mailboxId }) => (mailboxId === null ? project(projectId) : mailbox(mailboxId)),
  notification: () => [['notifications']],
  uptime: ({ projectId }) => project(projectId),
  'alert:threshold': () => [['monitoring']],
  // A tab that has been open for long may not know a type of today's server.
  changed: ({ type, id, projectId }) => changed[type]?.(id, projectId) ?? []
}

// Of many at once there is no id: then all of their kind.
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
  certificate: () => [['domains']],
  database: () => [['databases']],
  deployment: (_id, projectId) => project(projectId),
  'dns-records': domain,
  domain,
  // Of a site or of mail: which, only its own event says.
  import: (_id, projectId) => (projectId === null ? [['projects'], ['mailboxes']] : project(projectId)),
  'mail-alias': () => [['mailboxes']],
  mailbox: () => [['mailboxes']],
  project,
  sftp: () => [['sftp']],
  variables: project
}

/** The query keys that an event makes outdated; undefined for an event that is not known. */
export function outdatedKeysOf(name: string, event: unknown): readonly QueryKey[] | undefined {
  const table: Partial<Record<string, (event: never) => readonly QueryKey[]>> = invalidatedBy
  return table[name]?.(event as never)
}

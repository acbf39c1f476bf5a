import type { LinkProps } from '@tanstack/react-router'
import type { Entry } from './audit.queries.ts'

type Kind = 'user' | 'project' | 'domain' | 'database' | 'mailbox'

/** What an action is about, by the first part of its name; what is not here has no page. */
const kinds: Readonly<Record<string, Kind>> = {
  user: 'user',
  auth: 'user',
  session: 'user',
  project: 'project',
  git: 'project',
  env_var: 'project',
  deployment: 'project',
  container: 'project',
  file: 'project',
  wordpress: 'project',
  status_page: 'project',
  domain: 'domain',
  dns_record: 'domain',
  certificate: 'domain',
  mail_auth: 'domain',
  dkim_key: 'domain',
  mta_sts: 'domain',
  mail_spam: 'domain',
  database: 'database',
  mailbox: 'mailbox'
}

/** Where the target is another thing, or is gone after it. */
const others: Readonly<Record<string, Kind | undefined>> = {
  'env_var.revealed': undefined,
  'mail.synced': 'user',
  'mail.delivery_tested': 'mailbox',
  'user.deleted': undefined,
  'project.deleted': undefined,
  'domain.deleted': undefined,
  'database.deleted': undefined,
  'mailbox.deleted': undefined,
  'mailbox.purged': undefined
}

export const kindOf = (action: string): Kind | undefined =>
  action in others ? others[action] : kinds[action.split('.')[0]!]

const pages: Record<Kind, (id: string) => LinkProps> = {
  user: (userId) => ({ to: '/server/users/$userId', params: { userId } }),
  project: (projectId) => ({ to: '/projects/$projectId', params: { projectId } }),
  domain: (domainId) => ({ to: '/domains/$domainId', params: { domainId } }),
  database: (databaseId) => ({ to: '/databases/$databaseId', params: { databaseId } }),
  mailbox: (mailboxId) => ({ to: '/mail/$mailboxId', params: { mailboxId } })
}

/** The page of what an entry is about; undefined where it is gone, has none, or is another's, which an ADMIN does not open either. */
export function targetPage({ action, actorId, targetId, targetEmail }: Entry, me: string): LinkProps | undefined {
  const kind = kindOf(action)
  if (kind === undefined || targetId === null) return undefined
  const isOpen = kind === 'user' ? targetEmail != null : actorId === me
  return isOpen ? pages[kind](targetId) : undefined
}

/** What it is called, as far as the entry says. */
export function targetName({ targetId, targetEmail, metadata }: Entry): string {
  const named = ['name', 'hostname', 'address'].map((member) => metadata[member])
  return targetEmail ?? named.find((value) => typeof value === 'string') ?? targetId ?? '–'
}

import type { LinkProps } from '@tanstack/react-router'
import type { Entry } from './audit.queries.ts'

type Kind = 'user' | 'project' | 'domain' | 'database' | 'mailbox' | 'variableGroup'

/** By the prefix of the action. Other prefixes have no page. */
const kinds: Readonly<Record<string, Kind>> = {
  user: 'user',
  auth: 'user',
  session: 'user',
  project: 'project',
  git: 'project',
  env_var: 'project',
  env_group: 'variableGroup',
  deployment: 'project',
  container: 'project',
  command: 'project',
  terminal: 'project',
  process: 'project',
  file: 'project',
  wordpress: 'project',
  backup: 'project',
  account_restore: 'user',
  backup_drill: 'project',
  backup_settings: 'project',
  status_page: 'project',
  tcp_port: 'project',
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

/** Exceptions: the target has another type, or is deleted by the action. */
const others: Readonly<Record<string, Kind | undefined>> = {
  'env_var.revealed': undefined,
  'env_group.deleted': undefined,
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
  mailbox: (mailboxId) => ({ to: '/mail/$mailboxId', params: { mailboxId } }),
  variableGroup: (groupId) => ({ to: '/account/variable-groups/$groupId', params: { groupId } })
}

/**
 * Page of an entry’s target; undefined if it is deleted, has no page, or belongs to another account (also for an
 * ADMIN).
 */
export function targetPage(
  { action, actorId, targetId, targetEmail, metadata }: Entry,
  me: string
): LinkProps | undefined {
  // Variables of a group have the actions of a project's.
  const kind = metadata.ofGroup === true && kindOf(action) === 'project' ? 'variableGroup' : kindOf(action)
  if (kind === undefined || targetId === null) return undefined
  const isOpen = kind === 'user' ? targetEmail != null : actorId === me
  return isOpen ? pages[kind](targetId) : undefined
}

export function targetName({ targetId, targetEmail, metadata }: Entry): string {
  const named = ['name', 'hostname', 'address'].map((member) => metadata[member])
  return targetEmail ?? named.find((value) => typeof value === 'string') ?? targetId ?? '–'
}

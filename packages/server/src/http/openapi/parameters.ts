/** Description of `:id` by the preceding path segment. */
const owners: Readonly<Record<string, string>> = {
  aliases: 'The alias.',
  bans: 'The ban.',
  channels: 'The channel.',
  databases: 'The database.',
  domains: 'The domain.',
  files: 'The project.',
  groups: 'The group of variables.',
  list: 'The allowed network.',
  machines: 'The machine.',
  mailboxes: 'The mailbox.',
  notifications: 'The notification.',
  projects: 'The project.',
  registries: 'The registry.',
  restores: 'The restore of an account.',
  sessions: 'The session.',
  targets: 'The backup target.',
  tests: 'The delivery test.',
  tokens: 'The API token.',
  users: 'The account.'
}

/** Description of other path parameters; in a query the same name is a filter. */
const parts: Readonly<Record<string, string>> = {
  domainId: 'The domain.',
  keyId: 'The DKIM key.',
  name: 'Its name.',
  projectId: 'The project it is for.'
}

const byName: Readonly<Record<string, string>> = {
  action: 'The action: what to do, or in the audit log, what was done.',
  actorId: 'The account that did it.',
  backupId: 'The backup.',
  restoreId: 'The restore.',
  below: 'Only sub-accounts of this account, at all levels.',
  after: 'Return what comes after this.',
  checkId: 'The uptime check.',
  jobId: 'The scheduled job.',
  runId: 'The run.',
  days: 'Number of days, up to today.',
  deploymentId: 'The deployment.',
  deliveryId: 'The webhook delivery.',
  domainId: 'Only of this domain.',
  depth: 'Number of folder levels.',
  flagged: 'Only in this queue.',
  from: 'Only from this time on.',
  importId: 'The import.',
  taskId: 'The update or replacement.',
  key: 'The name of the variable.',
  limit: 'Maximum number of results.',
  login: 'The login name of a WordPress user.',
  name: 'Part of the name, case-insensitive.',
  page: 'Page number, from 1.',
  path: 'Relative to the project root; empty means the root.',
  portId: 'The published port.',
  projectId: 'Only of this project.',
  projects: '`delete` also deletes its projects; without it, an account with projects is not deleted.',
  queueId: 'The queue id of the message.',
  range: 'Time range, up to now.',
  recordId: 'The record.',
  role: 'Only with this role.',
  scheduledJobId: 'Only of this scheduled job.',
  search: 'Part of the name, case-insensitive.',
  status: 'Only with this status.',
  tail: 'Number of last lines.',
  targetId: 'The resource it was done to.',
  to: 'Only up to this time.',
  token: 'The token from the certificate authority.',
  trigger: 'Only runs that were started this way.',
  type: 'Only of this type.'
}

/** Description of a parameter whose schema has none; undefined if it is missing here too. */
export function parameterDescription(name: string, url: string): string | undefined {
  if (url.includes(`/:${name}`) && parts[name] !== undefined) return parts[name]
  const owner = /(\w+)\/:id(\/|$)/.exec(url)?.[1]
  return name === 'id' && owner !== undefined ? owners[owner] : byName[name]
}

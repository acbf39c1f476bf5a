/** Description of `:id` by the preceding path segment. */
const owners: Readonly<Record<string, string>> = {
  aliases: 'The alias.',
  channels: 'The channel.',
  databases: 'The database.',
  domains: 'The domain.',
  files: 'The project.',
  mailboxes: 'The mailbox.',
  notifications: 'The notification.',
  projects: 'The project.',
  sessions: 'The session.',
  targets: 'The backup target.',
  tests: 'The test.',
  tokens: 'The API token.',
  users: 'The account.'
}

/** Description of other path parameters; in a query the same name is a filter. */
const parts: Readonly<Record<string, string>> = {
  domainId: 'The domain.',
  keyId: 'The key.',
  projectId: 'The project that it is for.'
}

const byName: Readonly<Record<string, string>> = {
  action: 'What to do, or in the audit log, what was done.',
  actorId: 'Who did it.',
  backupId: 'The backup.',
  restoreId: 'The restore.',
  below: 'Only those below this account, on every level, and not itself.',
  after: 'What comes after this.',
  checkId: 'The check.',
  days: 'How many days, to today.',
  deploymentId: 'The deployment.',
  domainId: 'Of this domain only.',
  depth: 'How many levels of directories.',
  flagged: 'In this queue only.',
  from: 'Nothing before this time.',
  importId: 'The import.',
  key: 'The name of the variable.',
  limit: 'How many at most.',
  name: 'A part of the name, in any case.',
  page: 'Which page, from 1.',
  path: 'Relative to the root of the project; nothing is the root itself.',
  projectId: 'Of this project only.',
  projects: 'What becomes of its projects: without it, an account that has some is not deleted.',
  queueId: 'The message, by its id in the queue.',
  range: 'How far back.',
  recordId: 'The record.',
  role: 'With this role only.',
  search: 'A part of the name, in any case.',
  status: 'With this status only.',
  tail: 'How many of the last lines.',
  targetId: 'What it was done to.',
  to: 'Nothing after this time.',
  token: 'From the certificate authority.',
  type: 'Of this type only.'
}

/** Description of a parameter whose schema has none; undefined if it is missing here too. */
export function parameterDescription(name: string, url: string): string | undefined {
  if (url.includes(`/:${name}`) && parts[name] !== undefined) return parts[name]
  const owner = /(\w+)\/:id(\/|$)/.exec(url)?.[1]
  return name === 'id' && owner !== undefined ? owners[owner] : byName[name]
}

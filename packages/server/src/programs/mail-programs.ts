import type { Config, VariableName } from '../config.ts'
import { mailHostname, webmailHostname } from '../config/mail.ts'
import type { Dependencies } from '../dependencies.ts'
import { webmailEndpoint } from '../infra/webmail/webmail.ts'
import { type MailDirectories, mailPaths } from '../infra/mail-server/mail-paths.ts'
import type { MailPorts } from '../infra/mail-server/mail-ports.ts'
import type { Run } from '../infra/process/process.ts'
import { mailDirectories } from '../process/paths.ts'
import { NothingToStart } from './managed-program.ts'

export interface MailProgramOptions extends MailDirectories {
  run: Run
  hostname: string
  listen: readonly string[]
  ports: MailPorts
  messageLimit: number
  hasFilter?: boolean
  forwardingKey?: string | undefined
  /** Address of the webmail: its client information is trusted, and its users are not counted as one client. */
  trusted?: string | undefined
}

/** What mailProgramOptions and the webmail's address are made of. */
export const mailVariablesFollowed = [
  'PANEL_DOMAIN',
  'BASE_DOMAIN',
  'MAIL_MESSAGE_LIMIT',
  'MAIL_SPAM_FILTER',
  'WEBMAIL'
] as const satisfies readonly VariableName[]

export const mailPorts = (config: Config): MailPorts => ({
  smtp: config.SMTP_PORT,
  submission: config.SUBMISSION_PORT,
  submissions: config.SUBMISSIONS_PORT,
  imap: config.IMAP_PORT,
  imaps: config.IMAPS_PORT,
  managesieve: config.MANAGESIEVE_PORT,
  auth: config.MAIL_AUTH_PORT,
  quota: config.MAIL_QUOTA_PORT,
  lmtp: config.LMTP_PORT,
  policy: config.MAIL_POLICY_PORT,
  forward: config.MAIL_FORWARD_PORT,
  srs: config.MAIL_SRS_PORT,
  srsReverse: config.MAIL_SRS_REVERSE_PORT
})

export async function mailProgramOptions(
  config: Config,
  run: Run,
  listen: readonly string[]
): Promise<MailProgramOptions> {
  if (process.getuid?.() !== 0)
    throw new NothingToStart('Mail servers must be started as root. Run the panel as root, or set MAIL=off')
  return {
    ...(await mailDirectories(config)),
    run,
    hostname: mailHostname(config),
    listen,
    ports: mailPorts(config),
    messageLimit: config.MAIL_MESSAGE_LIMIT,
    hasFilter: config.MAIL_SPAM_FILTER
  }
}

export const mailPathsOf = async (config: Config) => mailPaths(await mailDirectories(config))

/** Public ports, also reachable from containers: each requires a login over TLS. */
export const forEverybody = (ports: readonly number[]) =>
  ports.map((port) => ({ port, containers: 'anywhere' as const }))

export const webmailAddress = async (
  config: Config,
  { network }: Pick<Dependencies, 'network'>
): Promise<string | undefined> =>
  webmailHostname(config) === undefined ? undefined : webmailEndpoint(await network()).address

import type { Config } from '../config.ts'
import { ownDomain } from '../config/panel.ts'
import { type MailDirectories, mailPaths } from '../infra/mail-server/mail-paths.ts'
import type { MailPorts } from '../infra/mail-server/mail-ports.ts'
import type { Run } from '../infra/process/process.ts'
import { mailDirectories } from '../paths.ts'
import { NothingToStart } from './managed-program.ts'

/** What the programs of mail have in common. */
export interface MailProgramOptions extends MailDirectories {
  run: Run
  hostname: string
  listen: readonly string[]
  ports: MailPorts
  messageLimit: number
}

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
  policy: config.MAIL_POLICY_PORT
})

/** As the mail servers greet. */
export const mailHostname = (config: Parameters<typeof ownDomain>[0]): string => `mail.${ownDomain(config)}`

export async function mailProgramOptions(
  config: Config,
  run: Run,
  listen: readonly string[]
): Promise<MailProgramOptions> {
  // They bind their ports as root and make others' files.
  if (process.getuid?.() !== 0) throw new NothingToStart('Only root can start mail servers; MAIL=off does without them')
  return {
    ...(await mailDirectories(config)),
    run,
    hostname: mailHostname(config),
    listen,
    ports: mailPorts(config),
    messageLimit: config.MAIL_MESSAGE_LIMIT
  }
}

export const mailPathsOf = async (config: Config) => mailPaths(await mailDirectories(config))

/** Those on which everybody is served, and containers too: each takes a log-in, and that by TLS alone. */
export const forEverybody = (ports: readonly number[]) =>
  ports.map((port) => ({ port, containers: 'anywhere' as const }))

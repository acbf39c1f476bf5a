import { join } from 'node:path'
import { isPlainPath } from '../disk/plain-path.ts'

export interface MailDirectories {
  /** Configurations, domain tables, queue and all mail. */
  directory: string
  /** Certificates and keys; on tmpfs if available. */
  certificateDirectory: string
}

export type MailPaths = ReturnType<typeof mailPaths>

// Unix socket paths are limited to 107 bytes; the longest one is run/dovecot/login/managesieve.
const directoryMaxLength = 107 - '/run/dovecot/auth-token-secret.dat.tmp'.length

export function mailPaths({ directory, certificateDirectory }: MailDirectories) {
  if (!isPlainPath(directory) || directory.length > directoryMaxLength)
    throw new Error(`The mail directory must be a short absolute path of plain characters: ${directory}`)
  if (!isPlainPath(certificateDirectory))
    throw new Error(`The certificate directory must be an absolute path of plain characters: ${certificateDirectory}`)
  const dovecot = join(directory, 'dovecot')
  const postfix = join(directory, 'postfix')
  const dkim = join(directory, 'dkim')
  const filter = join(directory, 'filter')
  const srs = join(directory, 'srs')
  const run = join(directory, 'run')
  const logs = join(directory, 'log')
  return {
    directory,
    certificateDirectory,
    run,
    logs,
    /** `<domain>/<local part>/Maildir`. */
    mail: join(directory, 'vmail'),
    kept: join(directory, 'kept'),
    selfSigned: join(directory, 'self-signed.pem'),
    defaultCertificate: join(certificateDirectory, 'default.pem'),
    dovecot: {
      directory: dovecot,
      config: join(dovecot, 'dovecot.conf'),
      policyKey: join(dovecot, 'policy-key'),
      send: join(dovecot, 'send'),
      replyLimits: join(run, 'reply-limits', 'replies.sock'),
      users: join(dovecot, 'users'),
      /** `<domain>/<local part>.sieve`: runs before the mailbox's own script. */
      sieve: join(dovecot, 'sieve'),
      spamScripts: join(dovecot, 'spam'),
      spamPrograms: join(dovecot, 'spam-programs'),
      certificates: join(certificateDirectory, 'dovecot.conf'),
      base: join(run, 'dovecot'),
      pid: join(run, 'dovecot', 'master.pid'),
      log: join(logs, 'dovecot.log')
    },
    postfix: {
      directory: postfix,
      main: join(postfix, 'main.cf'),
      master: join(postfix, 'master.cf'),
      tools: join(postfix, 'tools'),
      candidate: join(postfix, 'candidate'),
      maps: join(postfix, 'maps'),
      fragments: join(postfix, 'domains.d'),
      certificates: join(certificateDirectory, 'postfix-sni'),
      queue: join(directory, 'queue'),
      replies: join(directory, 'queue', 'public', 'reply'),
      limits: join(run, 'limits', 'sending.sock'),
      submissions: join(directory, 'queue', 'private', 'panel'),
      intake: join(run, 'intake', 'intake.sock'),
      data: join(directory, 'postfix-data'),
      forwardingKey: join(postfix, 'forwarding.pem'),
      log: join(logs, 'postfix.log'),
      mailLog: join(logs, 'mail.log')
    },
    dkim: {
      directory: dkim,
      config: join(dkim, 'opendkim.conf'),
      senderRules: join(dkim, 'senders.lua'),
      candidate: join(dkim, 'candidate'),
      keys: join(dkim, 'keys'),
      keyTable: join(dkim, 'KeyTable'),
      signingTable: join(dkim, 'SigningTable'),
      run: join(run, 'dkim'),
      socket: join(run, 'dkim', 'opendkim.sock'),
      pid: join(run, 'dkim', 'opendkim.pid'),
      log: join(logs, 'opendkim.log')
    },
    srs: {
      directory: srs,
      options: join(srs, 'options'),
      secrets: join(srs, 'secrets'),
      root: join(srs, 'root'),
      log: join(logs, 'postsrsd.log')
    },
    filter: {
      directory: filter,
      config: join(filter, 'rspamd.conf'),
      /** File name that Rspamd expects. */
      rules: join(filter, 'rspamd.local.lua'),
      candidate: join(filter, 'candidate'),
      domains: join(filter, 'domains'),
      /** Notes on held messages, by queue id: sender and reason. */
      held: join(filter, 'held'),
      data: join(directory, 'filter-data'),
      control: join(directory, 'filter-data', 'control.sock'),
      run: join(run, 'filter'),
      incoming: join(run, 'filter', 'incoming.sock'),
      outgoing: join(run, 'filter', 'outgoing.sock'),
      /** Separate: opened by mail delivery, not by Postfix. */
      learnRun: join(run, 'learn'),
      learn: join(run, 'learn', 'learn.sock'),
      log: join(logs, 'rspamd.log')
    },
    filterStore: {
      config: join(filter, 'redis.conf'),
      data: join(directory, 'filter-store'),
      pid: join(directory, 'filter-store', 'redis.pid'),
      run: join(run, 'filter-store'),
      socket: join(run, 'filter-store', 'redis.sock'),
      log: join(logs, 'filter-store.log')
    }
  }
}

/** Owner of all stored mail. No system account has these ids. */
export const mailUid = 5000
export const mailGid = 5000

import { join } from 'node:path'
import { isPlainPath } from '../disk/plain-path.ts'

export interface MailDirectories {
  /** Configurations, domain tables, queue and all mail. */
  directory: string
  /** Certificates and keys; on tmpfs if available. */
  certificateDirectory: string
}

export type MailPaths = ReturnType<typeof mailPaths>

// Unix socket paths are limited to 107 bytes. The longest one below it is run/dovecot/login/managesieve; this leaves
// room.
const directoryMaxLength = 107 - '/run/dovecot/auth-token-secret.dat.tmp'.length

/** Paths of all mail server files. Throws if a directory cannot be written into the configurations. */
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
    /** Mail of deleted mailboxes, by mailbox id. */
    kept: join(directory, 'kept'),
    /** Used until a certificate is issued. */
    selfSigned: join(directory, 'self-signed.pem'),
    /** Key and chain served without SNI. */
    defaultCertificate: join(certificateDirectory, 'default.pem'),
    dovecot: {
      directory: dovecot,
      config: join(dovecot, 'dovecot.conf'),
      /** Key for Dovecot's requests to the login policy server. */
      policyKey: join(dovecot, 'policy-key'),
      /** Program that sends Sieve responses. */
      send: join(dovecot, 'send'),
      /** Socket of the reply policy server. */
      replyLimits: join(run, 'reply-limits', 'replies.sock'),
      /** One file per domain, named after it. */
      users: join(dovecot, 'users'),
      /** `<domain>/<local part>.sieve`: runs before the mailbox's own script. */
      sieve: join(dovecot, 'sieve'),
      /** Global scripts: file spam into Junk, train the filter. */
      spamScripts: join(dovecot, 'spam'),
      /** Programs that the global scripts may run. */
      spamPrograms: join(dovecot, 'spam-programs'),
      /** A `local_name` block per host name. */
      certificates: join(certificateDirectory, 'dovecot.conf'),
      base: join(run, 'dovecot'),
      pid: join(run, 'dovecot', 'master.pid'),
      log: join(logs, 'dovecot.log')
    },
    postfix: {
      directory: postfix,
      main: join(postfix, 'main.cf'),
      master: join(postfix, 'master.cf'),
      /** Minimal configuration for postmap, since main.cf may not exist yet. */
      tools: join(postfix, 'tools'),
      /** Configuration under validation. */
      candidate: join(postfix, 'candidate'),
      maps: join(postfix, 'maps'),
      /** Map entries by domain. */
      fragments: join(postfix, 'domains.d'),
      certificates: join(certificateDirectory, 'postfix-sni'),
      queue: join(directory, 'queue'),
      /** Socket for Sieve responses. */
      replies: join(directory, 'queue', 'public', 'reply'),
      /** Socket of the sending policy server. */
      limits: join(run, 'limits', 'sending.sock'),
      /** Socket on which the panel submits mail; root only. */
      submissions: join(directory, 'queue', 'private', 'panel'),
      /** Socket on which the panel receives mail. */
      intake: join(run, 'intake', 'intake.sock'),
      data: join(directory, 'postfix-data'),
      /** Key and certificate for the two passes of forwarded mail. */
      forwardingKey: join(postfix, 'forwarding.pem'),
      /** Only of the master process; the others log to `mailLog`. */
      log: join(logs, 'postfix.log'),
      mailLog: join(logs, 'mail.log')
    },
    dkim: {
      directory: dkim,
      config: join(dkim, 'opendkim.conf'),
      /** Lua rules: who may send as which address. */
      senderRules: join(dkim, 'senders.lua'),
      /** Configuration under validation. */
      candidate: join(dkim, 'candidate'),
      /** `<domain>/<selector>.private`. */
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
      /** Command line of the running process; there is no configuration file. */
      options: join(srs, 'options'),
      /** Newest first. */
      secrets: join(srs, 'secrets'),
      /** Empty chroot. */
      root: join(srs, 'root'),
      log: join(logs, 'postsrsd.log')
    },
    filter: {
      directory: filter,
      config: join(filter, 'rspamd.conf'),
      /** File name that Rspamd expects. */
      rules: join(filter, 'rspamd.local.lua'),
      /** Configuration under validation. */
      candidate: join(filter, 'candidate'),
      /** One file per domain with its own settings, named after it. */
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

import { join } from 'node:path'
import { isPlainPath } from '../disk/plain-path.ts'

export interface MailDirectories {
  /** Holds the configurations, what the servers know of domains, the queue and all mail. */
  directory: string
  /** Of certificates with their keys: in memory, where the machine has that. */
  certificateDirectory: string
}

export type MailPaths = ReturnType<typeof mailPaths>

// The longest socket below it: run/dovecot/login/managesieve, with room.
const directoryMaxLength = 107 - '/run/dovecot/auth-token-secret.dat.tmp'.length

/** Where each file of the mail servers lies. Throws on a directory that cannot be written into their configurations. */
export function mailPaths({ directory, certificateDirectory }: MailDirectories) {
  if (!isPlainPath(directory) || directory.length > directoryMaxLength)
    throw new Error(`The directory of the mail servers must be a short absolute path of plain characters: ${directory}`)
  if (!isPlainPath(certificateDirectory))
    throw new Error(
      `The directory of certificates must be an absolute path of plain characters: ${certificateDirectory}`
    )
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
    /** Mail of deleted mailboxes, by their ids. */
    kept: join(directory, 'kept'),
    /** Until an authority has issued one. */
    selfSigned: join(directory, 'self-signed.pem'),
    /** Key and chain of who names no host. */
    defaultCertificate: join(certificateDirectory, 'default.pem'),
    dovecot: {
      directory: dovecot,
      config: join(dovecot, 'dovecot.conf'),
      /** By which the panel knows whose questions about log-ins it answers. */
      policyKey: join(dovecot, 'policy-key'),
      /** What sends the answers of filters. */
      send: join(dovecot, 'send'),
      /** Where the panel says how much those may send. */
      replyLimits: join(run, 'reply-limits', 'replies.sock'),
      /** A file for each domain, of its very name. */
      users: join(dovecot, 'users'),
      /** `<domain>/<local part>.sieve`: what runs before a mailbox's own script. */
      sieve: join(dovecot, 'sieve'),
      /** What runs for everybody: puts spam into Junk, and learns. */
      spamScripts: join(dovecot, 'spam'),
      /** Programs that those may start. */
      spamPrograms: join(dovecot, 'spam-programs'),
      /** `local_name` for each host name that has a certificate. */
      certificates: join(certificateDirectory, 'dovecot.conf'),
      base: join(run, 'dovecot'),
      pid: join(run, 'dovecot', 'master.pid'),
      log: join(logs, 'dovecot.log')
    },
    postfix: {
      directory: postfix,
      main: join(postfix, 'main.cf'),
      master: join(postfix, 'master.cf'),
      /** Of the tools that make tables: one of their own, as there may be no main.cf yet. */
      tools: join(postfix, 'tools'),
      /** What the checker looks at. */
      candidate: join(postfix, 'candidate'),
      maps: join(postfix, 'maps'),
      /** By domain, what was put into the maps. */
      fragments: join(postfix, 'domains.d'),
      certificates: join(certificateDirectory, 'postfix-sni'),
      queue: join(directory, 'queue'),
      /** By which filters answer. */
      replies: join(directory, 'queue', 'public', 'reply'),
      /** Where the panel says how much may be sent. */
      limits: join(run, 'limits', 'sending.sock'),
      /** By which the panel sends: for root alone. */
      submissions: join(directory, 'queue', 'private', 'panel'),
      /** Where the panel takes what it reads itself. */
      intake: join(run, 'intake', 'intake.sock'),
      data: join(directory, 'postfix-data'),
      /** Key and certificate by which the two passes of forwarded mail know each other. */
      forwardingKey: join(postfix, 'forwarding.pem'),
      /** Of the first process alone: what the others say is in `mailLog`. */
      log: join(logs, 'postfix.log'),
      mailLog: join(logs, 'mail.log')
    },
    dkim: {
      directory: dkim,
      config: join(dkim, 'opendkim.conf'),
      /** Who may write in whose name. */
      senderRules: join(dkim, 'senders.lua'),
      /** What the checker looks at. */
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
      /** The command line of the running one; it has no configuration file. */
      options: join(srs, 'options'),
      /** Newest first. */
      secrets: join(srs, 'secrets'),
      /** Empty: all that it sees of the file system. */
      root: join(srs, 'root'),
      log: join(logs, 'postsrsd.log')
    },
    filter: {
      directory: filter,
      config: join(filter, 'rspamd.conf'),
      /** By the name that Rspamd looks for. */
      rules: join(filter, 'rspamd.local.lua'),
      /** What the checker looks at. */
      candidate: join(filter, 'candidate'),
      /** A file for each domain that has settings of its own, of its very name. */
      domains: join(filter, 'domains'),
      /** By the id of a message that is held: of whom it is, and why. */
      held: join(filter, 'held'),
      data: join(directory, 'filter-data'),
      control: join(directory, 'filter-data', 'control.sock'),
      run: join(run, 'filter'),
      incoming: join(run, 'filter', 'incoming.sock'),
      outgoing: join(run, 'filter', 'outgoing.sock'),
      /** Who learns is who delivers, and not Postfix. */
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

/** Of the mail on the disk, for both servers. No account of the machine has them. */
export const mailUid = 5000
export const mailGid = 5000

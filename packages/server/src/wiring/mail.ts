import { join } from 'node:path'
import type { Config } from '../config.ts'
import { mailHostname, webmailHostname } from '../config/mail.ts'
import { configuredAddresses } from '../config/panel.ts'
import type { Dependencies } from '../dependencies.ts'
import { createMailServer } from '../infra/mail-server/dovecot-postfix.ts'
import { createRspamd } from '../infra/mail-filter/rspamd.ts'
import {
  createNoDeliveryLog,
  createNoMailboxCopier,
  createNoMailCertificates,
  createNoMailFilter,
  createNoMailQueue,
  createNoMailServer,
  createNoMailSigner
} from '../infra/mail-server/no-mail-server.ts'
import { createMailCertificates } from '../infra/mail-server/served-mail-certificates.ts'
import { mailPaths } from '../infra/mail-server/mail-paths.ts'
import { createPostfixDeliveryLog } from '../infra/mail-server/postfix-delivery-log.ts'
import { createPostfixQueue } from '../infra/mail-server/postfix-queue.ts'
import { createIsolatedCopier } from '../infra/mailbox-copier/isolated-copier.ts'
import type { MailboxCopier } from '../infra/mailbox-copier/mailbox-copier.ts'
import type { MailServer } from '../infra/mail-server/mail-server.ts'
import { createOpendkim } from '../infra/mail-signer/opendkim.ts'
import { run } from '../infra/process/run.ts'
import { createRoundcube, type RoundcubeOptions } from '../infra/webmail/roundcube.ts'
import type { Webmail } from '../infra/webmail/webmail.ts'
import { mailDirectories } from '../process/paths.ts'
import { webmailSessionKey } from '../security/program-secrets.ts'
import type { Store } from './store.ts'
import { readAuthorities } from './authorities.ts'
import { mailPorts } from '../programs/mail-programs.ts'

type Mail = Pick<
  Dependencies,
  'deliveryLog' | 'mailboxCopier' | 'mailCertificates' | 'mailFilter' | 'mailQueue' | 'mailServer' | 'mailSigner'
>

/** The mail servers, while MAIL is on; while it is off, some that refuse everything. */
export async function openMail(config: Config): Promise<Mail> {
  const options = { ...(await mailDirectories(config)), run, ports: mailPorts(config) }
  const mailServer = createMailServer(options)
  const on: Mail = {
    deliveryLog: createPostfixDeliveryLog({ path: mailPaths(options).postfix.mailLog, now: () => new Date() }),
    mailFilter: createRspamd(options),
    mailQueue: createPostfixQueue(options),
    mailServer,
    mailboxCopier: await openMailboxCopier(config, mailServer, mailPaths(options).run),
    mailSigner: createOpendkim(options),
    mailCertificates: createMailCertificates({ ...options, hostname: () => mailHostname(config) })
  }
  const off: Mail = {
    deliveryLog: createNoDeliveryLog(),
    mailFilter: createNoMailFilter('Mail is off on this server', 'TURN_ON_MAIL'),
    mailQueue: createNoMailQueue(),
    mailServer: createNoMailServer(),
    mailSigner: createNoMailSigner(),
    mailCertificates: createNoMailCertificates(),
    mailboxCopier: createNoMailboxCopier()
  }
  const noFilter = createNoMailFilter('The spam filter is off on this server', 'TURN_ON_SPAM_FILTER')
  const filter = () => (!config.MAIL ? off.mailFilter : config.MAIL_SPAM_FILTER ? on.mailFilter : noFilter)
  const chosen = <Name extends keyof Mail>(name: Name): Mail[Name] =>
    following<Mail[Name]>(() => (config.MAIL ? on : off)[name])
  return {
    deliveryLog: chosen('deliveryLog'),
    mailFilter: following(filter),
    mailQueue: chosen('mailQueue'),
    mailServer: chosen('mailServer'),
    mailboxCopier: chosen('mailboxCopier'),
    mailSigner: chosen('mailSigner'),
    mailCertificates: chosen('mailCertificates')
  }
}

/** An adapter whose every call goes to the one that `choose` names at that moment. */
const following = <Adapter extends object>(choose: () => Adapter): Adapter =>
  new Proxy({} as Adapter, { get: (_target, member) => Reflect.get(choose(), member) as unknown })

/** The webmail, which speaks to the mail servers as its users do. */
export const openWebmail = ({
  config,
  store,
  ...options
}: Pick<RoundcubeOptions, 'engine' | 'instanceId' | 'network' | 'run'> & {
  config: Config
  store: Pick<Store, 'db' | 'secretBox'>
}): Webmail =>
  createRoundcube({
    ...options,
    hostname: () => webmailHostname(config) ?? mailHostname(config),
    ports: mailPorts(config),
    sessionKey: () => webmailSessionKey(store)
  })

async function openMailboxCopier(config: Config, mailServer: MailServer, directory: string): Promise<MailboxCopier> {
  return createIsolatedCopier({
    run,
    directory: join(directory, 'copies'),
    openMailbox: (address) => mailServer.openMailbox(address),
    get maxMessageBytes() {
      return config.MAIL_MESSAGE_LIMIT
    },
    allow: config.MAILBOX_IMPORT_ALLOW,
    get own() {
      return configuredAddresses(config)
    },
    ...(config.MAILBOX_IMPORT_CA_FILE === undefined
      ? {}
      : { authorities: await readAuthorities('MAILBOX_IMPORT_CA_FILE', config.MAILBOX_IMPORT_CA_FILE) })
  })
}

import type { Config } from '../config.ts'
import type { Dependencies } from '../dependencies.ts'
import { createMailServer } from '../infra/mail-server/dovecot-postfix.ts'
import {
  createNoMailCertificates,
  createNoMailQueue,
  createNoMailServer,
  createNoMailSigner
} from '../infra/mail-server/no-mail-server.ts'
import { createMailCertificates } from '../infra/mail-server/served-mail-certificates.ts'
import { createPostfixQueue } from '../infra/mail-server/postfix-queue.ts'
import { createOpendkim } from '../infra/mail-signer/opendkim.ts'
import { run } from '../infra/process/run.ts'
import { mailDirectories } from '../paths.ts'
import { mailHostname, mailPorts } from '../programs/mail-programs.ts'

type Mail = Pick<Dependencies, 'mailCertificates' | 'mailQueue' | 'mailServer' | 'mailSigner'>

/** The servers of mail; with MAIL=off some that refuse everything. */
export async function openMail(config: Config): Promise<Mail> {
  if (!config.MAIL)
    return {
      mailQueue: createNoMailQueue(),
      mailServer: createNoMailServer(),
      mailSigner: createNoMailSigner(),
      mailCertificates: createNoMailCertificates()
    }
  const options = { ...(await mailDirectories(config)), run, ports: mailPorts(config) }
  return {
    mailQueue: createPostfixQueue(options),
    mailServer: createMailServer(options),
    mailSigner: createOpendkim(options),
    mailCertificates: createMailCertificates({ ...options, hostname: mailHostname(config) })
  }
}

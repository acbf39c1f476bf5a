import { randomBytes } from 'node:crypto'
import { chown, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ImapFlow } from 'imapflow'
import { dovecot24 } from '../../packages/server/src/infra/mail-server/dovecot-2.4.render.ts'
import { findDovecotLanguage } from '../../packages/server/src/infra/mail-server/dovecot-language.ts'
import { run } from '../../packages/server/src/infra/process/run.ts'
import { freePort } from '../../packages/server/test/support/ports.ts'
import { createHandMadeAuthority, type HandMadeAuthority } from './openssl.ts'

const mailUser = 5000
export const sourcePassword = 'a-password-of-elsewhere'

export type ImapSource = Awaited<ReturnType<typeof startImapSource>>

const mailboxes23 = (root: string) => `mail_location = maildir:~/Maildir:LAYOUT=fs
passdb {
  driver = static
  args = password=${sourcePassword}
}
userdb {
  driver = static
  args = uid=${mailUser} gid=${mailUser} home=${root}/vmail/%n
}
`

const mailboxes24 = (root: string) => `mail_driver = maildir
mail_path = ~/Maildir
mailbox_list_layout = fs
passdb static {
  password = ${sourcePassword}
}
userdb static {
  fields {
    uid = ${mailUser}
    gid = ${mailUser}
    home = ${root}/vmail/%{user | username}
  }
}
`

/** A foreign Dovecot on loopback as `localhost`. Any username has a mailbox. */
export async function startImapSource(given?: HandMadeAuthority) {
  const root = `/var/lib/panel-source-${randomBytes(4).toString('hex')}`
  const authority = given ?? (await createHandMadeAuthority())
  const { chain, keyPem } = await authority.issue({ names: ['localhost'] })
  const [port, tlsPort] = await Promise.all([freePort(), freePort()])
  const config = join(root, 'dovecot.conf')
  const certificate = join(root, 'certificate.pem')
  await mkdir(join(root, 'vmail'), { recursive: true, mode: 0o711 })
  await mkdir(join(root, 'run'), { mode: 0o755 })
  await chown(join(root, 'vmail'), mailUser, mailUser)
  await writeFile(certificate, `${chain}\n${keyPem}`, { mode: 0o600 })
  const language = await findDovecotLanguage(run)
  const mailboxes = language === dovecot24 ? mailboxes24 : mailboxes23
  await writeFile(
    config,
    `${language.header}base_dir = ${root}/run
state_dir = ${root}/state
instance_name = source
protocols = imap
listen = 127.0.0.1
log_path = ${root}/log
stats_writer_socket_path =
ssl = yes
${language.certificate(certificate)}mail_uid = ${mailUser}
mail_gid = ${mailUser}
first_valid_uid = ${mailUser}
mail_max_userip_connections = 100
namespace inbox {
  inbox = yes
  separator = /
  mailbox "Sent Items" {
    special_use = \\Sent
  }
  mailbox Papierkorb {
    special_use = \\Trash
  }
  mailbox "All Mail" {
    special_use = \\All
  }
}
${mailboxes(root)}service anvil {
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
service imap-login {
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = ${tlsPort}
    ssl = yes
  }
}
`
  )
  const dovecot = (...args: string[]) => run(['doveadm', '-c', config, ...args], { timeoutMs: 30_000 })
  await run(['dovecot', '-c', config], { timeoutMs: 30_000, stderr: 'ignore' })
  return {
    port,
    tlsPort,
    authority: authority.rootPem,
    dovecot,
    async open(user: string): Promise<ImapFlow> {
      const client = new ImapFlow({
        host: 'localhost',
        port: tlsPort,
        secure: true,
        auth: { user, pass: sourcePassword },
        tls: { ca: authority.rootPem },
        logger: false
      })
      client.on('error', () => {})
      await client.connect()
      return client
    },
    async close() {
      await dovecot('stop').catch(() => {})
      if (!given) await authority.close()
      await rm(root, { recursive: true, force: true })
    }
  }
}

/** A message with this id, roughly this many bytes and 8-bit text. */
export const messageOf = (id: string, bytes = 300, text = 'Grüße'): Buffer =>
  Buffer.from(
    `From: Ann <ann@elsewhere.example>\r\nTo: ann@here.example\r\nSubject: ${id}\r\nMessage-ID: <${id}@elsewhere.example>\r\n\r\n${text}\r\n` +
      `${'x'.repeat(70)}\r\n`.repeat(Math.ceil(bytes / 72)),
    'latin1'
  )

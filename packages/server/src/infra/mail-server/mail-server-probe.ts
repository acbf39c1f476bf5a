import { connect as connectTls } from 'node:tls'
import { converse } from './greeting.ts'
import { probeDovecot } from './mail-probes.ts'
import type { MailPorts } from './mail-ports.ts'
import type { MailServerProbe } from './mail-server.ts'

const timeoutMs = 3_000
const host = '127.0.0.1'
/** Not 127.0.0.1: for a client with the server's own address Dovecot allows logins without TLS. */
const localAddress = '127.0.0.2'

export async function probeMailServer(ports: MailPorts): Promise<MailServerProbe> {
  const [smtp, submissions, submission, imap, imaps, isPlainOnImaps, sasl] = await Promise.all([
    heard(converse({ host, port: ports.smtp, localAddress }, timeoutMs, [{ until: /^220 [^\n]*\n/m }])),
    greetsByTls(ports.submissions, /^220 /),
    heard(
      converse({ host, port: ports.submission, localAddress }, timeoutMs, [
        { until: /^220 [^\n]*\n/m },
        { say: 'EHLO probe.invalid\r\n', until: /^250 [^\n]*\n/m }
      ])
    ),
    heard(
      converse({ host, port: ports.imap, localAddress }, timeoutMs, [
        { until: /^\* OK [^\n]*\n/m },
        { say: 'a CAPABILITY\r\n', until: /^a [^\n]*\n/m }
      ])
    ),
    greetsByTls(ports.imaps, /^\* OK/),
    heard(converse({ host, port: ports.imaps, localAddress }, 1_000, [{ say: 'a CAPABILITY\r\n', until: /^\* OK/m }])),
    probeDovecot(ports.auth).then(
      () => true,
      () => false
    )
  ])
  const ehlo = submission?.[1] ?? ''
  const capabilities = imap?.[1] ?? ''
  const takesNoPlainLogin =
    /LOGINDISABLED/.test(capabilities) && !/AUTH=/.test(capabilities) && /STARTTLS/.test(capabilities)
  return {
    smtp: {
      port25Open: smtp !== undefined,
      port465Open: submissions,
      port587Open: submission !== undefined,
      tlsEnforced: /^250[ -]STARTTLS/m.test(ehlo) && !/^250[ -]AUTH/m.test(ehlo)
    },
    imap: {
      port143Open: imap !== undefined,
      port993Open: imaps,
      tlsEnforced: takesNoPlainLogin && isPlainOnImaps === undefined,
      saslAuthConnected: sasl
    }
  }
}

const heard = (conversation: Promise<string[]>): Promise<string[] | undefined> => conversation.catch(() => undefined)

function greetsByTls(port: number, greeting: RegExp): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectTls({ host, port, rejectUnauthorized: false })
    const end = (answer: boolean) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(answer)
    }
    const timer = setTimeout(() => end(false), timeoutMs)
    socket.once('error', () => end(false))
    socket.once('close', () => end(false))
    socket.once('data', (data: Buffer) => end(greeting.test(data.toString('latin1'))))
  })
}

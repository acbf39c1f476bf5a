import { randomBytes } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { hash } from '@node-rs/argon2'
import { ImapFlow } from 'imapflow'
import { createTransport } from 'nodemailer'
import { createRspamd } from '../../packages/server/src/infra/mail-filter/rspamd.ts'
import { createMailServer } from '../../packages/server/src/infra/mail-server/dovecot-postfix.ts'
import { type LogInPolicy, serveLogInPolicy } from '../../packages/server/src/infra/mail-server/log-in-policy-server.ts'
import { mailPaths } from '../../packages/server/src/infra/mail-server/mail-paths.ts'
import type {
  MailServer,
  ServedMailbox,
  ServedMailDomain
} from '../../packages/server/src/infra/mail-server/mail-server.ts'
import { ensureForwardingKey } from '../../packages/server/src/infra/mail-server/forwarding-key.ts'
import { createMailCertificates } from '../../packages/server/src/infra/mail-server/served-mail-certificates.ts'
import { createPostfixQueue } from '../../packages/server/src/infra/mail-server/postfix-queue.ts'
import { createOpendkim } from '../../packages/server/src/infra/mail-signer/opendkim.ts'
import { run } from '../../packages/server/src/infra/process/run.ts'
import { signal } from '../../packages/server/src/infra/process/signal.ts'
import { dovecotProgram } from '../../packages/server/src/programs/dovecot.ts'
import { startProgram } from '../../packages/server/src/programs/lifecycle.ts'
import type { ManagedProgram } from '../../packages/server/src/programs/managed-program.ts'
import type { MailProgramOptions } from '../../packages/server/src/programs/mail-programs.ts'
import { opendkimProgram } from '../../packages/server/src/programs/opendkim.ts'
import { postfixProgram } from '../../packages/server/src/programs/postfix.ts'
import { postsrsdProgram } from '../../packages/server/src/programs/postsrsd.ts'
import { filterStoreProgram } from '../../packages/server/src/programs/redis.ts'
import { rspamdProgram } from '../../packages/server/src/programs/rspamd.ts'
import { freePort } from '../../packages/server/test/support/ports.ts'

export const password = 'correct horse battery'
/** Hashed once. */
export const passwordHash = hash(password, { memoryCost: 4096, timeCost: 1 })

export const mailbox = async (localPart: string, more: Partial<ServedMailbox> = {}): Promise<ServedMailbox> => ({
  localPart,
  passwordHash: await passwordHash,
  quotaMb: 10,
  mayLogIn: true,
  sieve: undefined,
  ...more
})

export async function servedDomain(
  name: string,
  localParts: readonly string[],
  more: Partial<ServedMailDomain> = {}
): Promise<ServedMailDomain> {
  return {
    name,
    isSuspended: false,
    mailboxes: await Promise.all(localParts.map((each) => mailbox(each))),
    aliases: [],
    ...more
  }
}

/** No DNS lookups on the Internet, and short deferrals. */
const filterOptions = { resolvers: ['127.0.0.1:9'], hasLookups: false, greylistSeconds: 1 }

/** Dovecot authenticates to the policy service with it. */
export const policyKey = randomBytes(32).toString('hex')

/** SRS secrets, newest first. */
export const forwardingSecrets = [randomBytes(24).toString('hex')]

export type TestMail = Awaited<ReturnType<typeof startTestMail>>

const servePolicy = (port: number, policy: LogInPolicy) =>
  serveLogInPolicy({
    port,
    key: policyKey,
    policy,
    onError: (error) => {
      throw error
    }
  })

const letsEverybodyTry: LogInPolicy = { isAllowed: () => true, notifyOwner: () => {} }

type TestMailOptions = Partial<MailProgramOptions> & { policy?: (server: MailServer) => LogInPolicy }

/** Starts the mail servers on loopback. Without a policy service, each login waits a second. */
export async function startTestMail({ policy: makePolicy, ...more }: TestMailOptions = {}) {
  // Not below the temporary directory: the signer refuses keys below a world-writable directory.
  const root = `/var/lib/panel-mail-${randomBytes(4).toString('hex')}`
  await mkdir(root, { mode: 0o711 })
  const names = [
    'smtp',
    'submission',
    'submissions',
    'imap',
    'imaps',
    'managesieve',
    'auth',
    'quota',
    'lmtp',
    'policy',
    'forward',
    'srs',
    'srsReverse'
  ] as const
  const ports = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await freePort()] as const))
  ) as Record<(typeof names)[number], number>
  const options: MailProgramOptions = {
    directory: join(root, 'mail'),
    certificateDirectory: join(root, 'certificates'),
    run,
    hostname: 'mail.panel.test',
    listen: ['127.0.0.1'],
    ports,
    messageLimit: 2 * 2 ** 20,
    ...more
  }
  options.forwardingKey ??= await ensureForwardingKey(mailPaths(options))
  const programs = {
    dovecot: () => dovecotProgram({ ...options, policyKey }),
    opendkim: () => opendkimProgram(options),
    postsrsd: () => postsrsdProgram({ ...options, secrets: forwardingSecrets }),
    postfix: () => postfixProgram(options),
    filterStore: () => filterStoreProgram(options),
    filter: () => rspamdProgram({ ...options, ...filterOptions })
  }
  const filters = options.hasFilter === true ? [programs.filterStore, programs.filter] : []
  const serialized = async (each: readonly (() => Promise<ManagedProgram> | ManagedProgram)[]) => {
    for (const make of each) await startProgram(await make())
  }
  // Postfix starts last, because it connects to the others.
  const start = async () => {
    await Promise.all([
      serialized([programs.dovecot]),
      serialized([programs.opendkim]),
      serialized([programs.postsrsd]),
      serialized(filters)
    ])
    await serialized([programs.postfix])
  }
  const remove = async () => {
    for (const make of [programs.postfix, programs.dovecot, programs.opendkim, programs.postsrsd, ...filters]) {
      const program = await make()
      await eventually(async () => {
        const { all } = await program.find()
        for (const pid of all) signal(pid, 'SIGKILL')
        return all.length === 0
      })
      program.close?.()
    }
    await rm(root, { recursive: true, force: true })
  }
  const server = createMailServer(options)
  const policy = await servePolicy(ports.policy, makePolicy?.(server) ?? letsEverybodyTry)
  try {
    await start()
  } catch (error) {
    await policy.close()
    await remove()
    throw error
  }
  return {
    options,
    ports,
    programs,
    paths: mailPaths(options),
    server,
    policy,
    certificates: createMailCertificates({ ...options, hostname: () => options.hostname }),
    queue: createPostfixQueue(options),
    signer: createOpendkim(options),
    filter: createRspamd(options),
    pids: async () => [(await (await programs.dovecot()).find()).main, (await programs.postfix().find()).main],
    async close() {
      await policy.close()
      await remove()
    }
  }
}

interface Sending {
  host?: string
  port: number
  as?: string
  with?: string
  from: string
  to: string | readonly string[]
  subject?: string
  header?: string
  bytes?: number
  text?: string
  headers?: readonly string[]
  secure?: boolean
  plain?: boolean
  localAddress?: string
  servername?: string
  withoutSize?: boolean
}

/** Sends a message with an independent client; returns the last status code, 0 if the server hung up. */
export async function send(sending: Sending): Promise<{ code: number; text: string }> {
  const { from, to, subject = 'hello' } = sending
  // Plausible text: one long word or a date in the past scores as spam.
  const lines = Array.from({ length: Math.ceil((sending.bytes ?? 10) / 70) }, () => `${'xxxx '.repeat(13)}xxx`)
  const raw = [
    `From: ${sending.header ?? (from === '' ? 'nobody@nowhere.example' : from)}`,
    `To: ${[to].flat().join(', ')}`,
    `Subject: ${subject}`,
    `Message-ID: <${randomBytes(8).toString('hex')}@client.example>`,
    `Date: ${new Date().toUTCString().replace('GMT', '+0000')}`,
    ...(sending.headers ?? []),
    '',
    ...(sending.text === undefined ? lines : [sending.text]),
    ''
  ].join('\r\n')
  return sendRaw(sending, raw)
}

export async function sendRaw(sending: Sending, raw: string): Promise<{ code: number; text: string }> {
  const { port, as, from, to, secure = false, plain = false } = sending
  const transport = createTransport({
    host: sending.host ?? '127.0.0.1',
    port,
    secure,
    ignoreTLS: plain,
    name: 'client.example',
    ...(as === undefined ? {} : { auth: { user: as, pass: sending.with ?? password } }),
    ...(sending.localAddress === undefined ? {} : { localAddress: sending.localAddress }),
    tls: { rejectUnauthorized: false, ...(sending.servername === undefined ? {} : { servername: sending.servername }) }
  })
  try {
    const info = await transport.sendMail({ envelope: { from, to: [to].flat() }, raw })
    return { code: Number(info.response.slice(0, 3)), text: info.response }
  } catch (error) {
    const {
      responseCode = 0,
      response = '',
      message
    } = error as { responseCode?: number; response?: string; message: string }
    return { code: responseCode, text: response || message }
  } finally {
    transport.close()
  }
}

interface SmtpSession {
  say(line: string): Promise<string>
  close(): void
}

/** An SMTP session with raw commands; with a login it uses implicit TLS. */
export async function openSmtp(port: number, as?: string, host = '127.0.0.1'): Promise<SmtpSession> {
  const at = { host, port }
  const socket = as === undefined ? connect(at) : connectTls({ ...at, rejectUnauthorized: false })
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]()
  const hear = async (): Promise<string> => {
    const { value, done } = await lines.next()
    if (done) return ''
    return /^\d{3} /.test(value) ? value : hear()
  }
  const say = (line: string) => {
    socket.write(`${line}\r\n`)
    return hear()
  }
  await hear()
  await say('EHLO client.example')
  if (as !== undefined) await say(`AUTH PLAIN ${Buffer.from(`\0${as}\0${password}`).toString('base64')}`)
  return { say, close: () => void socket.destroy() }
}

/** Logs in to IMAP; rejects if the password is refused. */
export async function openImap(port: number, user: string, pass = password, more: object = {}): Promise<ImapFlow> {
  const client = new ImapFlow({
    host: '127.0.0.1',
    port,
    secure: true,
    auth: { user, pass },
    tls: { rejectUnauthorized: false },
    logger: false,
    ...more
  })
  client.on('error', () => {})
  await client.connect()
  return client
}

export async function readInbox(port: number, user: string, folder = 'INBOX', more: object = {}): Promise<string[]> {
  const client = await openImap(port, user, password, more)
  try {
    const lock = await client.getMailboxLock(folder)
    try {
      const all = await client.fetchAll('1:*', { source: true }).catch(() => [])
      return all.map(({ source }) => source!.toString('latin1'))
    } finally {
      lock.release()
    }
  } finally {
    await client.logout()
  }
}

export const canLogIn = (port: number, user: string, pass = password): Promise<boolean> =>
  openImap(port, user, pass).then(
    async (client) => {
      await client.logout()
      return true
    },
    (error: { authenticationFailed?: boolean }) => {
      if (error.authenticationFailed) return false
      throw error
    }
  )

export async function eventually<T>(ask: () => Promise<T | undefined | false>): Promise<T> {
  for (const deadline = Date.now() + 180_000; ; await sleep(100)) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer
    if (Date.now() > deadline) throw new Error('it did not come about')
  }
}

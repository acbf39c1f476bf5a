import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pack } from 'tar-stream'
import { AdapterError } from '../../src/infra/adapter-error.ts'
import type {
  MailboxUsage,
  MailServer,
  MailServerProbe,
  PanelMessage,
  ServedMailDomain
} from '../../src/infra/mail-server/mail-server.ts'

export interface MemoryMailServer extends MailServer {
  readonly domains: Map<string, ServedMailDomain>
  /** Messages by address; a key without messages is an empty Maildir. */
  readonly mail: Map<string, string[]>
  /** Messages of deleted mailboxes, by directory. */
  readonly kept: Map<string, string[]>
  readonly ended: string[]
  readonly submitted: PanelMessage[]
  answers: MailServerProbe
  /** Awaited before each call; may reject. */
  before: (call: keyof MailServer, subject: string) => Promise<void>
  /** False if the address does not exist or its account is suspended, as Postfix responds. */
  deliver(address: string, message: string): boolean
  /** Like deliver, with the reason; follows aliases. */
  receive(address: string, message: string): 'taken' | 'refused' | 'later'
}

export const mailServerUnavailable = () =>
  new AdapterError('mail-server-unavailable', 'The mail server is not responding')

export function createMemoryMailServer(): MemoryMailServer {
  const server: MemoryMailServer = {
    domains: new Map(),
    mail: new Map(),
    kept: new Map(),
    ended: [],
    submitted: [],
    answers: {
      smtp: { port25Open: true, port465Open: true, port587Open: true, tlsEnforced: true },
      imap: { port143Open: true, port993Open: true, tlsEnforced: true, saslAuthConnected: true }
    },
    before: async () => {},
    deliver: (address, message) => server.receive(address, message) === 'taken',
    receive(address, message) {
      const [localPart, name] = address.split('@')
      const domain = server.domains.get(name!)
      if (!domain) return 'refused'
      const isMailbox = domain.mailboxes.some((one) => one.localPart === localPart)
      const alias =
        domain.aliases.find((one) => one.localPart === localPart) ??
        (isMailbox ? undefined : domain.aliases.find((one) => one.localPart === undefined))
      if (domain.isSuspended) return 'later'
      if (!isMailbox && !alias) return 'refused'
      if (isMailbox) server.mail.set(address, [...(server.mail.get(address) ?? []), message])
      for (const target of alias?.targets ?? []) if (target !== address) server.receive(target, message)
      return 'taken'
    },
    async submit(message) {
      await server.before('submit', message.recipient)
      server.submitted.push(message)
      server.receive(message.recipient, message.message)
      return `4jXzYh19STzXS${server.submitted.length}`
    },
    ping: (which) => server.before('ping', which),
    async putDomain(domain) {
      await server.before('putDomain', domain.name)
      const previous = server.domains.get(domain.name)
      const mayLogIn = new Set(domain.mailboxes.filter((one) => one.mayLogIn).map((one) => one.localPart))
      for (const { localPart, mayLogIn: could } of previous?.mailboxes ?? [])
        if (could && !mayLogIn.has(localPart)) server.ended.push(`${localPart}@${domain.name}`)
      server.domains.set(domain.name, structuredClone(domain) as ServedMailDomain)
    },
    async removeDomain(name) {
      await server.before('removeDomain', name)
      server.domains.delete(name)
    },
    async listDomains() {
      await server.before('listDomains', '')
      return [...server.domains.keys()].sort()
    },
    async endSessions(addresses) {
      await server.before('endSessions', addresses.join())
      server.ended.push(...addresses)
    },
    async readUsage(addresses) {
      await server.before('readUsage', addresses.join())
      return new Map(addresses.flatMap((address) => withUsage(address, server.mail.get(address))))
    },
    async probe() {
      return server.answers
    },
    async setAside(address, keptAs) {
      await server.before('setAside', address)
      if (server.kept.has(keptAs)) return
      server.kept.set(keptAs, server.mail.get(address) ?? [])
      server.mail.delete(address)
    },
    async putBack(keptAs, address) {
      await server.before('putBack', address)
      const messages = server.kept.get(keptAs)
      if (!messages) return false
      if (server.mail.has(address)) throw new Error(`${address} has mail`)
      server.mail.set(address, messages)
      server.kept.delete(keptAs)
      return true
    },
    async keepRestored(directory, keptAs) {
      await server.before('keepRestored', keptAs)
      const names = await readdir(join(directory, 'Maildir/new'))
      server.kept.set(
        keptAs,
        await Promise.all(names.map((name) => readFile(join(directory, 'Maildir/new', name), 'utf8')))
      )
    },
    async readKept(names) {
      await server.before('readKept', names.join())
      return new Map(names.flatMap((name) => (server.kept.has(name) ? [[name, bytesOf(server.kept.get(name)!)]] : [])))
    },
    async purge(keptAs) {
      await server.before('purge', keptAs)
      server.kept.delete(keptAs)
    },
    async exportMaildir(address) {
      await server.before('exportMaildir', address)
      return asMaildir(server.mail.get(address))
    },
    async exportKept(keptAs) {
      await server.before('exportKept', keptAs)
      return asMaildir(server.kept.get(keptAs))
    },
    async openMailbox() {
      throw mailServerUnavailable()
    }
  }
  return server
}

function asMaildir(messages: readonly string[] = []): Readable {
  const tar = pack()
  messages.forEach((message, index) => tar.entry({ name: `Maildir/cur/${index}:2,` }, message))
  tar.finalize()
  return Readable.from(tar as AsyncIterable<Buffer>, { objectMode: false })
}

const bytesOf = (messages: readonly string[]) => messages.reduce((sum, one) => sum + Buffer.byteLength(one), 0)
const withUsage = (address: string, messages: readonly string[] | undefined): [string, MailboxUsage][] =>
  messages ? [[address, { bytes: bytesOf(messages), messages: messages.length }]] : []

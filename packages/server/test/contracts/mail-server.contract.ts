import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { MailServer, ServedMailbox, ServedMailDomain } from '../../src/infra/mail-server/mail-server.ts'

export interface MailServerEnvironment {
  server: MailServer
  /** Result of an external message; `taken` means delivered. */
  deliver(address: string): Promise<'taken' | 'refused' | 'later'>
  count(address: string): Promise<number>
  close(): Promise<void>
}

const passwordHash = '$argon2id$v=19$m=4096,t=1,p=1$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNo'
const mailbox = (localPart: string): ServedMailbox => ({
  localPart,
  passwordHash,
  quotaMb: 10,
  mayLogIn: true,
  sieve: undefined
})
const domain = (
  name: string,
  localParts: readonly string[],
  more: Partial<ServedMailDomain> = {}
): ServedMailDomain => ({
  name,
  isSuspended: false,
  mailboxes: localParts.map(mailbox),
  aliases: [],
  ...more
})

/** Contract of the fake and the real servers. */
export function describeMailServer(name: string, open: () => Promise<MailServerEnvironment>): void {
  describe(`mail server: ${name}`, () => {
    let environment: MailServerEnvironment
    let server: MailServer
    beforeAll(async () => {
      environment = await open()
      server = environment.server
    })
    afterAll(() => environment?.close())
    beforeEach(async () => {
      for (const each of await server.listDomains()) await server.removeDomain(each)
    })

    test('answers', async () => {
      await server.ping('imap')
      await server.ping('smtp')
      expect((await server.probe()).imap.saslAuthConnected).toBe(true)
    })

    test('mail is accepted for existing mailboxes only', async () => {
      expect(await environment.deliver('ann@shop.test')).toBe('refused')
      await server.putDomain(domain('shop.test', ['ann', 'ben']))
      const before = await environment.count('ann@shop.test')
      await expect.poll(() => environment.deliver('ann@shop.test')).toBe('taken')
      expect(await environment.count('ann@shop.test')).toBe(before + 1)
      expect(await environment.deliver('nobody@shop.test')).toBe('refused')
      expect(await environment.deliver('ann@elsewhere.test')).toBe('refused')
    })

    test('a domain is replaced completely without affecting others', async () => {
      await server.putDomain(domain('shop.test', ['ann', 'ben']))
      await server.putDomain(domain('other.test', ['ann']))
      await server.putDomain(domain('shop.test', ['ben', 'cleo']))
      expect(await environment.deliver('ann@shop.test')).toBe('refused')
      expect(await environment.deliver('cleo@shop.test')).toBe('taken')
      expect(await environment.deliver('ann@other.test')).toBe('taken')
      expect(await server.listDomains()).toEqual(['other.test', 'shop.test'])
      await server.removeDomain('shop.test')
      await server.removeDomain('shop.test')
      expect(await environment.deliver('ben@shop.test')).toBe('refused')
      expect(await environment.deliver('ann@other.test')).toBe('taken')
      expect(await server.listDomains()).toEqual(['other.test'])
    })

    test('with login disabled mail is delivered, for a suspended account it is deferred', async () => {
      const quiet = { ...mailbox('ann'), mayLogIn: false }
      await server.putDomain(domain('shop.test', [], { mailboxes: [quiet] }))
      expect(await environment.deliver('ann@shop.test')).toBe('taken')
      await server.putDomain(domain('shop.test', ['ann'], { isSuspended: true }))
      expect(await environment.deliver('ann@shop.test')).toBe('later')
      await server.putDomain(domain('shop.test', ['ann']))
      await expect.poll(() => environment.deliver('ann@shop.test')).toBe('taken')
    })

    test('aliases reach their targets, the catch-all the rest', async () => {
      await server.putDomain(
        domain('shop.test', ['ann', 'ben'], {
          aliases: [
            { localPart: 'sales', targets: ['ann@shop.test'] },
            { localPart: 'ben', targets: ['ann@shop.test'] },
            { localPart: undefined, targets: ['ben@shop.test'] }
          ]
        })
      )
      const counts = async () => [await environment.count('ann@shop.test'), await environment.count('ben@shop.test')]
      const deliver = async (address: string) => {
        const [ann, ben] = await counts()
        expect(await environment.deliver(address)).toBe('taken')
        const [annThen, benThen] = await counts()
        return [annThen! - ann!, benThen! - ben!]
      }
      expect(await deliver('ann@shop.test')).toEqual([1, 0])
      expect(await deliver('sales@shop.test')).toEqual([1, 0])
      expect(await deliver('ben@shop.test')).toEqual([1, 1])
      expect(await deliver('whoever@shop.test')).toEqual([1, 1])
    })

    test('returns mailbox usage', async () => {
      await server.putDomain(domain('usage.test', ['ann', 'ben']))
      await environment.deliver('ann@usage.test')
      await environment.deliver('ann@usage.test')
      const usage = await server.readUsage(['ann@usage.test', 'ben@usage.test', 'nobody@usage.test'])
      expect([...usage.keys()]).toEqual(['ann@usage.test'])
      expect(usage.get('ann@usage.test')!.messages).toBe(2)
      expect(usage.get('ann@usage.test')!.bytes).toBeGreaterThan(0)
      expect((await server.readUsage([])).size).toBe(0)
    })

    test('mail set aside is kept and restored unless the mailbox has new mail', async () => {
      await server.putDomain(domain('kept.test', ['ann']))
      await environment.deliver('ann@kept.test')
      await server.setAside('ann@kept.test', 'kept1')
      expect(await environment.count('ann@kept.test')).toBe(0)
      expect((await server.readKept(['kept1', 'kept2'])).get('kept1')).toBeGreaterThan(0)
      expect((await server.readKept(['kept1', 'kept2'])).has('kept2')).toBe(false)
      await environment.deliver('ann@kept.test')
      await server.setAside('ann@kept.test', 'kept1')
      expect(await environment.count('ann@kept.test')).toBe(1)
      await expect(server.putBack('kept1', 'ann@kept.test')).rejects.toThrow('has mail')
      await server.setAside('ann@kept.test', 'kept2')
      expect(await server.putBack('kept1', 'ann@kept.test')).toBe(true)
      expect(await server.putBack('kept1', 'ann@kept.test')).toBe(false)
      expect(await environment.count('ann@kept.test')).toBe(1)
      await server.purge('kept2')
      await server.purge('kept2')
      expect((await server.readKept(['kept2'])).size).toBe(0)
      expect(await server.putBack('kept2', 'ann@kept.test')).toBe(false)
    })

    test('an empty mailbox is set aside too', async () => {
      await server.setAside('new@kept.test', 'kept3')
      await server.setAside('new@kept.test', 'kept3')
      await server.putBack('kept3', 'new@kept.test')
      await server.purge('kept3')
    })

    test('a mailbox is exported', async () => {
      await server.putDomain(domain('export.test', ['ann']))
      await environment.deliver('ann@export.test')
      const chunks: Buffer[] = []
      for await (const chunk of await server.exportMaildir('ann@export.test')) chunks.push(Buffer.from(chunk as Buffer))
      expect(Buffer.concat(chunks).toString('latin1')).toContain('Subject: ')
    })
  })
}

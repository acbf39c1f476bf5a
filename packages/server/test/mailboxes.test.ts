import { verify } from '@node-rs/argon2'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { DeletedMailbox, Mailbox, MailboxList } from '@panel/contract/mailboxes'
import { mailDomains } from '../src/db/schema/mail-domains.ts'
import { mailboxes } from '../src/db/schema/mailboxes.ts'
import { AppError } from '../src/errors.ts'
import { features } from '../src/features/index.ts'
import type { DomainRow, Feature } from '../src/features/feature.ts'
import { measureDisk } from '../src/features/disk-usage/measuring.jobs.ts'
import { reconcileMail } from '../src/features/mailboxes/mail.reconcile.ts'
import { purgeKeptMail } from '../src/features/mailboxes/purge.jobs.ts'
import { mailServerUnavailable, type MemoryMailServer } from './fakes/memory-mail-server.ts'
import { addDomain, addManagedDomain, addVerifiedDomain } from './support/domains.ts'
import {
  createMailbox,
  mailPassword,
  mailServerOf,
  newAlias,
  newMailbox,
  outcome,
  uniqueDomain
} from './support/mail.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

const follower = { requested: [] as string[], fails: false as false | Error }
const following: Feature = {
  name: 'follower',
  domain: {
    async firstMailbox(_deps, { hostname }: DomainRow) {
      follower.requested.push(hostname)
      if (follower.fails) throw follower.fails
    }
  }
}

let panel: TestPanel
let server: MemoryMailServer
let admin: Client
let ann: Client
let bob: Client
let now: Date | undefined
beforeAll(async () => {
  panel = await createTestPanel(
    { DNS_NAMESERVERS: 'ns1.example.net,ns2.example.net', SERVER_IP: '192.0.2.1', MAILBOX_KEEP_DAYS: '3' },
    { features: [...features, following], now: () => now ?? new Date() }
  )
  server = mailServerOf(panel)
  admin = await panel.signUp('admin')
  ann = await panel.signUp('ann')
  bob = await panel.signUp('bob')
})
afterAll(() => panel.close())
afterEach(() => {
  server.before = async () => {}
  follower.requested = []
  follower.fails = false
  now = undefined
})

const newDomain = async (by = ann) => addVerifiedDomain(by, uniqueDomain())
const show = async (by: Client, id: string) => by.request('GET', `/api/mailboxes/${id}`)
const list = async (by: Client, query = '') =>
  (await by.request('GET', `/api/mailboxes${query}`)).json<MailboxList>().mailboxes.map(({ address }) => address)
const change = (by: Client, id: string, body: object) => by.request('PATCH', `/api/mailboxes/${id}`, body)
const remove = (by: Client, id: string) => by.request('DELETE', `/api/mailboxes/${id}`)
const deleted = async (by: Client) =>
  (await by.request('GET', '/api/mail/deleted-mailboxes')).json<{ mailboxes: DeletedMailbox[] }>().mailboxes
const restore = (by: Client, id: string) => by.request('POST', `/api/mail/deleted-mailboxes/${id}/restore`)
const served = (name: string, localPart: string) =>
  server.domains.get(name)?.mailboxes.find((mailbox) => mailbox.localPart === localPart)
const rowOf = async (id: string) => (await panel.deps.db.select().from(mailboxes).where(eq(mailboxes.id, id)))[0]
const mailDomainOf = async (id: string) =>
  (await panel.deps.db.select().from(mailDomains).where(eq(mailDomains.domainId, id)))[0]
const actionsOn = async (targetId: string) => (await panel.audited({ targetId })).map((entry) => entry.action)
const unavailable = async () => {
  throw mailServerUnavailable()
}
const phc = (parameters: string) =>
  `$argon2id$v=19$${parameters}$c29tZXNhbHRzb21lc2FsdA$` + 'aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNoaGFzaGhhc2g'

describe('creation', () => {
  test('returns the mailbox, which is served by then', async () => {
    const { id: domainId, hostname } = await newDomain()
    const answer = await createMailbox(ann, domainId, { localPart: 'Ann.Lee' })
    expect(answer.statusCode).toBe(201)
    const mailbox = answer.json<Mailbox>()
    expect(mailbox).toEqual({
      id: mailbox.id,
      domainId,
      address: `ann.lee@${hostname}`,
      localPart: 'ann.lee',
      quota: 1024,
      enabled: true,
      usage: { bytes: 0, messages: 0 },
      autoreply: false,
      createdAt: mailbox.createdAt,
      updatedAt: mailbox.updatedAt
    })
    expect(server.domains.get(hostname)).toMatchObject({ name: hostname, isSuspended: false })
    const there = served(hostname, 'ann.lee')!
    expect(there).toMatchObject({ quotaMb: 1024, mayLogIn: true, sieve: undefined })
    expect(there.passwordHash).toMatch(/^\$argon2id\$v=19\$m=64,t=1,p=1\$/)
    expect(await verify(there.passwordHash, mailPassword)).toBe(true)
    expect(await actionsOn(mailbox.id)).toEqual(['mailbox.created'])
    expect((await show(ann, mailbox.id)).json()).toEqual(mailbox)
  })

  test.each(['m=19456,t=2,p=1', 'm=65536,t=3,p=4', 'm=262144,t=1,p=1'])('accepts a hash: %s', async (parameters) => {
    const { id, hostname } = await newDomain()
    await newMailbox(ann, id, { password: phc(parameters) })
    expect(served(hostname, 'ann')!.passwordHash).toBe(phc(parameters))
  })

  test.each<[object, string]>([
    [{ password: phc('m=262145,t=1,p=1') }, 'password'],
    [{ password: phc('m=262144,t=2,p=1') }, 'password'],
    [{ password: phc('m=9,t=1,p=2') }, 'password'],
    [{ password: phc('m=19456,t=0,p=1') }, 'password'],
    [{ password: '$argon2id$v=16$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$aGFzaGhhc2hoYXNoaGFzaGhhc2g' }, 'password'],
    [{ password: `${phc('m=19456,t=2,p=1')}:::::x` }, 'password'],
    [{ password: `${phc('m=19456,t=2,p=1')}\nroot:x` }, 'password'],
    [{ password: 'short' }, 'password'],
    [{ password: 'x'.repeat(129) }, 'password'],
    [{ password: undefined }, 'password'],
    [{ quota: 0 }, 'quota'],
    [{ quota: 1.5 }, 'quota'],
    [{ quota: 1_048_577 }, 'quota'],
    [{ quota: null }, 'quota'],
    ...[
      '',
      '.ann',
      'ann.',
      'a..b',
      '-ann',
      'a b',
      'a+b',
      'a@b',
      'a/b',
      '..',
      'a\n',
      'a:b',
      'ä',
      '"a"',
      '*',
      'x'.repeat(65),
      'MAILER-DAEMON',
      7
    ].map((localPart): [object, string] => [{ localPart }, 'localPart'])
  ])('refuses %j', async (values, path) => {
    const { id } = await newDomain()
    const answer = await createMailbox(ann, id, values)
    expect([...outcome(answer), answer.json().details[0].path]).toEqual([400, 'VALIDATION_ERROR', path])
  })

  test('the password must differ from the address', async () => {
    const { id, hostname } = await newDomain()
    const answer = await createMailbox(ann, id, { password: `Ann@${hostname}` })
    expect([...outcome(answer), answer.json().details[0].path]).toEqual([400, 'VALIDATION_ERROR', 'password'])
  })

  test('requires a whole own verified domain', async () => {
    const unverified = await addDomain(ann, uniqueDomain())
    expect(outcome(await createMailbox(ann, unverified.id))).toEqual([409, 'DOMAIN_NOT_ACTIVE'])
    const foreign = await newDomain(bob)
    expect(outcome(await createMailbox(ann, foreign.id))).toEqual([404, 'NOT_FOUND'])
    const { hostname } = await newDomain()
    const wildcard = await addVerifiedDomain(ann, `*.${hostname}`)
    expect(outcome(await createMailbox(ann, wildcard.id))).toEqual([400, 'INVALID_TARGET'])
    const part = await addVerifiedDomain(ann, hostname, { pathPrefix: '/shop' })
    expect(outcome(await createMailbox(ann, part.id))).toEqual([400, 'INVALID_TARGET'])
  })

  test('an address is unique, case-insensitively, also concurrently', async () => {
    const { id } = await newDomain()
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => createMailbox(ann, id, { localPart: index % 2 ? 'Ann' : 'ann' }))
    )
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, ...Array<number>(9).fill(409)])
    expect(answers.find(({ statusCode }) => statusCode === 409)!.json()).toMatchObject({ code: 'MAILBOX_EXISTS' })
  })

  test('counts against maxMailboxes of account and reseller', async () => {
    const person = await panel.createUser(admin, { maxMailboxes: 2 })
    const { id } = await newDomain(person)
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map((localPart) => createMailbox(person, id, { localPart })))
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 201, 403, 403])
    expect(await list(person)).toHaveLength(2)
    const usage = (await person.request('GET', '/api/users/me/usage')).json()
    expect(usage.resources.maxMailboxes).toEqual({ used: 2, limit: 2 })

    const reseller = await panel.createUser(admin, { role: 'RESELLER', maxMailboxes: 1 })
    await admin.request('PATCH', `/api/users/${reseller.user.id}/quotas`, { oversellingEnabled: true })
    const [one, two] = [
      await panel.createUser(reseller, { maxMailboxes: 1 }),
      await panel.createUser(reseller, { maxMailboxes: 1 })
    ]
    await newMailbox(one, (await newDomain(one)).id)
    expect(outcome(await createMailbox(two, (await newDomain(two)).id))).toEqual([403, 'QUOTA_EXCEEDED'])
  })

  test('quotas must fit into the account’s disk limit', async () => {
    const person = await panel.createUser(admin, { maxDiskMb: 100 })
    const { id } = await newDomain(person)
    const one = await newMailbox(person, id, { localPart: 'one', quota: 60 })
    expect(outcome(await createMailbox(person, id, { quota: 41 }))).toEqual([403, 'QUOTA_EXCEEDED'])
    const two = await newMailbox(person, id, { localPart: 'two', quota: 40 })
    expect(outcome(await change(person, one.id, { quota: 61 }))).toEqual([403, 'QUOTA_EXCEEDED'])
    expect((await change(person, one.id, { quota: 50, enabled: false })).statusCode).toBe(200)
    expect((await change(person, two.id, { quota: 50 })).statusCode).toBe(200)
    await remove(person, two.id)
    expect(outcome(await createMailbox(person, id, { quota: 1 }))).toEqual([403, 'QUOTA_EXCEEDED'])
    await person.request('DELETE', `/api/mail/deleted-mailboxes/${two.id}`)
    expect((await createMailbox(person, id, { quota: 50 })).statusCode).toBe(201)
  })

  test('mail servers that are down are updated later', async () => {
    const { id, hostname } = await newDomain()
    server.before = unavailable
    const mailbox = await newMailbox(ann, id)
    expect(mailbox.usage).toBeNull()
    expect(server.domains.has(hostname)).toBe(false)
    server.before = async () => {}
    await reconcileMail(panel.deps)
    expect(served(hostname, 'ann')).toBeDefined()
    const row = await mailDomainOf(id)
    expect(row!.appliedRevision).toBe(row!.revision)
  })

  test('MAIL=off: nothing is created', async () => {
    const off = await createTestPanel({ MAIL: 'off' })
    try {
      const person = await off.signUp()
      const { id } = await addVerifiedDomain(person, uniqueDomain())
      expect(outcome(await createMailbox(person, id))).toEqual([503, 'MAIL_UNAVAILABLE'])
      expect(outcome(await person.request('POST', '/api/mail/sync'))).toEqual([503, 'MAIL_UNAVAILABLE'])
      expect(await reconcileMail(off.deps)).toBe('done')
    } finally {
      await off.close()
    }
  })
})

describe('the first mailbox of a domain', () => {
  test('triggers its follow-up once, after it is served', async () => {
    const { id, hostname } = await newDomain()
    await newMailbox(ann, id)
    expect(follower.requested).toEqual([hostname])
    await newMailbox(ann, id, { localPart: 'second' })
    expect(follower.requested).toEqual([hostname])
    expect((await mailDomainOf(id))!.isOpening).toBe(false)
  })

  test('triggers it again after all were deleted', async () => {
    const { id, hostname } = await newDomain()
    await remove(ann, (await newMailbox(ann, id)).id)
    await newMailbox(ann, id)
    expect(follower.requested).toEqual([hostname, hostname])
  })

  test('exists even if the follow-up fails', async () => {
    const { id, hostname } = await newDomain()
    follower.fails = new Error('nothing follows')
    expect((await createMailbox(ann, id)).statusCode).toBe(201)
    expect(served(hostname, 'ann')).toBeDefined()
    expect((await mailDomainOf(id))!.isOpening).toBe(false)
  })

  test('is followed up by the next worker', async () => {
    const { id, hostname } = await newDomain()
    follower.fails = new AppError('WORKER_UNAVAILABLE', 'The worker is away')
    expect((await createMailbox(ann, id)).statusCode).toBe(201)
    expect((await mailDomainOf(id))!.isOpening).toBe(true)
    follower.fails = false
    await reconcileMail(panel.deps)
    expect(follower.requested).toEqual([hostname, hostname])
    expect((await mailDomainOf(id))!.isOpening).toBe(false)
  })

  test('is followed up after a crash', async () => {
    const { id, hostname } = await newDomain()
    await newMailbox(ann, id)
    follower.requested = []
    await panel.deps.db.update(mailDomains).set({ isOpening: true }).where(eq(mailDomains.domainId, id))
    await reconcileMail(panel.deps)
    await reconcileMail(panel.deps)
    expect(follower.requested).toEqual([hostname])
  })
})

describe('the list', () => {
  test('has own mailboxes by address, paginated, with usage', async () => {
    const person = await panel.createUser(admin)
    const [one, two] = [await newDomain(person), await newDomain(person)]
    for (const localPart of ['c', 'a', 'b']) await newMailbox(person, one.id, { localPart })
    await newMailbox(person, two.id, { localPart: 'a' })
    server.deliver(`b@${one.hostname}`, 'twelve bytes')
    server.deliver(`b@${one.hostname}`, 'and eleven.')
    const answer = (await person.request('GET', '/api/mailboxes?limit=2&page=2')).json<MailboxList>()
    expect(answer.pagination).toEqual({ page: 2, limit: 2, total: 4, totalPages: 2 })
    const all = (await person.request('GET', '/api/mailboxes')).json<MailboxList>().mailboxes
    expect(all.map(({ address }) => address)).toEqual([
      ...['a', 'b', 'c'].map((localPart) => `${localPart}@${one.hostname}`),
      `a@${two.hostname}`
    ])
    expect(all[1]!.usage).toEqual({ bytes: 23, messages: 2 })
    expect(await list(person, `?domainId=${two.id}`)).toEqual([`a@${two.hostname}`])
    expect(await list(person, `?domainId=${one.id}&order=created`)).toEqual(
      ['b', 'a', 'c'].map((localPart) => `${localPart}@${one.hostname}`)
    )
    expect(await list(person, `?search=B@${one.hostname.slice(0, 5)}`)).toEqual([`b@${one.hostname}`])
    expect(await list(bob, `?domainId=${one.id}`)).toEqual([])
  })

  test('works without the mail server', async () => {
    const { id } = await newDomain(bob)
    await newMailbox(bob, id)
    server.before = unavailable
    const { mailboxes: found } = (await bob.request('GET', '/api/mailboxes')).json<MailboxList>()
    expect(found.map(({ usage }) => usage)).toEqual(found.map(() => null))
    expect(found.length).toBeGreaterThan(0)
  })

  test('never contains a password', async () => {
    const { id } = await newDomain()
    const mailbox = await newMailbox(ann, id)
    const row = await rowOf(mailbox.id)
    const texts = [
      (await ann.request('GET', '/api/mailboxes')).body,
      (await show(ann, mailbox.id)).body,
      JSON.stringify(await panel.audited({ targetId: mailbox.id }))
    ].join()
    expect(texts).toContain(mailbox.address)
    expect(texts).not.toContain(row!.passwordHash)
    expect(texts).not.toContain(mailPassword)
  })
})

describe('update', () => {
  test('a new password ends old sessions only', async () => {
    const { id, hostname } = await newDomain()
    const mailbox = await newMailbox(ann, id)
    await newMailbox(ann, id, { localPart: 'other' })
    server.ended.length = 0
    expect((await change(ann, mailbox.id, { password: 'quite another one' })).statusCode).toBe(200)
    expect(await verify(served(hostname, 'ann')!.passwordHash, 'quite another one')).toBe(true)
    expect(server.ended).toEqual([`ann@${hostname}`])
    await change(ann, mailbox.id, { quota: 5 })
    expect(server.ended).toEqual([`ann@${hostname}`])
    expect(await actionsOn(mailbox.id)).toEqual(['mailbox.created', 'mailbox.password_changed', 'mailbox.updated'])
  })

  test('sessions that could not be ended are ended later', async () => {
    const { id, hostname } = await newDomain()
    const mailbox = await newMailbox(ann, id)
    server.ended.length = 0
    server.before = async (call) => {
      if (call === 'endSessions') throw mailServerUnavailable()
    }
    expect((await change(ann, mailbox.id, { password: 'quite another one' })).statusCode).toBe(200)
    expect(server.ended).toEqual([])
    server.before = async () => {}
    await reconcileMail(panel.deps)
    expect(server.ended).toEqual([`ann@${hostname}`])
  })

  test('quota and login permission', async () => {
    const { id, hostname } = await newDomain()
    const mailbox = await newMailbox(ann, id)
    server.ended.length = 0
    const answer = await change(ann, mailbox.id, { quota: 20, enabled: false })
    expect(answer.json()).toMatchObject({ quota: 20, enabled: false })
    expect(served(hostname, 'ann')).toMatchObject({ quotaMb: 20, mayLogIn: false })
    expect(server.ended).toEqual([`ann@${hostname}`])
    expect(server.deliver(`ann@${hostname}`, 'a message')).toBe(true)
    await change(ann, mailbox.id, { enabled: true })
    expect(served(hostname, 'ann')).toMatchObject({ quotaMb: 20, mayLogIn: true })
    expect((await panel.audited({ targetId: mailbox.id, action: 'mailbox.updated' }))[0]!.metadata).toEqual({
      address: `ann@${hostname}`,
      before: { quota: 1024, enabled: true },
      after: { quota: 20, enabled: false }
    })
  })

  test.each([[{}], [{ password: 'short' }], [{ quota: -1 }], [{ enabled: 'no' }]])('refuses %j', async (body) => {
    const { id } = await newDomain()
    const mailbox = await newMailbox(ann, id)
    expect(outcome(await change(ann, mailbox.id, body))).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('another’s is 404', async () => {
    const { id } = await newMailbox(ann, (await newDomain()).id)
    for (const answer of [await show(bob, id), await change(bob, id, { quota: 5 }), await remove(bob, id)])
      expect(outcome(answer)).toEqual([404, 'NOT_FOUND'])
    expect(outcome(await change(bob, id, { quota: 'x' }))).toEqual([404, 'NOT_FOUND'])
  })
})

describe('deletion', () => {
  test('mail is kept for MAILBOX_KEEP_DAYS, and a new mailbox starts empty', async () => {
    const person = await panel.createUser(admin, { maxMailboxes: 1 })
    const { id, hostname } = await newDomain(person)
    const mailbox = await newMailbox(person, id)
    server.deliver(mailbox.address, 'an old message')
    const answer = await remove(person, mailbox.id)
    expect([answer.statusCode, Object.keys(answer.json())]).toEqual([200, ['message']])
    expect(outcome(await show(person, mailbox.id))).toEqual([404, 'NOT_FOUND'])
    expect(outcome(await change(person, mailbox.id, { quota: 5 }))).toEqual([404, 'NOT_FOUND'])
    expect(outcome(await remove(person, mailbox.id))).toEqual([404, 'NOT_FOUND'])
    expect(server.domains.has(hostname)).toBe(false)
    const [kept] = await deleted(person)
    expect(kept).toMatchObject({ id: mailbox.id, address: mailbox.address, quota: 1024 })
    expect(Date.parse(kept!.purgeAt) - Date.parse(kept!.deletedAt)).toBe(3 * 24 * 3600 * 1000)
    expect(server.kept.get(mailbox.id)).toEqual(['an old message'])

    const next = await newMailbox(person, id)
    expect(next.usage).toEqual({ bytes: 0, messages: 0 })
    expect(outcome(await restore(person, mailbox.id))).toEqual([403, 'QUOTA_EXCEEDED'])
    expect(await actionsOn(mailbox.id)).toEqual(['mailbox.created', 'mailbox.deleted'])
  })

  test('restoring brings back mail, password and settings', async () => {
    const { id, hostname } = await newDomain()
    const mailbox = await newMailbox(ann, id, { quota: 7 })
    server.deliver(mailbox.address, 'an old message')
    const before = served(hostname, 'ann')
    await remove(ann, mailbox.id)
    const answer = await restore(ann, mailbox.id)
    expect([answer.statusCode, answer.json()]).toMatchObject([
      200,
      { id: mailbox.id, address: mailbox.address, quota: 7 }
    ])
    expect(served(hostname, 'ann')).toEqual(before)
    expect(server.mail.get(mailbox.address)).toEqual(['an old message'])
    expect([server.kept.has(mailbox.id), (await rowOf(mailbox.id))!.keptAt]).toEqual([false, null])
    expect(await deleted(ann)).not.toContainEqual(expect.objectContaining({ id: mailbox.id }))
    expect(outcome(await restore(ann, mailbox.id))).toEqual([404, 'NOT_FOUND'])
    expect(await actionsOn(mailbox.id)).toEqual(['mailbox.created', 'mailbox.deleted', 'mailbox.restored'])
  })

  test('a reused address cannot be restored over', async () => {
    const { id } = await newDomain()
    const mailbox = await newMailbox(ann, id)
    await remove(ann, mailbox.id)
    await newMailbox(ann, id)
    expect(outcome(await restore(ann, mailbox.id))).toEqual([409, 'MAILBOX_EXISTS'])
  })

  test('another’s cannot be restored or purged', async () => {
    const mailbox = await newMailbox(ann, (await newDomain()).id)
    await remove(ann, mailbox.id)
    expect(outcome(await restore(bob, mailbox.id))).toEqual([404, 'NOT_FOUND'])
    expect(outcome(await bob.request('DELETE', `/api/mail/deleted-mailboxes/${mailbox.id}`))).toEqual([
      404,
      'NOT_FOUND'
    ])
    expect(await deleted(bob)).toEqual([])
  })

  test('expired mail is purged and cannot be restored', async () => {
    const mailbox = await newMailbox(ann, (await newDomain()).id)
    server.deliver(mailbox.address, 'an old message')
    await remove(ann, mailbox.id)
    await purgeKeptMail(panel.deps)
    expect(server.kept.has(mailbox.id)).toBe(true)
    const over = Date.now() + 3 * 24 * 3600 * 1000 + 1_000
    now = new Date(over)
    expect(outcome(await restore(await panel.signIn(ann.user.email), mailbox.id))).toEqual([404, 'NOT_FOUND'])
    await purgeKeptMail(panel.deps)
    expect(server.kept.has(mailbox.id)).toBe(true)
    now = new Date(over + 60_000)
    server.before = async (call, subject) => {
      if (call === 'purge' && subject === mailbox.id) throw mailServerUnavailable()
    }
    await purgeKeptMail(panel.deps)
    expect(await rowOf(mailbox.id)).toBeDefined()
    server.before = async () => {}
    await purgeKeptMail(panel.deps)
    expect([server.kept.has(mailbox.id), await rowOf(mailbox.id)]).toEqual([false, undefined])
  })

  test('it can be purged earlier', async () => {
    const mailbox = await newMailbox(ann, (await newDomain()).id)
    await remove(ann, mailbox.id)
    expect((await ann.request('DELETE', `/api/mail/deleted-mailboxes/${mailbox.id}`)).statusCode).toBe(200)
    expect(outcome(await restore(ann, mailbox.id))).toEqual([404, 'NOT_FOUND'])
    now = new Date(Date.now() + 61_000)
    await purgeKeptMail(panel.deps)
    expect([server.kept.has(mailbox.id), await rowOf(mailbox.id)]).toEqual([false, undefined])
  })

  test('with mail servers down: old mail never reaches the next mailbox', async () => {
    const { id, hostname } = await newDomain()
    const mailbox = await newMailbox(ann, id)
    server.deliver(mailbox.address, 'an old message')
    server.before = unavailable
    expect((await remove(ann, mailbox.id)).statusCode).toBe(200)
    const next = await newMailbox(ann, id, { quota: 9 })
    expect(served(hostname, 'ann')).toMatchObject({ quotaMb: 1024 })
    server.before = async (call) => {
      if (call === 'setAside') expect(served(hostname, 'ann')).toBeUndefined()
    }
    await reconcileMail(panel.deps)
    expect(served(hostname, 'ann')).toMatchObject({ quotaMb: 9 })
    expect([server.kept.get(mailbox.id), server.mail.get(next.address)]).toEqual([['an old message'], undefined])
  })
})

test('a failing mailbox does not block others', async () => {
  const { id, hostname } = await newDomain()
  const [stuck, gone] = [await newMailbox(ann, id), await newMailbox(ann, id, { localPart: 'gone' })]
  for (const { address } of [stuck, gone]) server.deliver(address, `of ${address}`)
  await remove(ann, gone.id)
  server.before = async (call, subject) => {
    if (call === 'setAside' && subject === stuck.address) throw new Error('this directory cannot be moved')
    if (call === 'putBack') throw new Error('there is mail')
  }
  await remove(ann, stuck.id)
  await restore(ann, gone.id)
  await newMailbox(ann, id, { localPart: 'third' })
  expect(server.domains.get(hostname)!.mailboxes.map(({ localPart }) => localPart)).toEqual(['third'])
  server.before = async () => {}
  await expect
    .poll(
      async () => {
        await reconcileMail(panel.deps)
        return server.domains.get(hostname)!.mailboxes.map(({ localPart }) => localPart)
      },
      { timeout: 20_000 }
    )
    .toEqual(['gone', 'third'])
  expect([server.kept.get(stuck.id), server.mail.get(gone.address)]).toEqual([
    [`of ${stuck.address}`],
    [`of ${gone.address}`]
  ])
})

describe('a domain', () => {
  test('takes its mailboxes along when deleted; they can be restored later', async () => {
    const { id, hostname } = await newDomain()
    const mailbox = await newMailbox(ann, id)
    await newAlias(ann, id, 'sales', mailbox.address)
    server.deliver(mailbox.address, 'an old message')
    expect((await ann.request('DELETE', `/api/domains/${id}`)).statusCode).toBe(204)
    expect(server.domains.has(hostname)).toBe(false)
    expect(server.kept.get(mailbox.id)).toEqual(['an old message'])
    expect(await list(ann, `?search=${hostname}`)).toEqual([])
    expect((await rowOf(mailbox.id))!.domainId).toBeNull()
    expect(await actionsOn(id)).toContain('mailbox.deleted')
    expect(outcome(await restore(ann, mailbox.id))).toEqual([409, 'DOMAIN_NOT_ACTIVE'])

    const again = await addVerifiedDomain(ann, hostname)
    expect(follower.requested).toEqual([hostname])
    expect((await restore(ann, mailbox.id)).json()).toMatchObject({ domainId: again.id, address: mailbox.address })
    expect(server.mail.get(mailbox.address)).toEqual(['an old message'])
    expect(follower.requested).toEqual([hostname, hostname])
    expect(server.domains.get(hostname)!.aliases.map(({ localPart }) => localPart)).not.toContain('sales')
  })

  test('claimed by another account gives it no kept mail', async () => {
    const { id, hostname } = await newDomain()
    const mailbox = await newMailbox(ann, id)
    server.deliver(mailbox.address, 'an old message')
    server.before = unavailable
    await ann.request('DELETE', `/api/domains/${id}`)
    const next = await addVerifiedDomain(bob, hostname)
    const his = await newMailbox(bob, next.id)
    server.before = async () => {}
    await reconcileMail(panel.deps)
    expect(server.mail.get(his.address)).toBeUndefined()
    expect(server.kept.get(mailbox.id)).toEqual(['an old message'])
    expect(outcome(await restore(ann, mailbox.id))).toEqual([409, 'DOMAIN_NOT_ACTIVE'])
    expect(outcome(await restore(bob, mailbox.id))).toEqual([404, 'NOT_FOUND'])
  })

  test('without addresses is removed from the mail servers', async () => {
    const { id, hostname } = await newDomain()
    const alias = await newAlias(ann, id, 'sales', 'ann@elsewhere.example')
    expect(server.domains.has(hostname)).toBe(true)
    await ann.request('DELETE', `/api/mail/aliases/${alias.id}`)
    expect(server.domains.has(hostname)).toBe(false)
    await reconcileMail(panel.deps)
    expect(server.domains.has(hostname)).toBe(false)
  })

  test('stays MANAGED while it or its zone has mailboxes', async () => {
    const apex = await addManagedDomain(ann, uniqueDomain())
    const below = await addVerifiedDomain(ann, `shop.${apex.hostname}`)
    const toConnected = (id: string) =>
      ann.request('PATCH', `/api/domains/${id}/dns-mode`, { mode: 'CONNECTED', force: true })
    const mailbox = await newMailbox(ann, below.id)
    for (const { id } of [apex, below]) {
      expect(outcome(await toConnected(id))).toEqual([409, 'DNS_MODE_MAIL_ACTIVE'])
      expect((await ann.request('GET', `/api/domains/${id}`)).json()).toMatchObject({ dnsMode: 'MANAGED' })
    }
    await remove(ann, mailbox.id)
    expect((await toConnected(below.id)).json()).toMatchObject({ dnsMode: 'CONNECTED' })
    expect((await toConnected(apex.id)).json()).toMatchObject({ dnsMode: 'CONNECTED' })
  })
})

describe('an account', () => {
  test('when suspended: mail is deferred, and it returns unchanged', async () => {
    const person = await panel.createUser(admin)
    const { id, hostname } = await newDomain(person)
    const mailbox = await newMailbox(person, id)
    await admin.request('POST', `/api/users/${person.user.id}/suspend`)
    expect(server.domains.get(hostname)).toMatchObject({ isSuspended: true })
    expect(server.domains.get(hostname)!.mailboxes).toHaveLength(1)
    await admin.request('POST', `/api/users/${person.user.id}/resume`)
    expect(server.domains.get(hostname)).toMatchObject({ isSuspended: false })
    expect((await show(await panel.signIn(person.user.email), mailbox.id)).statusCode).toBe(200)
  })

  test('with mailboxes is deleted only with them, without leftovers', async () => {
    const person = await panel.createUser(admin)
    const { id, hostname } = await newDomain(person)
    const [live, old] = [await newMailbox(person, id), await newMailbox(person, id, { localPart: 'old' })]
    for (const { address } of [live, old]) server.deliver(address, 'a message')
    await remove(person, old.id)
    const refused = await admin.request('DELETE', `/api/users/${person.user.id}`)
    expect([...outcome(refused), refused.json().error]).toEqual([
      409,
      'ACCOUNT_NOT_EMPTY',
      expect.stringMatching(/domains|mailboxes/)
    ])
    expect((await admin.request('DELETE', `/api/users/${person.user.id}?projects=delete`)).statusCode).toBe(200)
    expect(server.domains.has(hostname)).toBe(false)
    now = new Date(Date.now() + 61_000)
    await purgeKeptMail(panel.deps)
    expect([...server.kept.keys()].filter((kept) => [live.id, old.id].includes(kept))).toEqual([])
    expect([await rowOf(live.id), await rowOf(old.id)]).toEqual([undefined, undefined])
  })

  test('receives postmaster and abuse mail at its current address', async () => {
    const person = await panel.createUser(admin)
    const { id, hostname } = await newDomain(person)
    await newMailbox(person, id)
    const roles = () =>
      server.domains.get(hostname)!.aliases.filter(({ localPart }) => ['postmaster', 'abuse'].includes(localPart ?? ''))
    expect(roles()).toMatchObject([
      { localPart: 'postmaster', targets: [person.user.email] },
      { localPart: 'abuse', targets: [person.user.email] }
    ])
    const email = `new-${person.user.email}`
    expect((await admin.request('PATCH', `/api/users/${person.user.id}`, { email })).statusCode).toBe(200)
    await reconcileMail(panel.deps)
    expect(roles().map(({ targets }) => targets)).toEqual([[email], [email]])
    await newMailbox(person, id, { localPart: 'postmaster' })
    expect(roles().map(({ localPart }) => localPart)).toEqual(['abuse'])
  })

  test('includes mail and kept mail in its disk usage', async () => {
    const person = await panel.createUser(admin)
    const { id } = await newDomain(person)
    const [one, two] = [await newMailbox(person, id), await newMailbox(person, id, { localPart: 'two' })]
    server.deliver(one.address, 'twelve bytes')
    server.deliver(two.address, 'and eleven.')
    await remove(person, two.id)
    await measureDisk(panel.deps)
    const { kinds } = (await person.request('GET', '/api/users/me/disk')).json()
    expect(kinds).toContainEqual({ kind: 'MAIL', bytes: 23, measuredAt: expect.any(String) })
  })
})

describe('the mail servers', () => {
  test('are repaired to match the database', async () => {
    const { id, hostname } = await newDomain()
    await newMailbox(ann, id)
    server.domains.delete(hostname)
    server.domains.set('planted.example.com', {
      name: 'planted.example.com',
      isSuspended: false,
      mailboxes: [],
      aliases: []
    })
    now = new Date(Date.now() + 120_000)
    await reconcileMail(panel.deps)
    expect(served(hostname, 'ann')).toBeDefined()
    expect(server.domains.has('planted.example.com')).toBe(false)
  })

  test('a failing domain does not block others', async () => {
    const [one, two] = [await newDomain(), await newDomain()]
    server.before = unavailable
    for (const { id } of [one, two]) await newMailbox(ann, id)
    server.before = async (call, subject) => {
      if (call === 'putDomain' && subject === one.hostname) throw mailServerUnavailable()
    }
    expect(await reconcileMail(panel.deps)).toBe('again')
    expect([served(one.hostname, 'ann'), served(two.hostname, 'ann')]).toEqual([undefined, expect.anything()])
    server.before = async () => {}
    await expect
      .poll(
        async () => {
          await reconcileMail(panel.deps)
          return served(one.hostname, 'ann')
        },
        { timeout: 20_000 }
      )
      .toBeDefined()
  })

  test('status: each port and the number of mailboxes', async () => {
    const person = await panel.createUser(admin)
    const { id } = await newDomain(person)
    await newMailbox(person, id)
    const second = await newMailbox(person, id, { localPart: 'second' })
    await change(person, second.id, { enabled: false })
    now = new Date(Date.now() + 10_000)
    const status = (await person.request('GET', '/api/mail/status')).json()
    expect(status).toEqual({
      service: 'postfix',
      status: 'running',
      port25Open: true,
      port465Open: true,
      port587Open: true,
      tlsEnforced: true,
      lastChecked: now.toISOString(),
      imap: {
        service: 'dovecot',
        status: 'running',
        port143Open: true,
        port993Open: true,
        tlsEnforced: true,
        saslAuthConnected: true,
        activeMailboxesCount: 1,
        lastChecked: now.toISOString()
      },
      spamFilter: { service: 'rspamd', status: 'running', lastChecked: now.toISOString() }
    })
    server.answers = { ...server.answers, imap: { ...server.answers.imap, saslAuthConnected: false } }
    now = new Date(now.getTime() + 10_000)
    const after = (await admin.request('GET', '/api/mail/status')).json()
    expect(after).toMatchObject({ status: 'running', imap: { status: 'degraded', saslAuthConnected: false } })
    expect(after.imap.activeMailboxesCount).toBeGreaterThan(1)
  })

  test('sync: own domains only', async () => {
    const person = await panel.createUser(admin)
    const [mine, other] = [await newDomain(person), await newDomain()]
    await newMailbox(person, mine.id)
    await newMailbox(person, mine.id, { localPart: 'second' })
    await newMailbox(ann, other.id)
    server.domains.delete(mine.hostname)
    server.domains.delete(other.hostname)
    expect((await person.request('POST', '/api/mail/sync')).json()).toEqual({
      success: true,
      syncedCount: 1,
      domains: [mine.hostname],
      mailboxesSynced: 2
    })
    expect([server.domains.has(mine.hostname), server.domains.has(other.hostname)]).toEqual([true, false])
    server.before = unavailable
    expect(outcome(await person.request('POST', '/api/mail/sync'))).toEqual([503, 'MAIL_UNAVAILABLE'])
  })
})

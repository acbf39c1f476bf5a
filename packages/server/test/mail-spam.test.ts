import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { MailStatus } from '@panel/contract/mailboxes'
import type { SpamSettings } from '@panel/contract/mail-spam'
import { mailFilterSettings } from '../src/db/schema/mail-filter-settings.ts'
import { watchHeldMail } from '../src/features/mail-spam/held-mail.jobs.ts'
import { reconcileSpam } from '../src/features/mail-spam/mail-spam.reconcile.ts'
import type { MemoryMailFilter } from './fakes/memory-mail-filter.ts'
import type { MemoryMailQueue } from './fakes/memory-mail-queue.ts'
import { addDomain, addVerifiedDomain } from './support/domains.ts'
import { newMailbox, outcome, uniqueDomain } from './support/mail.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

let panel: TestPanel
let filter: MemoryMailFilter
let ann: Client
let bob: Client
let now: Date | undefined
beforeAll(async () => {
  panel = await createTestPanel({ MAIL_SPAM_FILTER: 'on' }, { now: () => now ?? new Date() })
  filter = panel.deps.mailFilter as MemoryMailFilter
  ann = await panel.signUp('ann')
  bob = await panel.signUp('bob')
})
afterAll(() => panel.close())
afterEach(() => {
  filter.isUnavailable = false
  now = undefined
})

const get = (by: Client, id: string) => by.request('GET', `/api/mail/spam/${id}`)
const patch = (by: Client, id: string, body: object) => by.request('PATCH', `/api/mail/spam/${id}`, body)
const newDomain = async (by = ann) => (await addVerifiedDomain(by, uniqueDomain())).id
const hostnameOf = async (by: Client, id: string) => (await get(by, id)).json<SpamSettings>().domain

test('a domain without settings has the defaults and no filter entry', async () => {
  const id = await newDomain()
  const answer = await get(ann, id)
  expect([answer.statusCode, answer.json()]).toEqual([
    200,
    {
      domainId: id,
      domain: expect.stringContaining('.example.com'),
      filter: 'on',
      enabled: true,
      junkScore: 6,
      refuseScore: 15,
      greylisting: true,
      allow: [],
      deny: []
    }
  ])
  expect(filter.settings.has(answer.json<SpamSettings>().domain)).toBe(false)
})

test('given settings change, others stay, and the filter gets all at once', async () => {
  const id = await newDomain()
  const first = await patch(ann, id, { junkScore: 4.5, deny: ['EVE@Bad.example', 'worse.example', 'worse.example'] })
  expect([first.statusCode, first.json()]).toEqual([
    200,
    expect.objectContaining({ junkScore: 4.5, refuseScore: 15, deny: ['eve@bad.example', 'worse.example'] })
  ])
  const second = await patch(ann, id, { greylisting: false, allow: ['good.example'] })
  const shown = { enabled: true, junkScore: 4.5, refuseScore: 15, greylisting: false, allow: ['good.example'] }
  expect(second.json()).toMatchObject({ ...shown, deny: ['eve@bad.example', 'worse.example'] })
  expect((await get(ann, id)).json()).toEqual(second.json())
  const domain = second.json<SpamSettings>().domain
  expect(filter.settings.get(domain)).toEqual({
    domain,
    isEnabled: true,
    junkScore: 4.5,
    refuseScore: 15,
    isGreylisting: false,
    allow: ['good.example'],
    deny: ['eve@bad.example', 'worse.example']
  })
  const entries = await panel.audited({ targetId: id })
  expect(entries.filter(({ action }) => action === 'mail_spam.updated').map(({ metadata }) => metadata)).toEqual([
    { domain, changed: ['junkScore', 'deny'] },
    { domain, changed: ['greylisting', 'allow'] }
  ])
})

test.each<[string, object]>([
  ['nothing', {}],
  ['a score below 1', { junkScore: 0 }],
  ['a score above all', { refuseScore: 1001 }],
  ['a score that is text', { junkScore: '6' }],
  ['a junk score above the one that is refused', { junkScore: 16 }],
  ['a sender twice', { allow: ['a.example'], deny: ['a.example'] }],
  ['a sender with a line feed', { deny: ['a@b.example\nx'] }],
  ['a sender with a quotation mark', { deny: ['"a"@b.example'] }],
  ['a sender with two @', { deny: ['a@b@c.example'] }],
  ['a path', { deny: ['../a'] }],
  ['a star', { deny: ['*'] }],
  ['no list', { deny: 'a.example' }],
  ['too many senders', { deny: Array.from({ length: 201 }, (_, index) => `a${index}.example`) }],
  ['what there is not', { junkscore: 4 }]
])('%s is refused', async (_, body) => {
  const id = await newDomain()
  expect(outcome(await patch(ann, id, body))).toEqual([400, 'VALIDATION_ERROR'])
  expect((await get(ann, id)).json()).toMatchObject({ junkScore: 6, refuseScore: 15, allow: [], deny: [] })
})

test('another account’s domain is 404', async () => {
  const id = await newDomain(bob)
  expect(outcome(await get(ann, id))).toEqual([404, 'NOT_FOUND'])
  expect(outcome(await patch(ann, id, { enabled: false }))).toEqual([404, 'NOT_FOUND'])
  expect((await get(bob, id)).json()).toMatchObject({ enabled: true })
})

test('an unverified domain has no mail', async () => {
  const { id } = await addDomain(ann, uniqueDomain())
  expect(outcome(await patch(ann, id, { enabled: false }))).toEqual([409, 'DOMAIN_NOT_ACTIVE'])
})

describe('while files cannot be written', () => {
  test('the change is stored and applied later', async () => {
    const id = await newDomain()
    filter.isUnavailable = true
    expect((await patch(ann, id, { enabled: false })).statusCode).toBe(200)
    const name = await hostnameOf(ann, id)
    expect(filter.settings.has(name)).toBe(false)
    expect(await reconcileSpam(panel.deps)).toBe('again')
    filter.isUnavailable = false
    expect(await reconcileSpam(panel.deps)).toBe('done')
    expect(filter.settings.get(name)).toMatchObject({ isEnabled: false })
  })

  test('manual changes are repaired within a minute', async () => {
    const id = await newDomain()
    await patch(ann, id, { enabled: false })
    const name = await hostnameOf(ann, id)
    const settings = filter.settings.get(name)!
    filter.settings.delete(name)
    filter.settings.set('gone.example.com', { ...settings, domain: 'gone.example.com' })
    now = new Date(Date.now() + 120_000)
    await reconcileSpam(panel.deps)
    expect(filter.settings.get(name)).toEqual(settings)
    expect(filter.settings.has('gone.example.com')).toBe(false)
  })
})

test('settings are removed with their domain', async () => {
  const id = await newDomain()
  await patch(ann, id, { enabled: false })
  const name = await hostnameOf(ann, id)
  expect(filter.settings.has(name)).toBe(true)
  expect((await ann.request('DELETE', `/api/domains/${id}`)).statusCode).toBeLessThan(300)
  expect(filter.settings.has(name)).toBe(false)
  const left = await panel.deps.db.select().from(mailFilterSettings).where(eq(mailFilterSettings.domainId, id))
  expect(left).toEqual([])
})

test('the status shows whether the filter is up', async () => {
  const status = async () => (await ann.request('GET', '/api/mail/status')).json<MailStatus>().spamFilter.status
  now = new Date(Date.now() + 3_600_000)
  expect(await status()).toBe('running')
  filter.isUnavailable = true
  now = new Date(Date.now() + 7_200_000)
  expect(await status()).toBe('stopped')
})

describe('held mail', () => {
  const id = '4jWdh75MSBzLxKl'
  const hold = (login: string) => {
    const queue = panel.deps.mailQueue as MemoryMailQueue
    const recipients = [{ address: 'x@elsewhere.example', reason: undefined }]
    queue.messages.set(id, { id, queue: 'hold', arrivedAt: new Date(), bytes: 1, sender: login, recipients, recipientCount: 1 }) // oxfmt-ignore
    filter.held.set(id, { id, login, score: 20, symbols: ['BAYES_SPAM'], isFlood: false })
    return queue
  }
  afterEach(() => {
    ;(panel.deps.mailQueue as MemoryMailQueue).messages.clear()
    filter.held.clear()
    filter.notified.clear()
  })

  test('notifies the owner once a day', async () => {
    const { address } = await newMailbox(ann, await newDomain())
    hold(address)
    await watchHeldMail(panel.deps)
    expect(filter.notified.has(id)).toBe(true)
    filter.notified.clear()
    await watchHeldMail(panel.deps)
    const jobs = await panel.deps.db.execute<{ data: { address: string; isHeld: boolean } }>(
      `select data from pgboss.job where name = 'mail-limits.alert'`
    )
    expect(jobs.rows.map(({ data }) => data).filter((data) => data.address === address)).toEqual([
      { address, isHeld: true }
    ])
  })

  test('a note is removed when its message is released', async () => {
    const queue = hold('ann@example.com')
    queue.messages.clear()
    await watchHeldMail(panel.deps)
    expect(filter.held.has(id)).toBe(true)
    now = new Date(Date.now() + 2 * 3_600_000)
    await watchHeldMail(panel.deps)
    expect(filter.held.has(id)).toBe(false)
  })
})

test('without a filter settings exist but are unused', async () => {
  const bare = await createTestPanel({ MAIL_SPAM_FILTER: 'off' })
  try {
    const eve = await bare.signUp('eve')
    const { id } = await addVerifiedDomain(eve, uniqueDomain())
    expect((await patch(eve, id, { junkScore: 3 })).json()).toMatchObject({ filter: 'off', junkScore: 3 })
    expect((bare.deps.mailFilter as MemoryMailFilter).settings.size).toBe(0)
    expect((await eve.request('GET', '/api/mail/status')).json<MailStatus>().spamFilter.status).toBe('off')
  } finally {
    await bare.close()
  }
})

import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { DeliveryTest, DeliveryTestAnswer } from '@panel/contract/delivery-tests'
import { deliveryTests } from '../src/db/schema/delivery-tests.ts'
import { createTestArrivals } from '../src/features/delivery-tests/arriving-tests.service.ts'
import { cleanUpTests } from '../src/features/delivery-tests/retention.jobs.ts'
import { renderAnswerMessage } from '../src/features/delivery-tests/test-answer.render.ts'
import { renderTestMessage } from '../src/features/delivery-tests/test-message.render.ts'
import { mailServerUnavailable } from './fakes/memory-mail-server.ts'
import { addVerifiedDomain } from './support/domains.ts'
import { mailServerOf, newMailbox, outcome, uniqueDomain } from './support/mail.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

const hostname = 'mail.panel.test'
const other = 'delivery-test@mail.panel.example.net'
const minute = 60_000
const start = new Date('2026-11-23T12:00:00Z')
const seen: DeliveryTestAnswer = {
  clientIp: '198.51.100.7',
  tls: 'TLSv1.3 TLS_AES_256_GCM_SHA384',
  spf: { result: 'pass', domain: 'shop.example' },
  dkim: [{ result: 'pass', domain: 'shop.example', selector: 'default' }],
  dmarc: { result: 'fail', policy: 'none' }
}

let now = start
let panel: TestPanel
let ann: Client
let bob: Client
beforeAll(async () => {
  panel = await createTestPanel({ PANEL_DOMAIN: 'panel.test' }, { now: () => now })
  ann = await panel.signUp('ann')
  bob = await panel.signUp('bob')
})
afterAll(() => panel.close())
afterEach(() => {
  now = new Date(now.getTime() + 61 * minute)
  mailServerOf(panel).before = async () => {}
})

async function mailboxOf(by = ann) {
  const { id, hostname: name } = await addVerifiedDomain(by, uniqueDomain())
  const mailbox = await newMailbox(by, id)
  return { id: mailbox.id, address: `ann@${name}`, name }
}
const create = (by: Client, mailboxId: string, to: string) =>
  by.request('POST', '/api/mail/delivery-tests', { mailboxId, to })
const created = async (mailboxId: string, to = other) => (await create(ann, mailboxId, to)).json<DeliveryTest>()
const read = async ({ id }: { id: string }) =>
  (await ann.request('GET', `/api/mail/delivery-tests/${id}`)).json<DeliveryTest>()
const tokenOf = async ({ id }: { id: string }) =>
  (await panel.deps.db.select().from(deliveryTests).where(eq(deliveryTests.id, id)))[0]!.token
async function writeLog({ queueId }: DeliveryTest, status: string, reason: string) {
  const path = join(panel.deps.config.DATA_DIR, 'mail', 'mail.log')
  await mkdir(dirname(path), { recursive: true })
  const line = `postfix/smtp[123]: ${queueId}: to=<x@y.example>, relay=mx.y.example[198.51.100.9]:25, delay=1, delays=0/0/0/1, dsn=2.0.0, status=${status} (${reason})`
  await writeFile(path, `Nov 23 12:00:01 mail ${line}\n`, { flag: 'a' })
  now = new Date(now.getTime() + 3_000)
}
const answered: unknown[] = []
const arrivals = () =>
  createTestArrivals(panel.deps, async (message, sender) => {
    answered.push([message.length > 0, sender])
    return seen
  })

describe('a test', () => {
  test('is sent from the mailbox, with no other caller data', async () => {
    const mailbox = await mailboxOf()
    const answer = await create(ann, mailbox.id, other)
    expect(answer.statusCode).toBe(201)
    const made = answer.json<DeliveryTest>()
    expect(made).toMatchObject({ status: 'QUEUED', from: mailbox.address, to: other, answer: null })
    expect(made.checks.accepted).toEqual({
      status: 'pass',
      detail: `Accepted by our mail server as ${made.queueId}`,
      sentences: [{ code: 'TAKEN_AS', values: { queueId: made.queueId } }]
    })
    expect([made.checks.delivered.status, made.checks.dkim.status]).toEqual(['pending', 'pending'])
    const token = await tokenOf(made)
    expect(JSON.stringify(made)).not.toContain(token)
    const sent = mailServerOf(panel).submitted.at(-1)!
    expect(sent).toMatchObject({ sender: mailbox.address, recipient: other })
    expect(sent.message).toContain(`Reply-To: <delivery-test+${token}@${hostname}>\r\n`)
    expect((await panel.audited({ targetId: mailbox.id })).map(({ action }) => action)).toContain(
      'mail.delivery_tested'
    )
  })

  test('shows the log’s result, then the receiver’s', async () => {
    const made = await created((await mailboxOf()).id)
    expect((await read(made)).status).toBe('QUEUED')
    now = new Date(now.getTime() + 3_000)
    await writeLog(made, 'deferred', 'connect to mx.y.example[198.51.100.9]:25: Connection refused')
    const waiting = await read(made)
    expect(waiting).toMatchObject({ status: 'DEFERRED', relay: 'mx.y.example[198.51.100.9]:25' })
    expect(waiting.checks.delivered).toMatchObject({
      status: 'pending',
      detail: expect.stringMatching(/Connection refused/) as string,
      sentences: [
        { code: 'TRIED_AGAIN' },
        {
          code: 'SAID',
          values: { server: 'mx.y.example[198.51.100.9]:25', answer: expect.stringMatching(/^connect to/) as string }
        }
      ]
    })
    await writeLog(made, 'sent', '250 2.0.0 Ok: queued as 4jY')
    expect(await read(made)).toMatchObject({ status: 'DELIVERED', reply: '250 2.0.0 Ok: queued as 4jY' })
    const to = `delivery-test+${await tokenOf(made)}@${hostname}`
    const message = renderAnswerMessage({
      to,
      hostname: 'mail.panel.example.net',
      messageId: 'x',
      at: now,
      answer: seen
    })
    await arrivals().take(to, Buffer.from(message), '')
    const done = await read(made)
    expect(done).toMatchObject({ status: 'ANSWERED', answer: seen })
    expect(Object.entries(done.checks).map(([name, { status }]) => `${name} ${status}`)).toEqual([
      'accepted pass',
      'delivered pass',
      'tls pass',
      'spf pass',
      'dkim pass',
      'dmarc fail'
    ])
    const { spf, dkim, dmarc } = done.checks
    expect([spf, dkim, dmarc].flatMap(({ sentences }) => sentences)).toEqual([
      { code: 'SPF', values: { result: 'pass', domain: 'shop.example', address: '198.51.100.7' } },
      { code: 'DKIM', values: { result: 'pass', selector: 'default', domain: 'shop.example' } },
      { code: 'DMARC_POLICY', values: { result: 'fail', policy: 'none' } }
    ])
    const forged = renderAnswerMessage({ to, hostname, messageId: 'x', at: now, answer: { ...seen, tls: null } })
    await arrivals().take(to, Buffer.from(forged), '')
    expect((await read(made)).answer).toEqual(seen)
  })

  test('refused permanently is BOUNCED; without a reply it ends DELIVERED', async () => {
    const mailbox = await mailboxOf()
    const [one, two] = [
      await created(mailbox.id, `bob@${mailbox.name}`),
      await created(mailbox.id, `joe@${mailbox.name}`)
    ]
    await writeLog(one, 'bounced', '550 5.1.1 unknown')
    await writeLog(two, 'sent', '250 2.0.0 saved')
    expect(await read(one)).toMatchObject({
      status: 'BOUNCED',
      checks: { delivered: { status: 'fail' }, dkim: { status: 'unknown' } }
    })
    expect(await read(two)).toMatchObject({
      status: 'DELIVERED',
      checks: { delivered: { status: 'pass' }, dkim: { status: 'unknown' } }
    })
  })

  test('refused by our server is FAILED; an interrupted one later', async () => {
    const mailbox = await mailboxOf()
    mailServerOf(panel).before = async (call) => {
      if (call === 'submit') throw mailServerUnavailable()
    }
    expect(await created(mailbox.id)).toMatchObject({
      status: 'FAILED',
      queueId: null,
      checks: { accepted: { status: 'fail', sentences: [{ code: 'SERVER_SILENT' }] } }
    })
    mailServerOf(panel).before = async () => {}
    const cut = await created(mailbox.id)
    await panel.deps.db.update(deliveryTests).set({ status: 'SENDING' }).where(eq(deliveryTests.id, cut.id))
    await cleanUpTests(panel.deps)
    expect((await read(cut)).status).toBe('SENDING')
    now = new Date(now.getTime() + 6 * minute)
    await cleanUpTests(panel.deps)
    const { status, checks } = await read(cut)
    expect([status, checks.accepted.sentences]).toEqual(['FAILED', [{ code: 'TAKEN_OR_NOT' }]])
  })

  test('is kept for a week', async () => {
    const made = await created((await mailboxOf()).id)
    now = new Date(now.getTime() + 8 * 24 * 60 * minute)
    await cleanUpTests(panel.deps)
    expect(await panel.deps.db.select().from(deliveryTests).where(eq(deliveryTests.id, made.id))).toEqual([])
    now = start
  })
})

describe('refused', () => {
  test('a foreign address, a foreign mailbox, a disabled one', async () => {
    const [mine, hers] = [await mailboxOf(), await mailboxOf(bob)]
    const before = mailServerOf(panel).submitted.length
    for (const to of [hers.address, 'somebody@elsewhere.example', `delivery-test+${'0'.repeat(32)}@${hostname}`])
      expect(outcome(await create(ann, mine.id, to)), to).toEqual([400, 'INVALID_TARGET'])
    expect((await create(ann, mine.id, 'a@b.example\r\nBcc: c@d.example')).statusCode).toBe(400)
    expect(outcome(await create(ann, hers.id, other))).toEqual([404, 'NOT_FOUND'])
    await ann.request('PATCH', `/api/mailboxes/${mine.id}`, { enabled: false })
    expect(outcome(await create(ann, mine.id, other))).toEqual([400, 'INVALID_TARGET'])
    expect(mailServerOf(panel).submitted).toHaveLength(before)
  })

  test('more than twenty in an hour, also concurrently', async () => {
    const mailbox = await mailboxOf()
    const answers = await Promise.all(Array.from({ length: 25 }, () => create(ann, mailbox.id, other)))
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(20)
    expect(outcome(answers.find(({ statusCode }) => statusCode !== 201)!)).toEqual([429, 'RATE_LIMITED'])
    now = new Date(now.getTime() + 61 * minute)
    expect((await create(ann, mailbox.id, other)).statusCode).toBe(201)
  })

  test('another account’s test', async () => {
    const made = await created((await mailboxOf()).id)
    expect(outcome(await bob.request('GET', `/api/mail/delivery-tests/${made.id}`))).toEqual([404, 'NOT_FOUND'])
  })
})

describe('a test received from another panel', () => {
  const token = 'a'.repeat(32)
  const requested = (from = 'eve@elsewhere.example') =>
    renderTestMessage({
      from,
      to: `delivery-test@${hostname}`,
      hostname: 'mail.other.example',
      token,
      messageId: 'x',
      at: start
    })

  test('is answered to its panel only, with a null sender', async () => {
    await arrivals().take(`delivery-test@${hostname}`, Buffer.from(requested()), 'eve@elsewhere.example')
    expect(answered.at(-1)).toEqual([true, 'eve@elsewhere.example'])
    const sent = mailServerOf(panel).submitted.at(-1)!
    expect(sent).toMatchObject({ sender: '', recipient: `delivery-test+${token}@mail.other.example` })
    const before = mailServerOf(panel).submitted.length
    for (const message of [
      requested().replace(/^Reply-To:.*$/m, 'Reply-To: <victim@elsewhere.example>'),
      'hello',
      ''
    ]) {
      await arrivals().take(`delivery-test@${hostname}`, Buffer.from(message), 'eve@elsewhere.example')
    }
    expect(mailServerOf(panel).submitted).toHaveLength(before)
  })

  test('is retried if our server refuses the reply', async () => {
    mailServerOf(panel).before = async (call) => {
      if (call === 'submit') throw mailServerUnavailable()
    }
    await expect(arrivals().take(`delivery-test@${hostname}`, Buffer.from(requested()), '')).rejects.toThrow()
  })

  test('is accepted at our own address only, limited per domain and hour', async () => {
    const mine = arrivals()
    const wanted = (address: string, sender = 'eve@elsewhere.example') => mine.isWanted(address, sender)
    expect(await wanted(`delivery-test@${hostname}`)).toBe(true)
    for (const address of ['delivery-test@mail.other.example', `ann@${hostname}`, `delivery-test+x@${hostname}`, ''])
      expect(await wanted(address), address).toBe(false)
    const times = (count: number) => Array.from({ length: count })
    const taken = await Promise.all(times(30).map(() => wanted(`delivery-test@${hostname}`)))
    expect(taken.filter(Boolean)).toHaveLength(19)
    expect(await wanted(`delivery-test@${hostname}`, 'ben@shop.example')).toBe(true)
  })

  test('a reply is accepted while expected, whatever strangers send', async () => {
    const mine = arrivals()
    for (let sent = 0; sent < 700; sent++) await mine.isWanted(`delivery-test@${hostname}`, `eve@d${sent}.example`)
    expect(await mine.isWanted(`delivery-test@${hostname}`, 'ben@shop.example')).toBe(false)
    const { id } = await mailboxOf()
    const to = `delivery-test+${await tokenOf(await created(id))}@${hostname}`
    expect(await mine.isWanted(to, '')).toBe(true)
    const message = renderAnswerMessage({ to, hostname, messageId: 'x', at: now, answer: seen })
    await mine.take(to, Buffer.from(message), '')
    expect(await mine.isWanted(to, '')).toBe(false)
    expect(await mine.isWanted(`delivery-test+${token}@${hostname}`, '')).toBe(false)
  })

  test('an unsolicited reply is ignored', async () => {
    const to = `delivery-test+${token}@${hostname}`
    const message = renderAnswerMessage({ to, hostname, messageId: 'x', at: now, answer: seen })
    await arrivals().take(to, Buffer.from(message), '')
    expect(await panel.deps.db.select().from(deliveryTests).where(eq(deliveryTests.token, token))).toEqual([])
  })
})

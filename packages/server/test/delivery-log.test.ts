import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { DeliveryLog } from '@panel/contract/delivery-log'
import { createNoDeliveryLog } from '../src/infra/mail-server/no-mail-server.ts'
import { forgedLines, longLines, otherLines, usualLines } from './fixtures/mail-log.fixture.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

let panel: TestPanel
let admin: Client
let user: Client
let directory: string
beforeAll(async () => {
  panel = await createTestPanel()
  admin = await panel.signUp('admin')
  user = await panel.signUp('user')
  directory = join(panel.deps.config.DATA_DIR, 'mail')
})
afterAll(() => panel?.close())
afterEach(() => rm(directory, { recursive: true, force: true }))

const write = async (lines: readonly string[], suffix = '') => {
  await mkdir(directory, { recursive: true })
  const text = lines.map((line) => `${line}\n`).join('')
  await writeFile(join(directory, `mail.log${suffix}`), suffix.endsWith('.gz') ? gzipSync(text) : text)
}
const search = async (query = '') => {
  const answer = await admin.request('GET', `/api/mail/logs${query}`)
  expect(answer.statusCode).toBe(200)
  return answer.json<DeliveryLog>()
}

const at = 'Jan  5 08:00:00 mail'
const lines = [
  `${at} postfix/qmgr[1]: 4jXzYh19STzXS6P: from=<ann@one.test>, size=615, nrcpt=2 (queue active)`,
  `${at} postfix/smtp[1]: 4jXzYh19STzXS6P: to=<bob@example.net>, orig_to=<team@two.test>, relay=mx.example.net[192.0.2.25]:25, delay=1.4, delays=1/0.2/0.1/0.1, dsn=2.0.0, status=sent (250 2.0.0 Ok: queued as 5B1D31C0A1)`,
  ...otherLines,
  `${at} postfix/smtp[1]: 4jXzYh19STzXS6P: to=<eve@example.org>, relay=none, delay=30, delays=0/0/30/0, dsn=4.4.1, status=deferred (connect to mx.example.org[192.0.2.26]:25: Connection timed out)`,
  ...forgedLines,
  `${at} postfix/lmtp[1]: 4jXzYh35rGzXS80: to=<ann@one.test>, relay=127.0.0.1[127.0.0.1]:24, delay=0.2, delays=0.1/0/0/0.1, dsn=5.2.2, status=bounced (host 127.0.0.1[127.0.0.1] said: 552 5.2.2 \u001b[31mFull\u202e)`,
  `${at} postfix/smtpd[1]: NOQUEUE: reject: RCPT from unknown[198.51.100.7]: 550 5.1.1 <no@one.test>: Recipient address rejected: User unknown in virtual mailbox table; from=<q@elsewhere.example> to=<no@one.test> proto=ESMTP helo=<h>`
]

test('lists messages with their results, newest first', async () => {
  await write(lines)
  const { deliveries, scannedLines, pagination } = await search()
  expect([scannedLines, pagination]).toEqual([lines.length, { page: 1, limit: 50, total: 4, totalPages: 1 }])
  expect(deliveries.map(({ status, sender, recipient }) => [status, sender, recipient])).toEqual([
    ['rejected', 'q@elsewhere.example', 'no@one.test'],
    ['bounced', null, 'ann@one.test'],
    ['deferred', 'ann@one.test', 'eve@example.org'],
    ['success', 'ann@one.test', 'bob@example.net']
  ])
  expect(deliveries[3]).toEqual({
    at: expect.stringMatching(/^\d{4}-01-05T08:00:00\.000Z$/) as string,
    status: 'success',
    sender: 'ann@one.test',
    recipient: 'bob@example.net',
    originalRecipient: 'team@two.test',
    queueId: '4jXzYh19STzXS6P',
    relay: 'mx.example.net[192.0.2.25]:25',
    delay: 1.4,
    reason: '250 2.0.0 Ok: queued as 5B1D31C0A1'
  })
  expect(deliveries[1]!.reason).toBe('host 127.0.0.1[127.0.0.1] said: 552 5.2.2  [31mFull')
  expect(deliveries[0]).toMatchObject({ queueId: null, delay: null, relay: 'unknown[198.51.100.7]' })
})

test.each<[string, string[]]>([
  ['?domain=one.test', ['rejected', 'bounced', 'deferred', 'success']],
  ['?domain=Two.test', ['success']],
  ['?mailbox=ann%2Bx@one.test', ['bounced', 'deferred', 'success']],
  ['?mailbox=ann@one.test&status=success', ['success']],
  ['?status=deferred', ['deferred']],
  ['?status=rejected&domain=two.test', []],
  ['?limit=1&page=2', ['bounced']]
])('only %s', async (query, expected) => {
  await write(lines)
  expect((await search(query)).deliveries.map(({ status }) => status)).toEqual(expected)
})

test('reads at most the last 20,000 lines, including rotated files', async () => {
  const all = usualLines(27_000)
  await write(all.slice(0, 9_000), '.20261120-000000.gz')
  await write(all.slice(9_000, 18_000), '.20261121-000000.gz')
  await write(all.slice(18_000))
  const { scannedLines, pagination, deliveries } = await search('?status=success&page=3&limit=200')
  expect([scannedLines, deliveries.length]).toEqual([20_000, 200])
  expect(pagination.total).toBe(2222)
})

test('handles lines crafted to slow it down', async () => {
  await write([...longLines, ...lines, ...longLines])
  expect((await search()).pagination.total).toBe(4)
})

test('is empty without a log', async () => {
  expect(await search()).toEqual({
    deliveries: [],
    scannedLines: 0,
    pagination: { page: 1, limit: 50, total: 0, totalPages: 0 }
  })
})

test('an unreadable log: 503', async () => {
  await mkdir(join(directory, 'mail.log'), { recursive: true })
  const answer = await admin.request('GET', '/api/mail/logs')
  expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([503, 'MAIL_UNAVAILABLE'])
})

test.each(['?status=sent', '?limit=201', '?domain=', '?mailbox=', '?domain=a%0Ab'])('%s is refused', async (query) => {
  expect((await admin.request('GET', `/api/mail/logs${query}`)).statusCode).toBe(400)
})

test('requires an administrator', async () => {
  const answer = await user.request('GET', '/api/mail/logs')
  expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([403, 'FORBIDDEN_ROLE'])
  expect((await panel.app.inject({ method: 'GET', url: '/api/mail/logs' })).statusCode).toBe(401)
})

test('reports disabled mail', async () => {
  const without = await createTestPanel({ MAIL: 'off' }, { deliveryLog: createNoDeliveryLog() })
  try {
    const answer = await (await without.signUp()).request('GET', '/api/mail/logs')
    expect([answer.statusCode, answer.json()]).toEqual([
      503,
      expect.objectContaining({
        code: 'MAIL_UNAVAILABLE',
        outage: expect.objectContaining({ sentences: [{ code: 'TURN_ON_MAIL' }] })
      })
    ])
  } finally {
    await without.close()
  }
})

import { gunzipSync } from 'node:zlib'
import { extract } from 'tar-stream'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Mailbox } from '@panel/contract/mailboxes'
import { mailboxes } from '../src/db/schema/mailboxes.ts'
import { addVerifiedDomain } from './support/domains.ts'
import { mailServerOf, newMailbox, outcome, uniqueDomain } from './support/mail.ts'
import { type Client, createTestPanel, password, type TestPanel } from './support/panel.ts'

let panel: TestPanel
let ann: Client
let mailbox: Mailbox
beforeAll(async () => {
  panel = await createTestPanel()
  await panel.signUp('admin')
  ann = await panel.signUp('ann')
  mailbox = await newMailbox(ann, (await addVerifiedDomain(ann, uniqueDomain())).id)
  mailServerOf(panel).deliver(mailbox.address, 'the first message')
})
afterAll(() => panel.close())

async function messagesIn(archive: Buffer): Promise<string[]> {
  const tar = extract()
  tar.end(gunzipSync(archive))
  const found: string[] = []
  for await (const entry of tar) {
    const parts: Buffer[] = []
    for await (const part of entry) parts.push(part as Buffer)
    found.push(Buffer.concat(parts).toString())
  }
  return found
}
const exported = async (by: Client) => by.request('GET', `/api/mailboxes/${mailbox.id}/export`)
const deleted = () => `/api/mail/deleted-mailboxes/${mailbox.id}`

test('its owner gets all messages, and it is audited', async () => {
  const answer = await exported(ann)
  expect(answer.statusCode).toBe(200)
  expect(answer.headers).toMatchObject({
    'content-type': 'application/gzip',
    'content-disposition': expect.stringContaining(`${mailbox.address}.tar.gz`) as string
  })
  expect(await messagesIn(answer.rawPayload)).toEqual(['the first message'])
  expect(await panel.audited({ action: 'mailbox.exported' })).toMatchObject([
    { actorId: ann.user.id, targetId: mailbox.id, metadata: { address: mailbox.address } }
  ])
})

test('others and read tokens are refused', async () => {
  expect(outcome(await exported(await panel.signUp('bob')))).toEqual([404, 'NOT_FOUND'])
  expect(outcome(await exported(await panel.signUp('dora')))).toEqual([404, 'NOT_FOUND'])
  const made = await ann.request('POST', '/api/auth/tokens', { name: 'reader', scope: 'read', password })
  const answer = await panel.app.inject({
    url: `/api/mailboxes/${mailbox.id}/export`,
    headers: { authorization: `Bearer ${made.json<{ token: string }>().token}` }
  })
  expect(outcome(answer)).toEqual([403, 'FORBIDDEN'])
})

test('a deleted one can be exported while kept', async () => {
  await ann.request('DELETE', `/api/mailboxes/${mailbox.id}`)
  expect(outcome(await exported(ann))).toEqual([404, 'NOT_FOUND'])
  expect(await messagesIn((await ann.request('GET', `${deleted()}/export`)).rawPayload)).toEqual(['the first message'])
  expect(outcome(await (await panel.signUp('carol')).request('GET', `${deleted()}/export`))).toEqual([404, 'NOT_FOUND'])

  // Until it is moved away, a new mailbox may use its address.
  await panel.deps.db.update(mailboxes).set({ keptAt: null }).where(eq(mailboxes.id, mailbox.id))
  expect(outcome(await ann.request('GET', `${deleted()}/export`))).toEqual([409, 'CONFLICT'])
})

test('two at a time per account', async () => {
  const other = await newMailbox(ann, (await addVerifiedDomain(ann, uniqueDomain())).id)
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  mailServerOf(panel).before = async (call) => (call === 'exportMaildir' ? held : undefined)
  const requested = [1, 2, 3].map(() => ann.request('GET', `/api/mailboxes/${other.id}/export`))
  expect(outcome(await Promise.race(requested))).toEqual([409, 'CONFLICT'])
  release()
  const statuses = (await Promise.all(requested)).map(({ statusCode }) => statusCode)
  expect(statuses.sort()).toEqual([200, 200, 409])
})

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { WebmailActivity } from '@panel/contract/webmail'
import { createMemoryWebmail } from './fakes/memory-webmail.ts'
import { addVerifiedDomain } from './support/domains.ts'
import { newMailbox, outcome, uniqueDomain } from './support/mail.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

const webmail = createMemoryWebmail()
let panel: TestPanel
let ann: Client
let bob: Client
let domain: string
let mailboxId: string
beforeAll(async () => {
  panel = await createTestPanel({ PANEL_DOMAIN: 'panel.example.net' }, { webmail })
  ann = await panel.signUp('ann')
  bob = await panel.signUp('bob')
  domain = uniqueDomain()
  const { id } = await addVerifiedDomain(ann, domain)
  mailboxId = (await newMailbox(ann, id)).id
  await newMailbox(ann, id, { localPart: 'second' })
})
afterAll(() => panel.close())
beforeEach(() => {
  webmail.logins.clear()
  webmail.isBroken = false
})

const activity = async (client: Client): Promise<WebmailActivity> => {
  const answer = await client.request('GET', '/api/mail/webmail/activity')
  expect(answer.statusCode).toBe(200)
  return answer.json()
}
const address = async () =>
  (await ann.request('GET', `/api/mailboxes/${mailboxId}`)).json<{ address: string }>().address
const soon = () => new Date(Math.floor(Date.now() / 1000) * 1000 + 2_000)

describe('activity', () => {
  test('last login per own mailbox, latest first', async () => {
    const [first, later] = [soon(), new Date(soon().getTime() + 60_000)]
    webmail.logins
      .set(await address(), first)
      .set(`second@${domain}`, later)
      .set('boss@elsewhere.example', later)
    expect(await activity(ann)).toEqual({
      logins: [
        { mailboxId: expect.any(String), mailbox: `second@${domain}`, lastLogin: later.toISOString() },
        { mailboxId, mailbox: await address(), lastLogin: first.toISOString() }
      ]
    })
    expect(await activity(bob)).toEqual({ logins: [] })
  })

  test('logins before the mailbox existed are ignored', async () => {
    webmail.logins.set(await address(), new Date('2026-01-01T00:00:00Z'))
    expect(await activity(ann)).toEqual({ logins: [] })
  })

  test('an unreadable database is reported', async () => {
    webmail.isBroken = true
    expect(await activity(ann)).toEqual({
      logins: [],
      error: 'The webmail database cannot be read',
      code: 'SQLITE_QUERY_ERROR'
    })
  })
})

describe('the link', () => {
  test('contains the address only', async () => {
    const answer = await ann.request('GET', `/api/mailboxes/${mailboxId}/webmail`)
    expect(answer.json()).toEqual({
      url: `https://webmail.panel.example.net/?_user=${encodeURIComponent(await address())}`
    })
    expect(outcome(await bob.request('GET', `/api/mailboxes/${mailboxId}/webmail`))).toEqual([404, 'NOT_FOUND'])
  })

  test.each<Record<string, string>>([{ WEBMAIL: 'off' }, { PANEL_DOMAIN: '' }])('is refused with %o', async (env) => {
    const other = await createTestPanel({ PANEL_DOMAIN: 'panel.example.net', ...env }, { webmail })
    try {
      const client = await other.signUp('ann')
      const { id } = await newMailbox(client, (await addVerifiedDomain(client, uniqueDomain())).id)
      webmail.isBroken = true
      expect(await activity(client)).toEqual({ logins: [] })
      expect(outcome(await client.request('GET', `/api/mailboxes/${id}/webmail`))).toEqual([503, 'MAIL_UNAVAILABLE'])
    } finally {
      await other.close()
    }
  })

  test('nothing is queried without mail', async () => {
    const other = await createTestPanel({ PANEL_DOMAIN: 'panel.example.net', MAIL: 'off' }, { webmail })
    try {
      webmail.isBroken = true
      expect(await activity(await other.signUp('ann'))).toEqual({ logins: [] })
    } finally {
      await other.close()
    }
  })
})

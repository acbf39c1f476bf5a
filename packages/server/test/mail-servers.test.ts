import { afterAll, beforeAll, expect, test } from 'vitest'
import { certificates } from '../src/db/schema/certificates.ts'
import { createSendingDecision, mailLimitAlert } from '../src/features/mail-limits/mail-limits.service.ts'
import { syncMailCertificates } from '../src/features/mail-certificates/mail-certificates.service.ts'
import { newId } from '../src/ids.ts'
import type { MemoryMailCertificates } from './fakes/memory-mail-certificates.ts'
import { createMemoryMailer } from './fakes/memory-mailer.ts'
import { makeCertificate } from './fixtures/certificate.fixture.ts'
import { addVerifiedDomain } from './support/domains.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

let panel: TestPanel
let owner: Client
let other: Client
const mailer = createMemoryMailer()
beforeAll(async () => {
  const env = { PANEL_MOCK_DNS: 'true', PANEL_DOMAIN: 'panel.test', MAIL_HOURLY_MAILBOX: '3', MAIL_HOURLY_ACCOUNT: '5' }
  panel = await createTestPanel(env, { mailer })
  owner = await panel.signUp('owner')
  other = await panel.signUp('other')
  for (const [by, name] of [
    [owner, 'shop.test'],
    [owner, 'plain.test'],
    [other, 'rival.test']
  ] as const) {
    const { id: domainId } = await addVerifiedDomain(by, name)
    const answer = await by.request('POST', '/api/mailboxes', {
      domainId,
      localPart: 'ann',
      password: 'correct horse battery'
    })
    expect(answer.statusCode).toBe(201)
  }
})
afterAll(() => panel?.close())

const served = () => (panel.deps.mailCertificates as MemoryMailCertificates).served
const certify = async (by: Client, hostname: string) => {
  const { id: domainId } = await addVerifiedDomain(by, hostname)
  const made = await makeCertificate(newId(), [hostname])
  await panel.deps.db.insert(certificates).values({
    id: made.id,
    domainId,
    commonName: hostname,
    status: 'ACTIVE',
    chain: made.chain,
    encryptedKey: panel.deps.secretBox.seal(made.keyPem),
    fingerprint: made.fingerprint
  })
  return made
}

test('the mail servers serve what is for the names of mail, opened, and nothing else', async () => {
  await syncMailCertificates(panel.deps)
  expect(served().size).toBe(0)
  const own = await certify(owner, 'mail.shop.test')
  const wildcard = await certify(other, '*.rival.test')
  await certify(owner, 'www.shop.test')
  await certify(owner, 'mail.nomail.test')
  await syncMailCertificates(panel.deps)
  const found = [...served().values()].map(({ id, hostnames, keyPem, isDefault }) => [id, hostnames, keyPem, isDefault])
  expect(new Set(found)).toEqual(
    new Set([
      [own.id, ['mail.shop.test'], own.keyPem, false],
      [wildcard.id, ['mail.rival.test'], wildcard.keyPem, false]
    ])
  )
})

test('who sends too much is kept from it for now, and his account; the owner is told once', async () => {
  let now = new Date()
  const decide = createSendingDecision({ ...panel.deps, now: () => now })
  const send = (login: string, recipients = 1) => decide({ login, recipients })
  expect(await send('Ann@shop.test', 3)).toBeUndefined()
  expect(await send('ann@shop.test')).toMatch(/^450 4\.7\.1 /)
  expect(await send('ann@shop.test')).toMatch(/^450 4\.7\.1 /)
  // Of the same account, by another domain.
  expect(await send('ann@plain.test', 3)).toMatch(/^450 4\.7\.1 /)
  expect(await send('ann@plain.test', 2)).toBeUndefined()
  expect(await send('ann@rival.test', 3)).toBeUndefined()
  now = new Date(now.getTime() + 3_600_000)
  expect(await send('ann@shop.test', 3)).toBeUndefined()
  // What the job does that was enqueued.
  await mailLimitAlert(panel.deps, 'ann@shop.test')
  expect(mailer.sent.map(({ to, subject }) => [to, subject])).toEqual([
    [owner.user.email, 'ann@shop.test sends more mail than it may']
  ])
})

test('while the store is away, mail goes on within what the mailbox may', async () => {
  const db = { select: () => { throw new Error('away') } } as unknown as TestPanel['deps']['db'] // prettier-ignore
  const decide = createSendingDecision({ ...panel.deps, db })
  expect(await decide({ login: 'ann@shop.test', recipients: 3 })).toBeUndefined()
  expect(await decide({ login: 'ann@shop.test', recipients: 1 })).toMatch(/^450 /)
})

import type { NotificationList } from '@panel/contract/notifications'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eq } from 'drizzle-orm'
import { certificates } from '../src/db/schema/certificates.ts'
import { users } from '../src/db/schema/users.ts'
import { createLogInPolicy } from '../src/features/mail-limits/log-ins.service.ts'
import { endedSessions } from '../src/features/mailboxes/ended-sessions.ts'
import { createSendingPolicy, notifyLimit } from '../src/features/mail-limits/mail-limits.service.ts'
import { createReplyDecision } from '../src/features/mail-limits/replies.service.ts'
import { syncMailCertificates } from '../src/features/mail-certificates/mail-certificates.service.ts'
import { newId } from '../src/security/ids.ts'
import type { MemoryMailCertificates } from './fakes/memory-mail-certificates.ts'
import { makeCertificate } from './fixtures/certificate.fixture.ts'
import { addVerifiedDomain } from './support/domains.ts'
import { createAlias, createMailbox, newAlias, newMailbox, outcome } from './support/mail.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

let panel: TestPanel
let owner: Client
let other: Client
beforeAll(async () => {
  const env = { PANEL_MOCK_DNS: 'true', PANEL_DOMAIN: 'panel.test', MAIL_HOURLY_MAILBOX: '3', MAIL_HOURLY_ACCOUNT: '5' }
  panel = await createTestPanel(env)
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

test('the mail servers serve exactly the mail host certificates', async () => {
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

test('a sender over the limit is deferred with its account; the owner is notified once', async () => {
  let now = new Date()
  const { decide } = createSendingPolicy({ ...panel.deps, now: () => now })
  const send = (login: string, recipients = 1) => decide({ login, address: '192.0.2.1', recipients, to: [] })
  expect(await send('Ann@shop.test', 3)).toBeUndefined()
  expect(await send('ann@shop.test')).toMatch(/^450 4\.7\.1 /)
  expect(await send('ann@shop.test')).toMatch(/^450 4\.7\.1 /)
  expect(await send('ann@plain.test', 3)).toMatch(/^450 4\.7\.1 /)
  expect(await send('ann@plain.test', 2)).toBeUndefined()
  expect(await send('ann@rival.test', 3)).toBeUndefined()
  expect(await send('ann@rival.test', 4)).toBe(
    '554 5.7.1 A mailbox may send to 3 recipients per hour; send this message to fewer recipients'
  )
  now = new Date(now.getTime() + 3_600_000)
  expect(await send('ann@shop.test', 3)).toBeUndefined()
  await notifyLimit(panel.deps, { address: 'ann@shop.test' })
  const { notifications } = (await owner.request('GET', '/api/notifications')).json<NotificationList>()
  expect(notifications).toMatchObject([{ kind: 'mail-limit', subject: { type: 'mailbox', name: 'ann@shop.test' } }])
})

test('forwarded mail counts for the alias owner', async () => {
  let now = new Date(Date.now() + 7_200_000)
  const { decide } = createSendingPolicy({ ...panel.deps, now: () => now })
  const { id: domainId } = await addVerifiedDomain(owner, 'lists.test')
  const alias = async (localPart: string, ...targets: string[]) => {
    const answer = await owner.request('POST', '/api/mail/aliases', { domainId, localPart, targets })
    expect(answer.statusCode).toBe(201)
  }
  await alias('outer', 'inner@lists.test', 'ann@shop.test', 'one@elsewhere.example')
  await alias('inner', 'two@elsewhere.example', 'three@elsewhere.example')
  await alias('local', 'ann@shop.test')
  const toAll = (...to: string[]) => decide({ login: undefined, address: '192.0.2.9', recipients: to.length, to })
  // One copy per recipient, however it was addressed.
  expect(await toAll('outer+x@lists.test', 'outer@lists.test', 'inner@lists.test')).toBeUndefined()
  expect(await toAll('inner@lists.test')).toBeUndefined()
  expect(await toAll('inner@lists.test')).toMatch(/^450 4\.7\.1 /)
  expect(await toAll('ann@shop.test', 'inner@lists.test')).toMatch(/^450 4\.7\.1 /)
  await alias('many', ...Array.from({ length: 6 }, (_, index) => `m${index}@elsewhere.example`))
  expect(await toAll('many@lists.test')).toMatch(/^554 5\.7\.1 .*\(5\)$/)
  // Rejected strangers do not block logged-in senders.
  expect(await decide({ login: 'ann@shop.test', address: '192.0.2.1', recipients: 1, to: [] })).toBeUndefined()
  expect(await toAll('local@lists.test', 'ann@shop.test', 'nobody@nowhere.test')).toBeUndefined()
  // Recipients of a login count after alias expansion.
  const listed = { login: 'ann@rival.test', address: '192.0.2.1', recipients: 1, to: ['inner@lists.test'] }
  expect(await decide(listed)).toMatch(/^450 /)
  now = new Date(now.getTime() + 3_600_000)
  expect(await decide(listed)).toBeUndefined()
})

test('one recipient over the forward limit defers the message until a retry', async () => {
  let now = new Date(Date.now() + 36_000_000)
  const { decide, decideRecipient } = createSendingPolicy({ ...panel.deps, now: () => now })
  const { id: domainId } = await addVerifiedDomain(owner, 'circles.test')
  const alias = async (localPart: string, addresses: number) => {
    const targets = Array.from({ length: addresses }, (_, index) => `${localPart}${index}@elsewhere.example`)
    expect((await createAlias(owner, domainId, localPart, ...targets)).statusCode).toBe(201)
  }
  await alias('huge', 6)
  await alias('three', 3)
  await alias('trio', 3)
  /** As Postfix does: each RCPT is checked, and the message goes to the accepted ones. */
  const send = async (...named: string[]) => {
    const to = new Set<string>()
    const refused: string[] = []
    for (const recipient of named) {
      to.add(recipient)
      const answer = await decideRecipient(recipient, to)
      if (answer !== undefined) refused.push(`${recipient} ${answer.slice(0, 9)}`)
      if (answer !== undefined) to.delete(recipient)
    }
    if (to.size === 0) return { refused }
    const answer = await decide({ login: undefined, address: '192.0.2.9', recipients: to.size, to: [...to] })
    return { refused, answer: answer?.slice(0, 9) }
  }
  const taken = { refused: [], answer: undefined }
  expect(await send('ann@rival.test', 'huge@circles.test')).toEqual({ refused: [], answer: '450 4.7.1' })
  const again = ['ann@rival.test', 'huge+x@circles.test', 'ann@rival.test']
  expect(await send(...again)).toEqual({ refused: ['huge+x@circles.test 554 5.7.1'], answer: undefined })
  expect(await send('three@circles.test', 'trio@circles.test')).toEqual({ refused: [], answer: '450 4.7.1' })
  const parted = await send('three@circles.test', 'trio@circles.test')
  expect(parted).toEqual({ refused: ['trio@circles.test 450 4.7.1'], answer: undefined })
  expect(await send('trio@circles.test')).toEqual({ refused: ['trio@circles.test 450 4.7.1'] })
  now = new Date(now.getTime() + 3_600_000)
  expect(await send('trio@circles.test')).toEqual(taken)
  const { aliases } = (await owner.request('GET', `/api/mail/aliases?domainId=${domainId}`)).json<{
    aliases: { id: string; localPart: string }[]
  }>()
  const { id } = aliases.find(({ localPart }) => localPart === 'huge')!
  const fewer = await owner.request('PATCH', `/api/mail/aliases/${id}`, { targets: ['one@elsewhere.example'] })
  expect(fewer.statusCode).toBe(200)
  now = new Date(now.getTime() + 61_000)
  expect(await send('ann@rival.test', 'huge@circles.test')).toEqual(taken)
})

test('recipients reached several ways count once', async () => {
  const now = new Date(Date.now() + 72_000_000)
  const { decide, decideRecipient } = createSendingPolicy({ ...panel.deps, now: () => now })
  const { id: domainId } = await addVerifiedDomain(owner, 'shared.test')
  const targets = (...names: string[]) => names.map((name) => `${name}@elsewhere.example`)
  await newAlias(owner, domainId, 'sales', ...targets('one', 'two', 'three'))
  await newAlias(owner, domainId, 'office', ...targets('one', 'two', 'four'))
  await newAlias(owner, domainId, 'huge', ...targets('a', 'b', 'c', 'd', 'e', 'f'))
  await newAlias(owner, domainId, 'more', ...targets('five', 'six'))
  const all = ['sales', 'office', 'huge', 'more'].map((name) => `${name}@shared.test`)
  const request = { login: undefined, address: '192.0.2.9', recipients: all.length, to: all }
  expect(await decide(request)).toMatch(/^450 /)
  const to = new Set<string>()
  const refused: string[] = []
  for (const recipient of all) {
    to.add(recipient)
    const answer = await decideRecipient(recipient, to)
    if (answer === undefined) continue
    to.delete(recipient)
    refused.push(`${recipient} ${answer.slice(0, 3)}`)
  }
  expect(refused).toEqual(['huge@shared.test 554', 'more@shared.test 450'])
  expect(await decide({ ...request, recipients: to.size, to: [...to] })).toBeUndefined()
})

test('the mail hostname has no mailboxes', async () => {
  const { id } = await addVerifiedDomain(owner, 'mail.panel.test')
  expect(outcome(await createMailbox(owner, id))).toEqual([400, 'INVALID_TARGET'])
  expect(outcome(await createAlias(owner, id, 'info', 'ann@shop.test'))).toEqual([400, 'INVALID_TARGET'])
})

const withEmail = async (email: string): Promise<Client> => {
  const client = await panel.signUp(email.slice(0, email.indexOf('@')))
  await panel.deps.db.update(users).set({ email }).where(eq(users.id, client.user.id))
  return client
}

test('mail to default postmaster and abuse counts too', async () => {
  const { id: domainId } = await addVerifiedDomain(owner, 'roles.test')
  await newMailbox(owner, domainId, { localPart: 'ann' })
  await newMailbox(owner, domainId, { localPart: 'abuse' })
  await newAlias(owner, domainId, 'office', 'postmaster@roles.test')
  const goesOn = async (address: string) => {
    const { decide } = createSendingPolicy(panel.deps)
    const request = { login: undefined, address: '192.0.2.9', recipients: 1, to: [address] }
    for (let time = 0; time < 5; time++) expect(await decide(request)).toBeUndefined()
    return (await decide(request)) !== undefined
  }
  expect(await goesOn('Postmaster+x@roles.test'.toLowerCase())).toBe(true)
  expect(await goesOn('office@roles.test')).toBe(true)
  expect(await goesOn('abuse@roles.test')).toBe(false)
  // A missing address of the domain owner falls back to the oldest mailbox of the domain.
  const lost = await withEmail('lost@own.test')
  const { id } = await addVerifiedDomain(lost, 'own.test')
  await newMailbox(lost, id, { localPart: 'ann' })
  expect(await goesOn('abuse@own.test')).toBe(false)
  await newAlias(lost, id, 'ann', 'someone@elsewhere.example')
  expect(await goesOn('abuse@own.test')).toBe(true)
  await newAlias(lost, id, 'lost', 'ann@roles.test')
  expect(await goesOn('abuse@own.test')).toBe(false)
})

test('an alias loop through the owner’s address ends', async () => {
  const round = await withEmail('me@round.test')
  const { id } = await addVerifiedDomain(round, 'round.test')
  await newMailbox(round, id, { localPart: 'ann' })
  expect(outcome(await createAlias(round, id, 'me', 'postmaster@round.test'))).toEqual([409, 'MAIL_ALIAS_LOOP'])
})

test('autoreplies are limited by mailbox, domain and account and block no sending', async () => {
  const mayReply = createReplyDecision(panel.deps)
  const answers = async (address: string, times: number) => {
    let given = 0
    for (let time = 0; time < times; time++) if (await mayReply({ mailbox: address, sender: address })) given++
    return given
  }
  expect(await answers('Ann+x@shop.test', 2)).toBe(2)
  expect(await answers('ann@shop.test', 50)).toBe(1)
  expect(await answers('ann@plain.test', 50)).toBe(2)
  expect(await answers('ann@rival.test', 2)).toBe(2)
  const { decide } = createSendingPolicy(panel.deps)
  expect(await decide({ login: 'ann@shop.test', address: '192.0.2.1', recipients: 3, to: [] })).toBeUndefined()
})

test('an autoreply uses an allowed sender only', async () => {
  const { id: domainId } = await addVerifiedDomain(owner, 'answers.test')
  for (const localPart of ['ann', 'bea']) await newMailbox(owner, domainId, { localPart })
  await newAlias(owner, domainId, 'sales', 'ann@answers.test')
  await newAlias(owner, domainId, 'bea', 'ann@answers.test')
  await newAlias(owner, domainId, 'partner', 'ann@rival.test')
  const mayReply = createReplyDecision({ ...panel.deps, now: () => new Date(Date.now() + 30_000_000) })
  const requested = [
    ['ann@answers.test', 'Ann+x@answers.test', true],
    ['Ann+x@answers.test', 'ann@answers.test', true],
    ['ann@answers.test', 'sales@answers.test', true],
    ['ann@rival.test', 'partner@answers.test', false],
    ['ann@rival.test', 'ann@answers.test', false],
    ['ann@rival.test', '', false],
    ['bea@answers.test', 'sales@answers.test', false],
    ['bea@answers.test', 'ceo@bank.example', false]
  ] as const
  for (const [mailbox, sender, isGiven] of requested)
    expect([mailbox, sender, await mayReply({ mailbox, sender })]).toEqual([mailbox, sender, isGiven])
})

test('sessions with an old password must log in again', async () => {
  const at = (seconds: number) => new Date(Date.now() + 20_000_000 + seconds * 1_000)
  let now = at(0)
  const deps = { ...panel.deps, now: () => now }
  const { decide } = createSendingPolicy(deps)
  const logIns = createLogInPolicy(deps)
  const send = (address: string) => decide({ login: 'ann@rival.test', address, recipients: 1, to: [] })
  const logIn = (address: string) =>
    logIns.notifyOwner({ login: 'Ann@rival.test', address, passwordHash: '1', service: 'IMAP' }, true)
  logIn('192.0.2.1')
  expect(await send('192.0.2.1')).toBeUndefined()
  const { mailboxes } = (await other.request('GET', '/api/mailboxes')).json<{ mailboxes: { id: string }[] }>()
  const body = { password: 'another horse battery' }
  expect((await other.request('PATCH', `/api/mailboxes/${mailboxes[0]!.id}`, body)).statusCode).toBe(200)
  endedSessions(panel.deps.mailServer).note(['ann@rival.test'], at(1).getTime())
  now = at(2)
  expect(await send('192.0.2.1')).toMatch(/^421 4\.7\.0 /)
  logIn('192.0.2.2')
  expect(await send('192.0.2.2')).toBeUndefined()
  expect(await send('192.0.2.1')).toMatch(/^421 /)
})

test('while the database is down, mail continues within limits', async () => {
  const unavailable = () => {
    throw new Error('away')
  }
  const db = { select: unavailable, execute: unavailable } as unknown as TestPanel['deps']['db']
  const { decide } = createSendingPolicy({ ...panel.deps, db })
  const own = { login: 'ann@shop.test', address: '192.0.2.1', to: ['list@lists.test'] }
  expect(await decide({ ...own, recipients: 3 })).toBeUndefined()
  expect(await decide({ ...own, recipients: 1 })).toMatch(/^450 /)
})

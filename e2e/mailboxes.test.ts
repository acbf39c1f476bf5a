import type { Mailbox, MailStatus } from '@panel/contract/mailboxes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../packages/server/test/support/ports.ts'
import { canLogIn, eventually, openImap, password, readInbox, send } from './mail-servers.harness.ts'
import { type Client, type RunningPanel, startPanel } from './support/panel.ts'

/** From the API to the mail servers and their clients, with nothing in between that is not the product's. */
let panel: RunningPanel
let ports: Record<
  'SMTP' | 'SUBMISSION' | 'SUBMISSIONS' | 'IMAP' | 'IMAPS' | 'MANAGESIEVE' | 'MAIL_AUTH' | 'MAIL_QUOTA' | 'LMTP',
  number
>
let admin: Client
let ann: Client
let annId: string
beforeAll(async () => {
  const names = ['SMTP', 'SUBMISSION', 'SUBMISSIONS', 'IMAP', 'IMAPS', 'MANAGESIEVE', 'MAIL_AUTH', 'MAIL_QUOTA', 'LMTP']
  const chosen = await Promise.all(names.map(async (name) => [name, await freePort()] as const))
  ports = Object.fromEntries(chosen) as typeof ports
  panel = await startPanel({
    MAIL: 'on',
    PANEL_MOCK_DNS: 'true',
    PANEL_DOMAIN: 'panel.test',
    DEFAULT_MAX_MAILBOXES: 'unlimited',
    DEFAULT_MAX_DISK_MB: 'unlimited',
    ...Object.fromEntries(chosen.map(([name, port]) => [`${name}_PORT`, String(port)]))
  })
  admin = await panel.signUp('admin')
  ann = await panel.signUp('ann')
  annId = (await ann.call<{ id: string }>('GET', '/auth/me')).id
})
afterAll(() => panel?.dispose())

let domains = 0
async function newDomain(): Promise<{ id: string; name: string }> {
  const name = `mail${++domains}.example.com`
  const { id } = await ann.call<{ id: string }>('POST', '/domains', { hostname: name })
  await ann.call('POST', `/domains/${id}/verify?mock=true`)
  return { id, name }
}
const newMailbox = (domainId: string, localPart: string, values: object = {}) =>
  ann.call<Mailbox>('POST', '/mailboxes', { domainId, localPart, password, ...values })
const newAlias = (domainId: string, localPart: string, ...targets: string[]) =>
  ann.call<{ id: string }>('POST', '/mail/aliases', { domainId, localPart, targets })
/** From outside, by port 25. */
const deliver = (to: string, subject: string, values: object = {}) =>
  send({ port: ports.SMTP, from: 'bob@elsewhere.example', to, subject, plain: true, ...values })
const subjects = async (user: string) =>
  (await readInbox(ports.IMAPS, user)).map((message) => /^Subject: (.*)\r$/m.exec(message)?.[1])
const arrived = (user: string, subject: string) => eventually(async () => (await subjects(user)).includes(subject))

test('a mailbox that is made logs in, sends, gets mail, and the list says what it holds', async () => {
  const { id, name } = await newDomain()
  for (const localPart of ['ann', 'bea']) await newMailbox(id, localPart)
  expect(await canLogIn(ports.IMAPS, `ann@${name}`)).toBe(true)
  expect(await canLogIn(ports.IMAPS, `ann@${name}`, 'another password')).toBe(false)
  const sent = await send({
    port: ports.SUBMISSION,
    as: `ann@${name}`,
    from: `ann@${name}`,
    to: `bea@${name}`,
    subject: 'first'
  })
  expect(sent.code).toBe(250)
  await arrived(`bea@${name}`, 'first')
  expect((await deliver(`ann@${name}`, 'from outside')).code).toBe(250)
  await arrived(`ann@${name}`, 'from outside')
  expect((await deliver(`nobody@${name}`, 'lost')).code).toBe(550)
  const { mailboxes } = await ann.call<{ mailboxes: Mailbox[] }>('GET', `/mailboxes?domainId=${id}`)
  expect(mailboxes.map(({ address, usage }) => [address, usage?.messages])).toEqual([
    [`ann@${name}`, 1],
    [`bea@${name}`, 1]
  ])
})

test('another password ends the session of the one before; without log-in, mail still comes in', async () => {
  const { id, name } = await newDomain()
  const mailbox = await newMailbox(id, 'ann')
  const session = await openImap(ports.IMAPS, mailbox.address)
  const ended = new Promise((resolve) => session.once('close', () => resolve(undefined)))
  await ann.call('PATCH', `/mailboxes/${mailbox.id}`, { password: 'quite another one' })
  await ended
  expect(await canLogIn(ports.IMAPS, mailbox.address)).toBe(false)
  expect(await canLogIn(ports.IMAPS, mailbox.address, 'quite another one')).toBe(true)
  await ann.call('PATCH', `/mailboxes/${mailbox.id}`, { password, enabled: false })
  expect(await canLogIn(ports.IMAPS, mailbox.address)).toBe(false)
  expect((await deliver(`ann@${name}`, 'meanwhile')).code).toBe(250)
  await ann.call('PATCH', `/mailboxes/${mailbox.id}`, { enabled: true })
  await arrived(mailbox.address, 'meanwhile')
})

test('aliases, the catch-all and postmaster lead where they shall', async () => {
  const { id, name } = await newDomain()
  await newMailbox(id, 'ann')
  await newMailbox(id, 'bea')
  await newAlias(id, 'sales', `ann@${name}`, `bea@${name}`)
  expect((await deliver(`sales@${name}`, 'to both')).code).toBe(250)
  for (const localPart of ['ann', 'bea']) await arrived(`${localPart}@${name}`, 'to both')
  const { id: catchAll } = await newAlias(id, '*', `bea@${name}`)
  expect((await deliver(`anybody@${name}`, 'caught')).code).toBe(250)
  await arrived(`bea@${name}`, 'caught')
  expect((await deliver(`ann@${name}`, 'not caught')).code).toBe(250)
  await arrived(`ann@${name}`, 'not caught')
  expect(await subjects(`bea@${name}`)).not.toContain('not caught')
  await ann.call('DELETE', `/mail/aliases/${catchAll}`)
  expect((await deliver(`anybody@${name}`, 'lost')).code).toBe(550)
  // It leads to the account, which is elsewhere; that it is taken is all that can be seen here.
  expect((await deliver(`postmaster@${name}`, 'to the owner')).code).toBe(250)
})

test('out of office: the sender is answered with the text as it is', async () => {
  const { id } = await newDomain()
  const [away, sender] = [await newMailbox(id, 'away'), await newMailbox(id, 'sender')]
  const text = 'I am "away" \\ until Monday.\n.\n";\ndiscard;'
  await ann.call('PUT', `/mailboxes/${away.id}/autoreply`, { subject: 'Away', text })
  const sending = { port: ports.SUBMISSION, as: sender.address, from: sender.address, to: away.address }
  expect((await send({ ...sending, subject: 'are you there' })).code).toBe(250)
  await arrived(sender.address, 'Away')
  const [reply] = await readInbox(ports.IMAPS, sender.address)
  expect(reply!.split('\r\n\r\n').slice(1).join('\r\n\r\n').trimEnd()).toBe(text.replaceAll('\n', '\r\n'))
  await arrived(away.address, 'are you there')
})

describe('deleting', () => {
  test('a mailbox: nobody has its address or its mail, and restored it has both', async () => {
    const { id, name } = await newDomain()
    await newMailbox(id, 'other')
    const mailbox = await newMailbox(id, 'ann')
    await deliver(mailbox.address, 'an old message')
    await arrived(mailbox.address, 'an old message')
    await ann.call('DELETE', `/mailboxes/${mailbox.id}`)
    expect(await canLogIn(ports.IMAPS, mailbox.address)).toBe(false)
    expect((await deliver(mailbox.address, 'too late')).code).toBe(550)
    const next = await newMailbox(id, 'ann')
    expect(await subjects(mailbox.address)).toEqual([])
    await deliver(mailbox.address, 'a new message')
    await arrived(mailbox.address, 'a new message')
    await ann.call('DELETE', `/mailboxes/${next.id}`)
    await ann.call('POST', `/mail/deleted-mailboxes/${mailbox.id}/restore`)
    expect(await subjects(`ann@${name}`)).toEqual(['an old message'])
  })

  test('a domain: its mail is nobody’s here, and comes back with it', async () => {
    const { id, name } = await newDomain()
    const mailbox = await newMailbox(id, 'ann')
    await deliver(mailbox.address, 'an old message')
    await arrived(mailbox.address, 'an old message')
    await ann.call('DELETE', `/domains/${id}`)
    expect(await canLogIn(ports.IMAPS, mailbox.address)).toBe(false)
    // Its mailboxes go first (550), then the domain, and mail to it would be relayed.
    await expect.poll(() => deliver(mailbox.address, 'too late')).toMatchObject({ code: 554 })
    const again = await ann.call<{ id: string }>('POST', '/domains', { hostname: name })
    await ann.call('POST', `/domains/${again.id}/verify?mock=true`)
    await ann.call('POST', `/mail/deleted-mailboxes/${mailbox.id}/restore`)
    expect(await subjects(mailbox.address)).toEqual(['an old message'])
  })

  test(
    'killed at any moment of it, the panel loses no mail and shows it to no other',
    { timeout: 180_000 },
    async () => {
      const { id } = await newDomain()
      let mailbox = await newMailbox(id, 'ann')
      const all = new Map<string, string>()
      for (const delayMs of [0, 20, 60]) {
        await deliver(mailbox.address, `of ${mailbox.id}`)
        await arrived(mailbox.address, `of ${mailbox.id}`)
        all.set(mailbox.id, `of ${mailbox.id}`)
        const deleting = ann.request('DELETE', `/mailboxes/${mailbox.id}`).catch(() => undefined)
        await new Promise((resolve) => setTimeout(resolve, delayMs))
        await panel.kill()
        await deleting
        await panel.start()
        const { status } = await ann.request('DELETE', `/mailboxes/${mailbox.id}`)
        expect([200, 404]).toContain(status)
        mailbox = await newMailbox(id, 'ann')
        expect(await eventually(() => subjects(mailbox.address).then((found) => found.length === 0 && 'empty'))).toBe(
          'empty'
        )
      }
      await ann.call('DELETE', `/mailboxes/${mailbox.id}`)
      for (const [mailboxId, subject] of all) {
        const restored = await ann.call<Mailbox>('POST', `/mail/deleted-mailboxes/${mailboxId}/restore`)
        expect(await subjects(restored.address)).toEqual([subject])
        await ann.call('DELETE', `/mailboxes/${mailboxId}`)
      }
    }
  )
})

test('a suspended account neither logs in nor sends; mail to it waits', async () => {
  const { id } = await newDomain()
  const mailbox = await newMailbox(id, 'ann')
  await admin.call('POST', `/users/${annId}/suspend`)
  try {
    expect(await canLogIn(ports.IMAPS, mailbox.address)).toBe(false)
    expect((await deliver(mailbox.address, 'later')).code).toBe(450)
  } finally {
    await admin.call('POST', `/users/${annId}/resume`)
  }
  await expect.poll(() => deliver(mailbox.address, 'later')).toMatchObject({ code: 250 })
  await arrived(mailbox.address, 'later')
})

test('status: everything answers, with TLS before any password', async () => {
  expect(await admin.call<MailStatus>('GET', '/mail/status')).toMatchObject({
    status: 'running',
    port25Open: true,
    port465Open: true,
    port587Open: true,
    tlsEnforced: true,
    imap: { status: 'running', port143Open: true, port993Open: true, tlsEnforced: true, saslAuthConnected: true }
  })
})

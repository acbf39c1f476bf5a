import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Mailbox, MailStatus } from '@panel/contract/mailboxes'
import { createTransport } from 'nodemailer'
import { beforeAll, describe, expect, test } from 'vitest'
import { canLogIn, eventually, openImap, password, readInbox, send } from './servers.harness.ts'
import type { MailPorts } from '../support/mail-panel.ts'
import type { Client, RunningPanel } from '../support/panel.ts'
import { sharedWorld, type World } from '../support/shared-world.ts'
import { sClient } from '../support/tls-clients.ts'

const execute = promisify(execFile)

let world: World
let panel: RunningPanel
let ports: MailPorts
let ann: Client
let annId: string
beforeAll(async () => {
  world = await sharedWorld()
  ;({ panel, ports } = world)
  ann = await panel.signUp()
  annId = (await ann.call<{ id: string }>('GET', '/auth/me')).id
})

async function newDomain(): Promise<{ id: string; name: string }> {
  const { id, hostname } = await world.addManaged(world.newName('mail'), ann)
  return { id, name: hostname }
}
const newMailbox = (domainId: string, localPart: string, values: object = {}) =>
  ann.call<Mailbox>('POST', '/mailboxes', { domainId, localPart, password, ...values })
const deliver = (to: string, subject: string, values: object = {}) =>
  send({ port: ports.SMTP, from: 'bob@elsewhere.example', to, subject, plain: true, ...values })
const subjects = async (user: string) =>
  (await readInbox(ports.IMAPS, user)).map((message) => /^Subject: (.*)\r$/m.exec(message)?.[1])
const arrived = (user: string, subject: string) => eventually(async () => (await subjects(user)).includes(subject))

test('a new password ends sessions that read or send; with login disabled, mail still arrives', async () => {
  const { id, name } = await newDomain()
  const mailbox = await newMailbox(id, 'ann')
  const session = await openImap(ports.IMAPS, mailbox.address)
  const ended = new Promise((resolve) => session.once('close', () => resolve(undefined)))
  const transport = createTransport({
    host: '127.0.0.1',
    port: ports.SUBMISSION,
    pool: true,
    maxConnections: 1,
    auth: { user: mailbox.address, pass: password },
    tls: { rejectUnauthorized: false }
  })
  try {
    const message = { from: mailbox.address, to: mailbox.address, subject: 'again', text: 'hello' }
    await transport.sendMail(message)
    await ann.call('PATCH', `/mailboxes/${mailbox.id}`, { password: 'quite another one' })
    await ended
    const code = expect.toBeOneOf([421, 535]) as number
    await expect(transport.sendMail(message)).rejects.toMatchObject({ responseCode: code })
  } finally {
    transport.close()
  }
  expect(await canLogIn(ports.IMAPS, mailbox.address)).toBe(false)
  expect(await canLogIn(ports.IMAPS, mailbox.address, 'quite another one')).toBe(true)
  await ann.call('PATCH', `/mailboxes/${mailbox.id}`, { password, enabled: false })
  expect(await canLogIn(ports.IMAPS, mailbox.address)).toBe(false)
  expect((await deliver(`ann@${name}`, 'meanwhile')).code).toBe(250)
  await ann.call('PATCH', `/mailboxes/${mailbox.id}`, { enabled: true })
  await arrived(mailbox.address, 'meanwhile')
})

async function swaks(port: number, user: string, pass: string, to: string, ...args: string[]): Promise<string> {
  const argv = ['--server', '127.0.0.1', '--port', String(port), '--from', user, '--to', to, '--timeout', '30', ...args]
  const logIn = ['--auth', 'PLAIN', '--auth-user', user, '--auth-password', pass]
  return execute('swaks', [...argv, ...logIn]).then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }: { stdout: string; stderr: string }) => stdout + stderr
  )
}

test('swaks can send only with TLS and login; openssl sees TLS on every port', async () => {
  const { id, name } = await newDomain()
  const address = (await newMailbox(id, 'ann')).address
  const sent = await swaks(ports.SUBMISSION, address, password, address, '--tls', '--header', 'Subject: by swaks')
  expect(sent).toMatch(/<~ {2}250 2\.0\.0 Ok: queued/)
  expect(await swaks(ports.SUBMISSION, address, password, address)).toMatch(/Host did not advertise authentication/)
  expect(await arrived(address, 'by swaks')).toBe(true)
  for (const [port, ...starttls] of [
    [ports.SMTP, '-starttls', 'smtp'],
    [ports.SUBMISSION, '-starttls', 'smtp'],
    [ports.SUBMISSIONS],
    [ports.IMAP, '-starttls', 'imap'],
    [ports.IMAPS],
    [ports.MANAGESIEVE, '-starttls', 'sieve']
  ] as const) {
    const { output } = await sClient(port, `mail.${name}`, ...starttls)
    expect(output).toMatch(/New, TLSv1\.3/)
    expect((await sClient(port, `mail.${name}`, ...starttls, '-tls1_1')).output).toMatch(
      /no protocols available|alert|Cipher is \(NONE\)/
    )
  }
})

test('the autoreply is sent with its exact text', async () => {
  const { id } = await newDomain()
  const [unavailable, sender] = [await newMailbox(id, 'away'), await newMailbox(id, 'sender')]
  const text = 'I am "away" \\ until Monday.\n.\n";\ndiscard;'
  await ann.call('PUT', `/mailboxes/${unavailable.id}/autoreply`, { subject: 'Away', text })
  const sending = { port: ports.SUBMISSION, as: sender.address, from: sender.address, to: unavailable.address }
  expect((await send({ ...sending, subject: 'are you there' })).code).toBe(250)
  await arrived(sender.address, 'Away')
  const [reply] = await readInbox(ports.IMAPS, sender.address)
  expect(reply!.split('\r\n\r\n').slice(1).join('\r\n\r\n').trimEnd()).toBe(text.replaceAll('\n', '\r\n'))
  await arrived(unavailable.address, 'are you there')
})

describe('deleting', () => {
  test('a mailbox: address and mail are inaccessible, and restoring brings both back', async () => {
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

  test('a domain: its mail is inaccessible and returns with it', async () => {
    const { id, name } = await newDomain()
    const mailbox = await newMailbox(id, 'ann')
    await deliver(mailbox.address, 'an old message')
    await arrived(mailbox.address, 'an old message')
    await ann.call('DELETE', `/domains/${id}`)
    expect(await canLogIn(ports.IMAPS, mailbox.address)).toBe(false)
    // The mailboxes are removed first (550), then the domain, after which mail would be relayed.
    await expect.poll(() => deliver(mailbox.address, 'too late')).toMatchObject({ code: 554 })
    await world.dns.addDomain(ann, name)
    await ann.call('POST', `/mail/deleted-mailboxes/${mailbox.id}/restore`)
    expect(await subjects(mailbox.address)).toEqual(['an old message'])
  })

  test('a kill at any moment loses no mail and exposes none', async () => {
    const { id } = await newDomain()
    let mailbox = await newMailbox(id, 'ann')
    const all = new Map<string, string>()
    for (const delayMs of [0, 40]) {
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
      await expect.poll(() => subjects(mailbox.address)).toEqual([])
    }
    await ann.call('DELETE', `/mailboxes/${mailbox.id}`)
    for (const [mailboxId, subject] of all) {
      const restored = await ann.call<Mailbox>('POST', `/mail/deleted-mailboxes/${mailboxId}/restore`)
      expect(await subjects(restored.address)).toEqual([subject])
      await ann.call('DELETE', `/mailboxes/${mailboxId}`)
    }
  })
})

test('a suspended account cannot log in or send; its mail waits', async () => {
  const { id } = await newDomain()
  const mailbox = await newMailbox(id, 'ann')
  await world.ann.call('POST', `/users/${annId}/suspend`)
  try {
    await expect.poll(() => canLogIn(ports.IMAPS, mailbox.address)).toBe(false)
    await expect.poll(() => deliver(mailbox.address, 'later')).toMatchObject({ code: 450 })
  } finally {
    await world.ann.call('POST', `/users/${annId}/resume`)
  }
  await expect.poll(() => deliver(mailbox.address, 'later')).toMatchObject({ code: 250 })
  await arrived(mailbox.address, 'later')
})

test('status: everything is up, with TLS before passwords', async () => {
  expect(await world.ann.call<MailStatus>('GET', '/mail/status')).toMatchObject({
    status: 'running',
    port25Open: true,
    port465Open: true,
    port587Open: true,
    tlsEnforced: true,
    imap: { status: 'running', port143Open: true, port993Open: true, tlsEnforced: true, saslAuthConnected: true }
  })
})

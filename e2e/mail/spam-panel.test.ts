import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { MailQueueList } from '@panel/contract/mail-queue'
import type { Mailbox, MailStatus } from '@panel/contract/mailboxes'
import type { SpamSettings } from '@panel/contract/mail-spam'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mailPaths } from '../../packages/server/src/infra/mail-server/mail-paths.ts'
import { processesIn } from '../../packages/server/src/infra/process/processes-in.ts'
import { mailDirectories } from '../../packages/server/src/process/paths.ts'
import { eventually, openImap, openSmtp, password, readInbox, send } from './servers.harness.ts'
import { type MailPorts, startMailPanel } from '../support/mail-panel.ts'
import type { Client, RunningPanel } from '../support/panel.ts'
import { kill } from '../support/processes.ts'

let panel: RunningPanel
let ports: MailPorts
let admin: Client
let ann: Client
let bob: Client
let domainId: string
const notices: string[] = []
const notifier = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  onData(stream, _session, done) {
    let text = ''
    stream.setEncoding('utf8')
    stream.on('data', (chunk: string) => (text += chunk))
    stream.on('end', () => {
      notices.push(text)
      done()
    })
  }
})
beforeAll(async () => {
  const server = notifier.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const env = {
    MAIL_SPAM_FILTER: 'on',
    MAIL_SPAM_LOOKUPS: 'off',
    MAIL_GREYLIST_SECONDS: '1',
    SMTP_URL: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  ;({ panel, ports } = await startMailPanel(env))
  admin = await panel.signUp('admin')
  ann = await panel.signUp('ann')
  bob = await panel.signUp('bob')
  domainId = (await ann.call<{ id: string }>('POST', '/domains', { hostname: 'filtered.example' })).id
  await ann.call('POST', `/domains/${domainId}/verify?mock=true`)
  for (const localPart of ['ann', 'bea'])
    await ann.call<Mailbox>('POST', '/mailboxes', { domainId, localPart, password })
})
afterAll(async () => {
  await panel?.dispose()
  notifier.close()
})

const gtube = 'XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X'
const deliver = (subject: string, more: Partial<Parameters<typeof send>[0]> = {}) =>
  send({ port: ports.SMTP, from: 'eve@elsewhere.example', to: 'ann@filtered.example', subject, plain: true, ...more })
const isIn = async (folder: string, wanted: string) => {
  const client = await openImap(ports.IMAPS, 'ann@filtered.example')
  try {
    await client.mailboxOpen(folder)
    return (await client.search({ subject: wanted })) || []
  } finally {
    await client.logout()
  }
}
const arrivesIn = (folder: string, subject: string) => eventually(async () => (await isIn(folder, subject)).length > 0)
const filterStatus = async () => (await ann.call<MailStatus>('GET', '/mail/status')).spamFilter.status
const change = (input: object) => ann.call<SpamSettings>('PATCH', `/mail/spam/${domainId}`, input)

test('the panel runs the filter, and settings apply from the next message', async () => {
  await eventually(async () => (await filterStatus()) === 'running')
  expect((await deliver('body', { text: gtube })).code).toBe(554)
  expect(await deliver('first')).toMatchObject({ code: 250 })
  await arrivesIn('INBOX', 'first')
  expect(await change({ deny: ['elsewhere.example'] })).toMatchObject({ deny: ['elsewhere.example'], junkScore: 6 })
  expect((await deliver('denied')).code).toBe(554)
  // The spam test pattern scores 500 points.
  await change({ deny: [], refuseScore: 1000, greylisting: false })
  expect((await deliver(gtube)).code).toBe(250)
  await arrivesIn('Junk', gtube)
  await change({ refuseScore: 15 })
  expect((await deliver(gtube)).code).toBe(554)
  await change({ allow: ['eve@elsewhere.example'] })
  expect((await deliver('allowed')).code).toBe(250)
  await change({ enabled: false })
  expect((await deliver(`${gtube} unfiltered`)).code).toBe(250)
  await arrivesIn('INBOX', `${gtube} unfiltered`)
  await change({ enabled: true, allow: [] })
})

test('another account’s settings are not found', async () => {
  expect((await bob.request('GET', `/mail/spam/${domainId}`)).status).toBe(404)
  expect((await bob.request('PATCH', `/mail/spam/${domainId}`, { enabled: false })).status).toBe(404)
  expect(await ann.call<SpamSettings>('GET', `/mail/spam/${domainId}`)).toMatchObject({ enabled: true })
})

test('spam of a login is held with the reason, and its owner is notified', async () => {
  const from = 'bea@filtered.example'
  const sent = await send({ port: ports.SUBMISSION, as: from, from, to: 'x@elsewhere.example', subject: gtube })
  expect(sent.code).toBe(250)
  const { messages } = await admin.call<MailQueueList>('GET', '/mail/queue?flagged=held')
  expect(messages).toMatchObject([
    {
      sender: from,
      flagged: 'held',
      reason: expect.stringMatching(/^Held by the spam filter: mail from bea@.*PANEL_TEST/)
    }
  ])
  await eventually(async () => notices.some((text) => /^Subject: Mail held as spam: bea@filtered\.example/m.test(text)))
  await admin.call('POST', `/mail/queue/${messages[0]!.queueId}/delete`)
})

test('limits apply to mailbox, domain, account, forwarded mail and autoreplies', async () => {
  const own = (localPart: string, domain = 'filtered.example') => `${localPart}@${domain}`
  const newDomain = async (client: Client, hostname: string) => {
    const { id } = await client.call<{ id: string }>('POST', '/domains', { hostname })
    await client.call('POST', `/domains/${id}/verify?mock=true`)
    return id
  }
  const newMailbox = (client: Client, id: string, localPart: string) =>
    client.call<Mailbox>('POST', '/mailboxes', { domainId: id, localPart, password })
  const newAlias = (localPart: string, ...targets: string[]) =>
    ann.call('POST', '/mail/aliases', { domainId, localPart, targets })
  const [secondId, othersId] = [await newDomain(ann, 'second.example'), await newDomain(bob, 'others.example')]
  for (const localPart of ['carl', 'dora']) await newMailbox(ann, domainId, localPart)
  await newMailbox(ann, secondId, 'eve')
  const unavailable = await newMailbox(ann, domainId, 'gone')
  await ann.call('PUT', `/mailboxes/${unavailable.id}/autoreply`, { text: 'I am away.' })
  await newMailbox(bob, othersId, 'bob')
  await bob.call('POST', '/mail/aliases', { domainId: othersId, localPart: '*', targets: ['bob@others.example'] })
  await newAlias('on', 'someone@elsewhere.example')
  await newAlias('all', ...Array.from({ length: 6 }, (_, index) => `m${index}@elsewhere.example`))
  const variables = { MAIL_HOURLY_MAILBOX: 4, MAIL_HOURLY_DOMAIN: 5, MAIL_HOURLY_ACCOUNT: 7 }
  await admin.call('PUT', '/system/settings', { variables })

  const write = async (from: string, to: string | string[] = 'bob@others.example') =>
    (await send({ port: ports.SUBMISSION, as: from, from, to })).code
  const times = async (count: number, work: () => Promise<number>) => {
    const codes: number[] = []
    for (let time = 0; time < count; time++) codes.push(await work())
    return codes
  }
  expect(await times(5, () => write(own('carl')))).toEqual([250, 250, 250, 250, 450])
  expect(await times(2, () => write(own('dora')))).toEqual([450, 450])
  expect(await times(3, () => write(own('eve', 'second.example')))).toEqual([250, 250, 450])
  expect(await times(2, () => write('bob@others.example'))).toEqual([250, 250])
  const many = Array.from({ length: 5 }, (_, index) => `m${index}@others.example`)
  expect(await write('bob@others.example', many)).toBe(554)
  await eventually(async () => notices.some((text) => /^Subject: .*carl@filtered\.example/m.test(text)))
  expect(notices.filter((text) => /^Subject: .*carl@filtered\.example/m.test(text))).toHaveLength(1)

  // Recipients are counted per message, so naming one address 1,000 times is cheap.
  await nameRecipients(own('on'), 500)
  await change({ greylisting: false })
  expect(await times(6, async () => (await deliver('on', { to: own('on') })).code)).toEqual([
    250, 250, 250, 250, 250, 450
  ])
  expect((await deliver('all', { to: own('all') })).code).toBe(554)
  expect((await deliver('both', { to: [own('ann'), own('on')] })).code).toBe(450)
  expect((await deliver('ann alone')).code).toBe(250)

  for (let index = 0; index < 8; index++)
    expect((await deliver(`forged ${index}`, { from: `s${index}@others.example`, to: own('gone') })).code).toBe(250)
  const inboxOf = (address: string) => readInbox(ports.IMAPS, address)
  await eventually(async () => (await inboxOf(own('gone'))).length === 8)
  const answers = async () => (await inboxOf('bob@others.example')).filter((text) => text.includes('I am away.')).length
  await eventually(async () => (await answers()) === 4)
  expect((await deliver('one more', { from: 's9@others.example', to: own('gone') })).code).toBe(250)
  await eventually(async () => (await inboxOf(own('gone'))).length === 9)
  expect(await answers()).toBe(4)
  await admin.call('PUT', '/system/settings', {
    variables: { MAIL_HOURLY_MAILBOX: null, MAIL_HOURLY_DOMAIN: null, MAIL_HOURLY_ACCOUNT: null }
  })
})

async function nameRecipients(address: string, count: number): Promise<void> {
  const { say, close } = await openSmtp(ports.SMTP)
  for (let named = 0; named < count; named++) {
    if (named % 10 === 0) for (const line of ['RSET', 'MAIL FROM:<eve@elsewhere.example>']) await say(line)
    expect(await say(`RCPT TO:<${address}>`)).toMatch(/^250 /)
  }
  close()
}

test('a killed filter blocks nothing and is restarted', async () => {
  const { filter } = mailPaths(await mailDirectories({ DATA_DIR: panel.dataDir }))
  const before = await processesIn(filter.data)
  for (const pid of before) kill(pid, 'SIGKILL')
  expect((await deliver('meanwhile')).code).toBe(250)
  await arrivesIn('INBOX', 'meanwhile')
  await expect.poll(async () => (await deliver('again', { text: gtube })).code).toBe(554)
  expect(await processesIn(filter.data)).not.toEqual(expect.arrayContaining(before))
  await eventually(async () => (await filterStatus()) === 'running')
})

import { randomInt } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { Delivery, DeliveryLog } from '@panel/contract/delivery-log'
import type { MailQueueList, QueueMessage } from '@panel/contract/mail-queue'
import { type MailPaths, mailPaths } from '../../packages/server/src/infra/mail-server/mail-paths.ts'
import { run } from '../../packages/server/src/infra/process/run.ts'
import { mailDirectories } from '../../packages/server/src/process/paths.ts'
import { startSmtpSink } from '../../packages/server/test/support/smtp-sink.ts'
import { eventually, password, send } from './servers.harness.ts'
import type { MailPorts } from '../support/mail-panel.ts'
import type { Client } from '../support/panel.ts'
import { sharedWorld } from '../support/shared-world.ts'

let admin: Client
let ports: MailPorts
let postfix: MailPaths['postfix']
/** An otherwise unused loopback address for a server that a test starts. */
const hop = `127.77.${randomInt(1, 255)}.${randomInt(1, 255)}`
const bob = `bob@[${hop}]`
let domain: string
let ann: string

beforeAll(async () => {
  const world = await sharedWorld()
  ports = world.ports
  postfix = mailPaths(await mailDirectories({ DATA_DIR: world.panel.dataDir })).postfix
  admin = world.ann
  const { id, hostname } = await world.addManaged(world.newName('queue'))
  domain = hostname
  ann = `ann@${domain}`
  await admin.call('POST', '/mailboxes', { domainId: id, localPart: 'ann', password, quota: 10 })
})

async function sendToBob(subject: string): Promise<string> {
  const { text } = await send({ port: ports.SUBMISSION, as: ann, from: ann, to: bob, subject })
  const id = /queued as (\w+)/.exec(text)?.[1]
  if (id === undefined) throw new Error(text)
  return id
}
/** Messages to this test's server only, as other files share the queue. */
const list = (query = '') =>
  admin.call<MailQueueList>('GET', `/mail/queue?limit=100&search=${encodeURIComponent(`[${hop}]`)}${query}`)
const find = async (id: string): Promise<QueueMessage | undefined> =>
  (await list()).messages.find(({ queueId }) => queueId === id)
const waiting = (id: string) =>
  eventually(async () => {
    const message = await find(id)
    return message?.flagged === 'none' && message.reason !== null && message
  })
const action = (id: string, operation: string) => admin.request('POST', `/mail/queue/${id}/${operation}`)
const gone = (id: string) => eventually(async () => (await find(id)) === undefined)
const deliveries = async (query: string): Promise<Delivery[]> =>
  (await admin.call<DeliveryLog>('GET', `/mail/logs?limit=200&${query}`)).deliveries

test('a deferred message shows its reason and can be managed', async () => {
  const [held, tried, other] = await Promise.all(['held', 'tried', 'other'].map(sendToBob))
  const message = await waiting(held!)
  expect(message).toMatchObject({
    flagged: 'none',
    sender: ann,
    recipients: [{ address: bob, reason: message.reason }],
    recipientCount: 1,
    reason: expect.stringMatching(/Connection refused/) as string
  })
  await Promise.all([tried!, other!].map(waiting))
  expect((await list()).pagination.total).toBe(3)

  expect((await action(held!, 'hold')).status).toBe(200)
  expect((await list('&flagged=held')).messages.map(({ queueId }) => queueId)).toEqual([held])
  expect((await action(held!, 'hold')).status).toBe(200)
  expect((await action(held!, 'flush')).status).toBe(409)

  const sink = await startSmtpSink(hop, 25)
  try {
    const arrived = () => sink.received.map(({ data }) => /^Subject: (.*)$/m.exec(data)?.[1])
    expect((await action(tried!, 'flush')).status).toBe(200)
    await gone(tried!)
    expect(arrived()).toEqual(['tried'])
    expect((await admin.request('POST', '/mail/queue/flush')).status).toBe(200)
    await gone(other!)
    expect(arrived()).toEqual(['tried', 'other'])

    expect((await action(held!, 'release')).status).toBe(200)
    expect((await find(held!))?.flagged).not.toBe('held')
    expect((await action(held!, 'flush')).status).toBe(200)
    await gone(held!)
    expect(arrived()).toEqual(['tried', 'other', 'held'])
    expect((await list()).pagination.total).toBe(0)
    expect((await action(held!, 'release')).status).toBe(404)
  } finally {
    await sink.close()
  }

  const unwanted = await sendToBob('unwanted')
  await waiting(unwanted)
  expect((await action(unwanted, 'delete')).status).toBe(200)
  expect((await list()).messages).toEqual([])
  expect((await action(unwanted, 'delete')).status).toBe(404)
  expect((await action('ALL', 'delete')).status).toBe(404)
})

test('the log shows sent, deferred, bounced and refused mail, also after rotation', async () => {
  const waited = await sendToBob('waited')
  await waiting(waited)
  const sink = await startSmtpSink(hop, 25)
  try {
    await action(waited, 'flush')
    await gone(waited)
    sink.refuse = true
    sink.refusal = '550 5.1.1 Nobody of that name (status=sent)'
    const returned = await sendToBob('returned')
    await gone(returned)

    const refused = await send({
      port: ports.SMTP,
      from: 'eve@elsewhere.example',
      to: `nobody@${domain}`,
      plain: true
    })
    expect(refused.code).toBe(550)

    const all = await eventually(async () => {
      const found = await deliveries(`domain=${domain}`)
      const isThere = (status: string, recipient: string) =>
        found.some((one) => one.status === status && one.recipient === recipient)
      return isThere('success', ann) && isThere('rejected', `nobody@${domain}`) && found
    })
    const of = (id: string) => all.filter(({ queueId }) => queueId === id)
    expect(of(waited).map(({ status, sender, recipient }) => [status, sender, recipient])).toEqual([
      ['success', ann, bob],
      ['deferred', ann, bob]
    ])
    expect(of(waited)[1]).toMatchObject({ relay: null, reason: expect.stringMatching(/Connection refused/) as string })
    expect(of(returned)).toMatchObject([
      {
        status: 'bounced',
        sender: ann,
        recipient: bob,
        relay: `${hop}[${hop}]:25`,
        reason: expect.stringContaining('550 5.1.1 Nobody of that name (status=sent)') as string
      }
    ])
    expect(all.find(({ recipient }) => recipient === ann)).toMatchObject({ status: 'success', sender: '' })
    expect(all.find(({ status }) => status === 'rejected')).toMatchObject({
      sender: 'eve@elsewhere.example',
      recipient: `nobody@${domain}`,
      queueId: null,
      relay: expect.stringContaining('[127.0.0.1]') as string,
      reason: expect.stringMatching(/^550 5\.1\.1 .*User unknown/) as string
    })
    // Log times have no zone, so check the hour.
    for (const { at } of all) expect(Math.abs(Date.now() - Date.parse(at))).toBeLessThan(3_600_000)

    expect((await deliveries(`mailbox=${ann}&status=bounced`)).map(({ queueId }) => queueId)).toEqual([returned])
    const before = await deliveries('')
    await run(['postfix', '-c', postfix.directory, 'logrotate'], { timeoutMs: 120_000 })
    expect((await deliveries('')).slice(-before.length)).toEqual(before)
  } finally {
    await sink.close()
  }
})

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Resolver } from 'node:dns/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { authenticate } from 'mailauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DeliveryTest } from '@panel/contract/delivery-tests'
import type { MailQueueList, QueueMessage } from '@panel/contract/mail-queue'
import { eventually, openSmtp, password, readInbox, send } from './servers.harness.ts'
import { connectMachines, createMachine, type Machine } from '../support/machine.ts'
import { type Client, type RunningPanel, startPanel } from '../support/panel.ts'

/**
 * Two panels on two machines with a cable between them, and all as it is by default: port 25, 587 and 993, and names from our own name servers
 * alone, on port 53. Nothing tells one of the other but the DNS.
 */
interface Host {
  machine: Machine
  panel: RunningPanel
  admin: Client
  /** On the cable, where the world has it. */
  address: string
  domain: string
  domainId: string
  /** As its servers greet. */
  mailHost: string
  user: string
  mailboxId: string
}
const nobodysImage = 'node:20-bookworm-slim'

let machines: Machine[] = []
let hosts: Host[] = []
let one: Host
let two: Host
let directory: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'mail-hosts-'))
  machines = [await createMachine([]), await createMachine([])]
  const addresses = await connectMachines(machines[0]!, machines[1]!)
  // A server that knows nothing of a name refuses it, and the next one is asked.
  const resolvers = join(directory, 'resolv.conf')
  await writeFile(
    resolvers,
    addresses.map((address) => `nameserver ${address}\n`).join('') + 'options timeout:2 attempts:1\n'
  )
  hosts = await Promise.all(machines.map((machine, index) => startHost(machine, index, addresses, resolvers)))
  ;[one, two] = hosts as [Host, Host]
})
afterAll(async () => {
  await Promise.all(hosts.map(({ panel }) => panel.dispose()))
  await Promise.all(machines.map((machine) => machine.remove()))
  await rm(directory, { recursive: true, force: true })
})

async function startHost(
  machine: Machine,
  index: number,
  addresses: readonly string[],
  resolvers: string
): Promise<Host> {
  await machine.run('mount', '--bind', resolvers, '/etc/resolv.conf')
  const [name, address] = [['one', 'two'][index]!, addresses[index]!]
  const zone = `${name}-hosting.example.net`
  const images = ['NODE', 'STATIC', 'PYTHON', 'PHP', 'COMPILERS'].map((kind) => [`BUILD_IMAGE_${kind}`, nobodysImage])
  const panel = await startPanel(
    {
      MAIL: 'on',
      PANEL_MOCK_DNS: 'true',
      PANEL_DOMAIN: `panel.${zone}`,
      PUBLIC_IP: address,
      DNS_PORT: '53',
      DNS_RESOLVERS: addresses.join(','),
      DNS_NAMESERVERS: `ns1.${zone},ns2.${zone}`,
      // No site and no database of one is of any account here.
      ...Object.fromEntries(images),
      POSTGRES_ADMIN_URL: 'postgresql://nobody@127.0.0.1:9/postgres',
      MYSQL_ADMIN_URL: 'mysql://nobody@127.0.0.1:9/'
    },
    machine
  )
  const admin = await panel.signUp('admin')
  const managed = async (hostname: string) => {
    const { id } = await admin.call<{ id: string }>('POST', '/domains', { hostname })
    await admin.call('POST', `/domains/${id}/verify?mock=true`)
    await admin.call('PATCH', `/domains/${id}/dns-mode`, { mode: 'MANAGED', skipDelegationCheck: true })
    return id
  }
  // Of the mail host of the panel itself.
  const record = { type: 'A', name: 'mail.panel', value: address }
  await admin.call('POST', `/domains/${await managed(zone)}/dns`, record)
  const domain = `${name}-shop.example.com`
  const domainId = await managed(domain)
  const mailbox = await admin.call<{ id: string }>('POST', '/mailboxes', { domainId, localPart: name, password })
  const mailHost = `mail.panel.${zone}`
  return {
    machine,
    panel,
    admin,
    address,
    domain,
    domainId,
    mailHost,
    user: `${name}@${domain}`,
    mailboxId: mailbox.id
  }
}

/** As a resolver asks: the one that has the zone answers, the other refuses. */
const ask = (name: string, type: string) =>
  Promise.any(
    hosts.map(({ machine }) => {
      const resolver = new Resolver({ timeout: 5_000, tries: 1 })
      resolver.setServers([machine.address])
      return resolver.resolve(name, type as 'TXT')
    })
  ).catch((error: AggregateError) => Promise.reject(error.errors[0] as Error))
const post = async (from: Host, to: Host, subject: string): Promise<string> => {
  const { text } = await send({
    host: from.machine.address,
    port: 587,
    as: from.user,
    from: from.user,
    to: to.user,
    subject
  })
  const id = /queued as (\w+)/.exec(text)?.[1]
  if (id === undefined) throw new Error(text)
  return id
}
const inbox = (host: Host) => readInbox(993, host.user, 'INBOX', { host: host.machine.address })
const arrival = (host: Host, subject: string) =>
  eventually(async () => (await inbox(host)).find((message) => message.includes(`Subject: ${subject}\r\n`)))

/** Whether the receiver takes it for the sender's own, by the records as our name servers answer them. */
async function verify(message: string, from: Host) {
  const { dkim, spf, dmarc } = await authenticate(Buffer.from(message, 'latin1'), {
    ip: from.address,
    helo: `mail.${from.domain}`,
    sender: from.user,
    resolver: ask as never,
    disableArc: true,
    disableBimi: true
  })
  return [
    dkim.results.map(({ status, signingDomain }) => [status.result, signingDomain]),
    spf && spf.status.result,
    dmarc && dmarc.status.result
  ]
}

test('a message there and its answer back, by MX records of our own name servers, signed and verified', async () => {
  expect(await ask(two.domain, 'MX')).toEqual([{ exchange: `mail.${two.domain}`, priority: 10 }])
  expect(await ask(`mail.${two.domain}`, 'A')).toEqual([two.address])
  for (const [from, to, subject] of [
    [one, two, 'there'],
    [two, one, 'and back']
  ] as const) {
    await post(from, to, subject)
    const message = await arrival(to, subject)
    // From the other machine, encrypted, and not by a way of its own.
    expect(message).toMatch(
      new RegExp(`^Received: from ${from.mailHost} \\(.*\\[${from.address}\\]\\)\r\n\\s+\\(using TLSv1\\.3`, 'm')
    )
    expect(await verify(message, from)).toEqual([[['pass', from.domain]], 'pass', 'pass'])
    expect((await verify(message.replace('xxxx', 'yyyy'), from))[0]).toEqual([['neutral', from.domain]])
  }
})

test('to a host that has IPv6 it goes by the address of the records all the same', async () => {
  for (const [index, host] of hosts.entries())
    await host.machine.run('ip', '-6', 'address', 'add', `2001:db8::${index + 1}/64`, 'dev', 'cable', 'nodad')
  const record = { type: 'AAAA', name: 'mail', value: '2001:db8::2' }
  await two.admin.call('POST', `/domains/${two.domainId}/dns`, record)
  await expect.poll(() => ask(`mail.${two.domain}`, 'AAAA')).toEqual(['2001:db8::2'])
  // By IPv6 it can be reached.
  expect(await two.machine.run('ss', '-Hltn', 'sport = :25')).toContain('[::]:25')
  const subjects = Array.from({ length: 6 }, (_, index) => `six ${index}`)
  for (const subject of subjects) await post(one, two, subject)
  for (const subject of subjects) {
    const message = await arrival(two, subject)
    const [, by] = new RegExp(`^Received: from ${one.mailHost} \\(.*\\[(.*)\\]\\)`, 'm').exec(message)!
    expect(by).toBe(one.address)
    expect((await verify(message, one))[1]).toBe('pass')
  }
})

test('who names recipients without end is told to wait, and keeps no other host from sending', async () => {
  const { say, close } = await openSmtp(25, undefined, two.machine.address)
  const name = async (count: number): Promise<string> => {
    let answer = ''
    for (let named = 0; named < count && !answer.startsWith('4'); named++) {
      if (named % 500 === 0) for (const line of ['RSET', 'MAIL FROM:<eve@elsewhere.example>']) await say(line)
      answer = await say(`RCPT TO:<${two.user}>`)
    }
    return answer
  }
  // More than a thousand a minute.
  expect(await name(1_000)).toMatch(/^250 /)
  expect(await name(10_000)).toMatch(/^450 4\.7\.1 .*too many recipients/)
  close()
  await post(one, two, 'beside it')
  await arrival(two, 'beside it')
})

describe('a delivery test', () => {
  const create = (from: Host, to: string) =>
    from.admin.call<DeliveryTest>('POST', '/mail/delivery-tests', { mailboxId: from.mailboxId, to })
  const until = (from: Host, { id }: DeliveryTest, ...statuses: DeliveryTest['status'][]) =>
    eventually(async () => {
      const test = await from.admin.call<DeliveryTest>('GET', `/mail/delivery-tests/${id}`)
      return statuses.includes(test.status) && test
    })
  const statuses = ({ checks }: DeliveryTest) =>
    Object.fromEntries(Object.entries(checks).map(([name, { status }]) => [name, status]))

  test('to the other panel, which says what it saw of it', async () => {
    const sent = await create(one, `delivery-test@${two.mailHost}`)
    expect(sent).toMatchObject({ status: 'QUEUED', from: one.user })
    const test = await until(one, sent, 'ANSWERED')
    expect(test.answer).toEqual({
      clientIp: one.address,
      tls: expect.stringMatching(/^TLSv1\.3 /) as string,
      spf: { result: 'pass', domain: one.domain },
      dkim: [{ result: 'pass', domain: one.domain, selector: 'default' }],
      dmarc: { result: 'pass', policy: 'none' }
    })
    expect(new Set(Object.values(statuses(test)))).toEqual(new Set(['pass']))
  })

  test('to an address of one’s own: the words of its server', async () => {
    const test = await until(one, await create(one, one.user), 'DELIVERED')
    expect(test.checks.delivered.detail).toMatch(/127\.0\.0\.1.*: 250 2\.0\.0 /)
    expect(statuses(test)).toMatchObject({ accepted: 'pass', delivered: 'pass', dkim: 'unknown' })
    const message = (await inbox(one)).find((text) => text.includes('Subject: Delivery test\r\n'))!
    expect((await verify(message, one))[0]).toEqual([['pass', one.domain]])
    const nobody = await create(one, `nobody@${one.domain}`)
    expect([nobody.status, nobody.checks.accepted.detail]).toEqual([
      'FAILED',
      expect.stringMatching(/refused the message: .*550 5\.1\.1 .*nobody@/)
    ])
  })

  test('to a panel that is not there: why it waits', async () => {
    const sent = await create(one, 'delivery-test@mail.three.example.net')
    const test = await until(one, sent, 'DEFERRED', 'BOUNCED')
    expect(test.checks.delivered.detail).toMatch(/mail\.three\.example\.net/)
    if (test.status === 'DEFERRED') await one.admin.call('POST', `/mail/queue/${test.queueId!}/delete`)
  })
})

test('while the other host takes no mail it waits, and obeys hold, release, flush and delete; none is lost or doubled', async () => {
  const nft = (...args: string[]) => two.machine.run('nft', ...args)
  const list = async () => (await one.admin.call<MailQueueList>('GET', '/mail/queue?limit=100')).messages
  const find = async (id: string): Promise<QueueMessage | undefined> =>
    (await list()).find(({ queueId }) => queueId === id)
  const action = async (id: string, operation: string) =>
    (await one.admin.request('POST', `/mail/queue/${id}/${operation}`)).status
  const waiting = (id: string) =>
    eventually(async () => {
      const message = await find(id)
      return message?.flagged === 'none' && message.reason !== null && message
    })
  await nft('add', 'table', 'ip', 'away')
  await nft('add', 'chain', 'ip', 'away', 'in', '{ type filter hook input priority -300; }')
  await nft('add', 'rule', 'ip', 'away', 'in', 'tcp', 'dport', '25', 'reject', 'with', 'tcp', 'reset')
  const [held, released, flushed, deleted, left] = (await Promise.all(
    ['held', 'released', 'flushed', 'deleted', 'left'].map((subject) => post(one, two, subject))
  )) as [string, string, string, string, string]
  for (const id of [held, released, flushed, deleted, left])
    expect((await waiting(id)).reason).toMatch(
      new RegExp(`connect to mail\\.${two.domain}\\[${two.address}\\]:25: Connection refused`)
    )
  for (const id of [held, released]) expect(await action(id, 'hold')).toBe(200)
  expect(await action(deleted, 'delete')).toBe(200)
  expect([await action(deleted, 'delete'), await action(held, 'flush')]).toEqual([404, 409])
  await nft('delete', 'table', 'ip', 'away')

  expect(await action(flushed, 'flush')).toBe(200)
  await arrival(two, 'flushed')
  expect((await list()).map(({ queueId }) => queueId).toSorted()).toEqual([held, released, left].toSorted())
  expect(await action(released, 'release')).toBe(200)
  expect((await one.admin.request('POST', '/mail/queue/flush')).status).toBe(200)
  for (const subject of ['released', 'left']) await arrival(two, subject)
  expect((await list()).map(({ queueId, flagged }) => [queueId, flagged])).toEqual([[held, 'held']])
  await one.admin.call('POST', `/mail/queue/${held}/release`)
  await one.admin.call('POST', '/mail/queue/flush')
  await arrival(two, 'held')
  const queued = ['flushed', 'held', 'left', 'released']
  const subjects = (await inbox(two)).map((message) => /^Subject: (.*)\r$/m.exec(message)![1]!)
  expect(subjects.filter((subject) => queued.includes(subject)).toSorted()).toEqual(queued)
  expect(await list()).toEqual([])
})

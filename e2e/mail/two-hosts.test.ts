import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Resolver } from 'node:dns/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { authenticate } from 'mailauth'
import { createTransport } from 'nodemailer'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DeliveryTest } from '@panel/contract/delivery-tests'
import type { DeliveryLog } from '@panel/contract/delivery-log'
import type { DnsRecord } from '@panel/contract/dns-records'
import { eventually, openSmtp, password, readInbox, send } from './servers.harness.ts'
import { connectMachines, createMachine, type Machine } from '../support/machine.ts'
import { type Client, type RunningPanel, startPanel } from '../support/panel.ts'

/**
 * Two panels on two machines connected by a cable, with default ports and only their own name servers. They know each
 * other only through DNS.
 */
interface Host {
  machine: Machine
  panel: RunningPanel
  admin: Client
  address: string
  domain: string
  domainId: string
  mailHost: string
  user: string
  mailboxId: string
}
const nobodysImage = 'node:24-trixie-slim'

let machines: Machine[] = []
let hosts: Host[] = []
let one: Host
let two: Host
let directory: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'mail-hosts-'))
  machines = [await createMachine([]), await createMachine([])]
  const addresses = await connectMachines(machines[0]!, machines[1]!)
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
      ...Object.fromEntries(images),
      POSTGRES_ADMIN_URL: 'postgresql://nobody@127.0.0.1:9/postgres',
      MYSQL_ADMIN_URL: 'mysql://nobody@127.0.0.1:9/'
    },
    machine
  )
  const admin = await panel.signUp('admin')
  // Domain of the panel's own mail host; no SPF checker is on the cable.
  const zoneId = await managed(admin, zone)
  for (const record of [
    { type: 'A', name: 'mail.panel', value: address },
    { type: 'TXT', name: 'mail.panel', value: `v=spf1 a ip4:${machine.address} -all` }
  ])
    await admin.call('POST', `/domains/${zoneId}/dns`, record)
  const domain = `${name}-shop.example.com`
  const domainId = await managed(admin, domain)
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

async function managed(admin: Client, hostname: string): Promise<string> {
  const { id } = await admin.call<{ id: string }>('POST', '/domains', { hostname })
  await admin.call('POST', `/domains/${id}/verify?mock=true`)
  await admin.call('PATCH', `/domains/${id}/dns-mode`, { mode: 'MANAGED', skipDelegationCheck: true })
  return id
}

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

const verify = (message: string, from: Host) =>
  judge(Buffer.from(message, 'latin1'), { ip: from.address, helo: `mail.${from.domain}`, sender: from.user })

async function judge(message: Buffer, envelope: { ip: string; helo: string; sender: string }) {
  const { dkim, spf, dmarc } = await authenticate(message, {
    ...envelope,
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

test('a message and its reply use MX records of our name servers, signed and verified', async () => {
  expect(await ask(two.domain, 'MX')).toEqual([{ exchange: `mail.${two.domain}`, priority: 10 }])
  expect(await ask(`mail.${two.domain}`, 'A')).toEqual([two.address])
  for (const [from, to, subject] of [
    [one, two, 'there'],
    [two, one, 'and back']
  ] as const) {
    await post(from, to, subject)
    const message = await arrival(to, subject)
    expect(message).toMatch(
      new RegExp(`^Received: from ${from.mailHost} \\(.*\\[${from.address}\\]\\)\r\n\\s+\\(using TLSv1\\.3`, 'm')
    )
    expect(await verify(message, from)).toEqual([[['pass', from.domain]], 'pass', 'pass'])
    expect((await verify(message.replace('xxxx', 'yyyy'), from))[0]).toEqual([['neutral', from.domain]])
  }
})

test('to a host with IPv6, mail uses the address in the records', async () => {
  for (const [index, host] of hosts.entries())
    await host.machine.run('ip', '-6', 'address', 'add', `2001:db8::${index + 1}/64`, 'dev', 'cable', 'nodad')
  const record = { type: 'AAAA', name: 'mail', value: '2001:db8::2' }
  await two.admin.call('POST', `/domains/${two.domainId}/dns`, record)
  await expect.poll(() => ask(`mail.${two.domain}`, 'AAAA')).toEqual(['2001:db8::2'])
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

test('mass recipient probing is deferred without blocking other hosts', async () => {
  const { say, close } = await openSmtp(25, undefined, two.machine.address)
  const name = async (count: number): Promise<string> => {
    let answer = ''
    for (let named = 0; named < count && !answer.startsWith('4'); named++) {
      if (named % 500 === 0) for (const line of ['RSET', 'MAIL FROM:<eve@elsewhere.example>']) await say(line)
      answer = await say(`RCPT TO:<${two.user}>`)
    }
    return answer
  }
  expect(await name(1_000)).toMatch(/^250 /)
  expect(await name(10_000)).toMatch(/^450 4\.7\.1 .*too many recipients/)
  close()
  await post(one, two, 'beside it')
  await arrival(two, 'beside it')
})

describe('mail forwarded by an alias to a server with SPF checks', () => {
  const domain = 'strict.example.org'
  const taken: { sender: string; judgement: unknown[]; message: string }[] = []
  const at = (text: string) =>
    eventually(async () => taken.find(({ message }) => message.includes(`Subject: ${text}\r\n`)))
  const alias = `partner@one-shop.example.com`
  let receiver: SMTPServer

  const createReceiver = () =>
    new SMTPServer({
      authOptional: true,
      disabledCommands: ['AUTH', 'STARTTLS'],
      logger: false,
      onData(stream, { remoteAddress, hostNameAppearsAs, envelope: { mailFrom } }, answer) {
        const sender = mailFrom === false ? '' : mailFrom.address
        buffer(stream)
          .then(async (message) => {
            const judgement = await judge(message, { ip: remoteAddress, helo: String(hostNameAppearsAs), sender })
            if (judgement[1] !== 'pass')
              return answer(Object.assign(new Error(`5.7.23 SPF: ${String(judgement[1])}`), { responseCode: 550 }))
            taken.push({ sender, judgement, message: message.toString('latin1') })
            answer(null)
          })
          .catch((error: Error) => answer(error))
      }
    })

  beforeAll(async () => {
    receiver = createReceiver()
    await once(receiver.listen(25, one.machine.hostAddress), 'listening')
    const zoneId = await managed(two.admin, domain)
    for (const record of [
      { type: 'A', name: 'mx', value: one.machine.hostAddress },
      { type: 'MX', name: '@', value: `mx.${domain}`, priority: 10 }
    ])
      await two.admin.call('POST', `/domains/${zoneId}/dns`, record)
    const targets = [`friend@${domain}`]
    await one.admin.call('POST', '/mail/aliases', { domainId: one.domainId, localPart: 'partner', targets })
    const records = await two.admin.call<DnsRecord[]>('GET', `/domains/${two.domainId}/dns`)
    const { id, value } = records.find((record) => record.type === 'TXT' && record.value.includes('v=spf1'))!
    await two.admin.call('PATCH', `/domains/${two.domainId}/dns/${id}`, { value: value.replace('~all', '-all') })
    await eventually(async () => JSON.stringify(await ask(two.domain, 'TXT')).includes(' -all"'))
  })
  afterAll(() => new Promise<void>((resolve) => (receiver ? receiver.close(resolve) : resolve())))

  test('passes SPF with this server’s name and DMARC with the author’s signature', async () => {
    await send({ host: two.machine.address, port: 587, as: two.user, from: two.user, to: alias, subject: 'sent on' })
    const { sender, judgement, message } = await at('sent on')
    expect(sender).toMatch(new RegExp(`^SRS0=.{4}=..=${two.domain}=two@${one.mailHost}$`))
    expect(judgement).toEqual([[['pass', two.domain]], 'pass', 'pass'])
    // As with the author's own address.
    const helo = one.mailHost
    expect((await judge(Buffer.from(message, 'latin1'), { ip: one.machine.address, helo, sender: two.user }))[1]).toBe(
      'fail'
    )
    const { deliveries } = await one.admin.call<DeliveryLog>('GET', `/mail/logs?mailbox=${alias}`)
    expect(deliveries.map((each) => [each.status, each.sender, each.recipient])).toEqual([
      ['success', two.user, `friend@${domain}`]
    ])
    const transport = createTransport({ host: one.machine.address, port: 25, name: `mx.${domain}`, ignoreTLS: true })
    const raw = `From: MAILER-DAEMON@${domain}\r\nTo: ${sender}\r\nSubject: bounced later\r\n\r\nno\r\n`
    await transport.sendMail({ envelope: { from: '', to: sender }, raw })
    expect(await arrival(two, 'bounced later')).toContain('Return-Path: <>')
    const forged = sender.replace(/^SRS0=..../, 'SRS0=AAAA')
    await expect(transport.sendMail({ envelope: { from: '', to: forged }, raw })).rejects.toThrow(/550 5\.1\.1/)
    transport.close()
  })
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

  test('to another panel, which reports its result', async () => {
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

  test('to your own mailbox: the server’s reply', async () => {
    const test = await until(one, await create(one, one.user), 'DELIVERED')
    expect(test.checks.delivered.detail).toMatch(/127\.0\.0\.1.*: 250 2\.0\.0 /)
    expect(statuses(test)).toMatchObject({ accepted: 'pass', delivered: 'pass', dkim: 'unknown' })
    const message = (await inbox(one)).find((text) => text.includes('Subject: Delivery test\r\n'))!
    expect((await verify(message, one))[0]).toEqual([['pass', one.domain]])
    const nobody = await create(one, `nobody@${one.domain}`)
    expect([nobody.status, nobody.checks.accepted.detail]).toEqual([
      'FAILED',
      expect.stringMatching(/rejected the message: .*550 5\.1\.1 .*nobody@/)
    ])
  })

  test('to a panel that is down: why it waits', async () => {
    const sent = await create(one, 'delivery-test@mail.three.example.net')
    const test = await until(one, sent, 'DEFERRED', 'BOUNCED')
    expect(test.checks.delivered.detail).toMatch(/mail\.three\.example\.net/)
    if (test.status === 'DEFERRED') await one.admin.call('POST', `/mail/queue/${test.queueId!}/delete`)
  })
})

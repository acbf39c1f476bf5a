import { readFile } from 'node:fs/promises'
import { createTransport } from 'nodemailer'
import { beforeAll, expect, test } from 'vitest'
import type { DmarcSummary } from '@panel/contract/mail-reports'
import type { MailQueueList } from '@panel/contract/mail-queue'
import { mailPaths } from '../../packages/server/src/infra/mail-server/mail-paths.ts'
import { mailDirectories } from '../../packages/server/src/process/paths.ts'
import {
  dmarcXml,
  gzipped,
  type ReportFacts,
  reportMessage
} from '../../packages/server/test/fixtures/dmarc-reports.fixture.ts'
import { eventually, password, readInbox } from './servers.harness.ts'
import type { MailPorts } from '../support/mail-panel.ts'
import type { Client, RunningPanel } from '../support/panel.ts'
import { sharedWorld, type World } from '../support/shared-world.ts'

let world: World
let panel: RunningPanel
let ports: MailPorts
let ann: Client
beforeAll(async () => {
  world = await sharedWorld()
  ;({ panel, ports } = world)
  ann = await panel.signUp()
})

async function newDomain(...localParts: string[]): Promise<{ id: string; name: string }> {
  const { id, hostname } = await world.addManaged(world.newName('reported'), ann)
  for (const localPart of localParts) await ann.call('POST', '/mailboxes', { domainId: id, localPart, password })
  return { id, name: hostname }
}

const yesterday = new Date(Math.floor(Date.now() / 86_400_000) * 86_400_000 - 86_400_000)
const xml = (facts: ReportFacts) => dmarcXml({ begin: yesterday, ...facts })

async function deliver(to: string | string[], raw: Buffer): Promise<number> {
  const transport = createTransport({ host: '127.0.0.1', port: ports.SMTP, ignoreTLS: true, name: 'mx.google.com' })
  try {
    const { response } = await transport.sendMail({ envelope: { from: 'dmarc@google.example', to: [to].flat() }, raw })
    return Number(response.slice(0, 3))
  } catch (error) {
    return (error as { responseCode?: number }).responseCode ?? 0
  } finally {
    transport.close()
  }
}
const summary = ({ id }: { id: string }) => ann.call<DmarcSummary>('GET', `/mail/dmarc/${id}`)
const summedUp = (domain: { id: string }, reports: number) =>
  eventually(async () => {
    const found = await summary(domain)
    return found.totals.reports === reports ? found : undefined
  })
const queued = async (about: { name: string }) =>
  (await world.ann.call<MailQueueList>('GET', `/mail/queue?search=${about.name}`)).messages

test('a report is summarized and also delivered to the address', async () => {
  const domain = await newDomain('ann', 'postmaster')
  const address = `postmaster@${domain.name}`
  const rows = [
    { ip: '198.51.100.7', count: 12 },
    { ip: '2001:db8::25', count: 3, dkim: 'fail', spf: 'fail', disposition: 'quarantine' }
  ]
  const message = reportMessage(address, [gzipped(xml({ domain: domain.name, rows }))])
  expect(await deliver(address, message)).toBe(250)
  const { totals, sources } = await summedUp(domain, 1)
  expect(totals).toEqual({ reports: 1, messages: 15, passing: 12, failing: 3 })
  expect(sources.map(({ sourceIp, messages, passes }) => [sourceIp, messages, passes])).toEqual([
    ['198.51.100.7', 12, true],
    ['2001:db8::25', 3, false]
  ])
  const inbox = await eventually(async () => {
    const found = await readInbox(ports.IMAPS, address)
    return found.length > 0 && found
  })
  expect(inbox).toHaveLength(1)
  await deliver(address, message)
  await eventually(async () => (await readInbox(ports.IMAPS, address)).length === 2)
  await eventually(async () => (await queued(domain)).length === 0)
  expect((await summary(domain)).totals.reports).toBe(1)
  expect((await ann.call<DmarcSummary>('GET', `/mail/dmarc/${domain.id}?result=fail`)).sources).toHaveLength(1)
})

test('about two domains: each gets its own part', async () => {
  const [one, two] = [await newDomain('postmaster'), await newDomain('postmaster')]
  const files = [one, two].map(({ name }) => gzipped(xml({ domain: name }), `${name}.xml.gz`))
  const to = [`postmaster@${one.name}`, `postmaster@${two.name}`]
  expect(await deliver(to, reportMessage(to.join(', '), files))).toBe(250)
  await summedUp(one, 1)
  await summedUp(two, 1)
})

test('outsiders cannot write to the copy address; other messages change nothing and do not bounce', async () => {
  const [domain, other] = [await newDomain('postmaster'), await newDomain('postmaster')]
  const address = `postmaster@${domain.name}`
  const report = (name: string) => reportMessage(address, [gzipped(xml({ domain: name }))])
  expect(await deliver(`${domain.name}@intake.invalid`, report(domain.name))).toBe(554)
  const hostile = [
    Buffer.from('Subject: hello\r\n\r\nhow are you\r\n'),
    report(other.name),
    reportMessage(address, [gzipped(' '.repeat(40 * 2 ** 20))]),
    // Larger than the report limit, smaller than the message limit.
    reportMessage(address, [{ name: 'large.bin', type: 'application/zip', content: Buffer.alloc(9 * 2 ** 20, 'x') }])
  ]
  for (const message of hostile) expect(await deliver(address, message)).toBe(250)
  await eventually(async () => (await readInbox(ports.IMAPS, address)).length === hostile.length)
  await eventually(async () => (await queued(domain)).length === 0)
  await deliver(address, report(domain.name))
  await summedUp(domain, 1)
  expect((await summary(other)).totals.reports).toBe(0)
  const { postfix } = mailPaths(await mailDirectories({ DATA_DIR: panel.dataDir }))
  const log = await readFile(postfix.mailLog, 'utf8')
  expect(log).toMatch(/to=<[^>]*@intake\.invalid>.*status=bounced/)
  expect(log).not.toContain('to=<dmarc@google.example>')
})

test('while the panel is down, reports wait in the queue and mail does not', async () => {
  const domain = await newDomain('postmaster')
  const address = `postmaster@${domain.name}`
  await panel.kill()
  try {
    expect(await deliver(address, reportMessage(address, [gzipped(xml({ domain: domain.name }))]))).toBe(250)
    await eventually(async () => (await readInbox(ports.IMAPS, address)).length === 1)
  } finally {
    await panel.start()
  }
  expect((await queued(domain)).map(({ recipients }) => recipients)).toMatchObject([
    [{ address: `${domain.name}@intake.invalid` }]
  ])
  await world.ann.call('POST', '/mail/queue/flush')
  await summedUp(domain, 1)
})

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { DnsPropagation, DnsRecord } from '@panel/contract/dns-records'
import type { DelegationCheck } from '@panel/contract/domains'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { findProcesses } from '../../packages/server/src/infra/process/find-processes.ts'
import type { Address } from './server.harness.ts'
import { startCommand } from '../support/command.ts'
import {
  addRecord,
  dig,
  digAt,
  type DnsEnvironment,
  knotDirectories,
  nameservers,
  publicIp,
  serialOf,
  servedZones,
  serverOf,
  setDnsMode,
  startDnsEnvironment
} from '../support/dns-environment.ts'
import { type Client, type RunningPanel, startPanel } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { kill } from '../support/processes.ts'
import { type Resolver, startUnbound } from '../support/unbound.ts'
import { freePort } from '../../packages/server/test/support/ports.ts'

const execute = promisify(execFile)

let environment: DnsEnvironment
let resolvers: Resolver[]
let second: Address
let panel: RunningPanel
let ann: Client
let directory: string
let secondServer: ChildProcess
let transferKey: string
const env = () => ({
  ...environment.env,
  DNS_RESOLVERS: [environment.resolvers[1], ...resolvers].map(({ address }) => address).join(),
  DNS_SECONDARIES: `${second.address}@${second.port}`
})
beforeAll(async () => {
  const port = await freePort()
  second = { address: '127.0.0.2', port: await freePort() }
  environment = await startDnsEnvironment()
  const servers = [{ address: '127.0.0.1', port }, second]
  resolvers = await Promise.all(['127.0.0.21', '127.0.0.22'].map((host) => startUnbound(host, servers)))
  panel = await startPanel({ ...env(), DNS_PORT: String(port) })
  expect(panel.dnsPort).toBe(port)
  ann = await panel.signUp()
  directory = await mkdtemp(join(tmpdir(), 'panel-second-'))
  secondServer = await startSecond()
})
afterAll(async () => {
  secondServer?.kill('SIGKILL')
  await panel?.dispose()
  for (const resolver of resolvers ?? []) await resolver.close()
  await environment?.close()
  if (directory) await rm(directory, { recursive: true })
})
afterEach(({ task }) => {
  if (task.result?.state === 'fail') console.error(panel.output().slice(-5_000))
})

async function startSecond(): Promise<ChildProcess> {
  const printing = startCommand(['dns', 'secondary'], {
    DATA_DIR: panel.dataDir,
    DNS_PORT: String(panel.dnsPort),
    ...env()
  })
  expect(await printing.ended).toMatchObject({ code: 0 })
  const printed = printing.stdout()
  for (const text of [`"${publicIp}@${panel.dnsPort}"`, '/run/knot', '/var/lib/knot', 'knot:knot'])
    expect(printed).toContain(text)
  transferKey = /secret: "(.+)"/.exec(printed)![1]!
  const adapted = printed
    .replaceAll(publicIp, '127.0.0.1')
    .replaceAll('/run/knot', join(directory, 'run'))
    .replaceAll('/var/lib/knot', directory)
    .replace(/^ +user: .*\n/m, '')
    .replace(/^( +listen:) \[.*\]$/m, `$1 "${second.address}@${second.port}"`)
  await mkdir(join(directory, 'run'), { recursive: true })
  const file = join(directory, 'knot.conf')
  await writeFile(file, adapted)
  await execute('knotc', ['-c', file, 'conf-check'])
  const child = spawn('knotd', ['-c', file], { stdio: 'ignore' })
  await until(
    () => digAt(second, 'nobodys.test', 'A'),
    ({ status }) => status === 'REFUSED'
  )
  await execute('knotc', ['-c', file, 'zone-refresh'])
  return child
}

const untilSecond = (name: string, type: string, values: readonly string[]) =>
  until(
    async () => (await digAt(second, name, type)).values,
    (found) => JSON.stringify(found) === JSON.stringify(values)
  )
const untilStatus = (name: string, wanted: string) =>
  until(
    async () => (await digAt(second, name, 'SOA')).status,
    (status) => status === wanted
  )
const isSigned = async (server: Address, name: string) =>
  (await digAt(server, name, 'A', '+dnssec')).text.includes('RRSIG')

test('additions, changes, signing and deletions reach the second server', async () => {
  const { id } = await environment.addZone(ann, 'shop.test')
  await untilSecond('shop.test', 'A', [publicIp])
  await untilSecond(
    'shop.test',
    'NS',
    nameservers.map((name) => `${name}.`)
  )
  const record = await addRecord(ann, id, { type: 'TXT', name: 'text', value: 'one "two" \\ é' })
  await untilSecond('text.shop.test', 'TXT', ['one "two" \\ é'])
  await ann.call<DnsRecord>('PATCH', `/domains/${id}/dns/${record.id}`, { value: 'three' })
  await untilSecond('text.shop.test', 'TXT', ['three'])
  await ann.call('DELETE', `/domains/${id}/dns/${record.id}`)
  await untilSecond('text.shop.test', 'TXT', [])
  const sub = await environment.addDomain(ann, 'www2.shop.test')
  await untilSecond('www2.shop.test', 'A', [publicIp])
  expect(await serialOf(second, 'shop.test')).toBe(await serialOf(serverOf(panel), 'shop.test'))

  await ann.call('PUT', `/domains/${id}/dnssec`, { enabled: true })
  const [ours] = (await dig(panel, 'shop.test', 'DNSKEY')).values
  await untilSecond('shop.test', 'DNSKEY', [ours!])
  expect(await isSigned(second, 'www2.shop.test')).toBe(true)
  await ann.call('DELETE', `/domains/${sub.id}`)
  await untilSecond('www2.shop.test', 'A', [])
  await ann.call('PUT', `/domains/${id}/dnssec`, { enabled: false, force: true })
  await untilSecond('shop.test', 'DNSKEY', [])

  await setDnsMode(ann, id, 'CONNECTED')
  await untilStatus('shop.test', 'REFUSED')
  await setDnsMode(ann, id, 'MANAGED')
  await untilSecond('shop.test', 'A', [publicIp])
  await ann.call('DELETE', `/domains/${id}`)
  await untilStatus('shop.test', 'REFUSED')
})

test('many zones at once reach it', async () => {
  const names = Array.from({ length: 8 }, (_, index) => `many${index}.test`)
  const domains = []
  for (const name of names) domains.push(await environment.addDomain(ann, name))
  await Promise.all(domains.map(({ id }) => setDnsMode(ann, id, 'MANAGED')))
  for (const name of names) await untilSecond(name, 'A', [publicIp])
  await Promise.all(domains.map(({ id }) => ann.call('DELETE', `/domains/${id}`)))
  for (const name of names) await untilStatus(name, 'REFUSED')
})

test('resolvers find a record on both servers; it propagates', async () => {
  const { id } = await environment.addZone(ann, 'seen.test')
  const text = `"quoted" \\ é ${'x'.repeat(1_500)}`
  const records = await Promise.all([
    addRecord(ann, id, { type: 'TXT', name: 'text', value: text }),
    addRecord(ann, id, { type: 'MX', name: '@', value: 'mail.elsewhere.test', priority: 10 }),
    addRecord(ann, id, { type: 'SRV', name: '_sip._tcp', value: 'sip', priority: 0, weight: 5, port: 5060 }),
    addRecord(ann, id, { type: 'CAA', name: '@', value: '0 issue "ca.example.net"' }),
    addRecord(ann, id, { type: 'AAAA', name: '*.dev', value: '2001:db8::1' })
  ])
  await untilSecond('text.seen.test', 'TXT', [text])
  await untilSecond('any.dev.seen.test', 'AAAA', ['2001:db8::1'])
  for (const record of records) {
    const seen = await until(
      () => ann.call<DnsPropagation>('POST', `/domains/${id}/dns/${record.id}/propagation`),
      (answer) => answer.resolvers.slice(1).every(({ status }) => status === 'MATCH')
    )
    expect(seen.resolvers.map(({ status }) => status)).toEqual(['NOT_FOUND', 'MATCH', 'MATCH'])
  }
  const check = await ann.call<DelegationCheck>('POST', `/domains/${id}/dns-mode/check`)
  expect(check).toMatchObject({ delegated: true })
  expect(check.resolvers.map(({ matches }) => matches)).toEqual([false, true, true])
})

test('the second server responds while the first is down; missed changes and zone files are restored, foreign ones removed', async () => {
  const { id } = await environment.addZone(ann, 'alone.test')
  await ann.call('PUT', `/domains/${id}/dnssec`, { enabled: true })
  await untilSecond('alone.test', 'A', [publicIp])
  await panel.stop()
  expect([...(await findProcesses('knotd', (await knotDirectories(panel)).config)).keys()]).toEqual([])
  expect(await digAt(second, 'alone.test', 'A')).toMatchObject({ status: 'NOERROR', values: [publicIp] })
  expect(await digAt(serverOf(panel), 'alone.test', 'A')).toMatchObject({ status: 'no answer' })
  for (const { at } of resolvers)
    await until(
      async () => (await digAt(at, 'www.alone.test', 'A')).values,
      (values) => values.includes(publicIp)
    )

  const { zones } = await knotDirectories(panel)
  for (const name of await readdir(zones)) await rm(join(zones, name))
  await writeFile(join(zones, 'foreign.test'), '@ 60 IN SOA a. b. 1 1 1 1 1\n@ 60 IN NS a.\n')
  kill(secondServer.pid!, 'SIGKILL')
  await once(secondServer, 'exit')
  await panel.start()
  await until(
    async () => [(await readdir(zones)).sort(), await servedZones(panel)],
    ([files, served]) => served!.includes('alone.test') && JSON.stringify(files) === JSON.stringify(served)
  )
  expect(await digAt(serverOf(panel), 'foreign.test', 'SOA')).toMatchObject({ status: 'REFUSED' })
  expect(await digAt(serverOf(panel), 'alone.test', 'A')).toMatchObject({ values: [publicIp] })
  await addRecord(ann, id, { type: 'A', name: 'meanwhile', value: '192.0.2.9' })
  const added = await environment.addZone(ann, 'added.test')
  expect(added.status).toBe('PENDING')
  secondServer = await startSecond()
  await untilSecond('meanwhile.alone.test', 'A', ['192.0.2.9'])
  await untilSecond('added.test', 'A', [publicIp])
})

test.each([
  ['again.test', false],
  ['signed-again.test', true]
])('a zone recreated while the second server was down is current there: %s', async (hostname, enabled) => {
  const { id } = await environment.addZone(ann, hostname)
  await ann.call('PUT', `/domains/${id}/dnssec`, { enabled })
  const record = await addRecord(ann, id, { type: 'TXT', name: 'text', value: '0' })
  for (let count = 1; count <= 10; count++)
    await ann.call('PATCH', `/domains/${id}/dns/${record.id}`, { value: String(count) })
  await untilSecond(`text.${hostname}`, 'TXT', ['10'])
  kill(secondServer.pid!, 'SIGKILL')
  await once(secondServer, 'exit')
  await ann.call('DELETE', `/domains/${id}`)
  const bob = await panel.signUp()
  const added = await environment.addZone(bob, hostname)
  await addRecord(bob, added.id, { type: 'TXT', name: 'text', value: 'of bob' })
  secondServer = await startSecond()
  await untilSecond(`text.${hostname}`, 'TXT', ['of bob'])
  expect(await serialOf(second, hostname)).toBe(await serialOf(serverOf(panel), hostname))
  expect(await isSigned(second, hostname)).toBe(false)
})

test('zone transfers require the key', async () => {
  await environment.addZone(ann, 'private.test')
  await untilSecond('private.test', 'A', [publicIp])
  const key = (secret: string) => ['-y', `hmac-sha256:panel-transfer:${secret}`]
  const transfer = async (server: Address, zone: string, ...more: string[]) =>
    (await digAt(server, zone, 'AXFR', ...more)).text
  expect(await transfer(serverOf(panel), 'private.test', ...key(transferKey))).toContain(publicIp)
  for (const server of [serverOf(panel), second])
    for (const zone of ['private.test', 'catalog.panel.invalid'])
      for (const more of [[], key(randomBytes(32).toString('base64'))]) {
        const text = await transfer(server, zone, ...more)
        expect(text).toMatch(/server replied with error/)
        expect(text).not.toContain(publicIp)
      }
  for (const server of [serverOf(panel), second])
    expect((await digAt(server, 'catalog.panel.invalid', 'SOA')).values).toEqual([])
})

/** The last one: the serials start again, which the second server does not follow. */
test('an occupied port blocks nothing else; without its state the name server is rebuilt from the database', async () => {
  const health = async () =>
    ((await (await fetch(`${panel.url}/api/health`)).json()) as { parts: Record<string, { status: string }> }).parts
      .nameServer?.status
  const { id } = await environment.addZone(ann, 'rebuilt.test')
  expect(await health()).toBe('ok')
  await panel.stop()
  await rm((await knotDirectories(panel)).directory, { recursive: true })
  const squatter = createServer().listen(panel.dnsPort, '127.0.0.1')
  await once(squatter, 'listening')
  await panel.start()
  expect(panel.output()).toMatch(/continues without the name server.*address already in use/)
  expect(await health()).toBe('unreachable')
  await addRecord(ann, id, { type: 'A', name: 'meanwhile', value: '192.0.2.9' })
  await new Promise((resolve) => squatter.close(resolve))
  const answer = async (name: string) => (await dig(panel, name, 'A')).values.join()
  await until(
    () => answer('meanwhile.rebuilt.test'),
    (address) => address === '192.0.2.9'
  )
  await until(
    () => answer('alone.test'),
    (address) => address === publicIp
  )
  await until(health, (found) => found === 'ok')
})

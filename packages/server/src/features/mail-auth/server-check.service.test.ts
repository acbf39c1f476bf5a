import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Config } from '../../config.ts'
import { createPublicDns } from '../../infra/public-dns/resolvers.ts'
import { type FakeResolver, startFakeResolver } from '../../../test/support/fake-resolver.ts'
import { reverseLabels, reverseName } from './reverse-name.policy.ts'
import { checkMailServer } from './server-check.service.ts'

const [four, six] = ['203.0.113.7', '2001:db8::7']
let resolvers: FakeResolver[]
beforeAll(async () => {
  resolvers = await Promise.all(['127.0.0.41', '127.0.0.42'].map((host) => startFakeResolver(host)))
})
afterAll(() => Promise.all(resolvers.map((each) => each.close())))
beforeEach(() => resolvers.forEach((each) => each.reset()))

const set = (name: string, type: string, ...values: unknown[]) =>
  resolvers.forEach((each) => each.set(name, type, { values }))
const serveList = (zone: string) => set(`2.0.0.127.${zone}`, 'A', '127.0.0.2')

function environment(lists: string[], timeoutMs = 500) {
  const time = { now: new Date('2026-11-23T10:00:00Z') }
  const config = { PANEL_DOMAIN: 'panel.test', BASE_DOMAIN: 'apps.test', MAIL_BLOCKLISTS: lists } as unknown as Config
  const publicDns = createPublicDns({ resolvers: resolvers.map(({ address }) => address), timeoutMs })
  return { time, deps: { config, publicDns, now: () => time.now } }
}

test('IPv4 and IPv6: reverse DNS, blocklists and reasons', async () => {
  set(reverseName(four), 'PTR', 'mail.panel.test')
  set('mail.panel.test', 'A', four)
  set(reverseName(six), 'PTR', 'h7.rent.test')
  set('h7.rent.test', 'AAAA', '2001:db8::8')
  serveList('list.test')
  set(`${reverseLabels(six)}.list.test`, 'A', '127.0.0.9')
  set(`${reverseLabels(six)}.list.test`, 'TXT', 'https://list.test/why')
  for (const name of ['2.0.0.127', reverseLabels(four)]) set(`${name}.shy.test`, 'A', '127.255.255.254')
  set(`${reverseLabels(six)}.shy.test`, 'A', '127.255.255.254')
  const { deps } = environment(['list.test', 'shy.test', 'gone.test', 'bl.spamcop.net'])
  const { hostname, addresses } = await checkMailServer(deps, [four, six])
  expect(hostname).toBe('mail.panel.test')
  const shown = addresses.map(({ address, reverseDns, blocklists }) => [
    address,
    reverseDns.status,
    ...blocklists.map(({ zone, status }) => `${zone} ${status}`)
  ])
  expect(shown).toEqual([
    [four, 'pass', 'list.test clear', 'shy.test refused', 'gone.test unknown', 'bl.spamcop.net unknown'],
    [six, 'fail', 'list.test listed', 'shy.test refused', 'gone.test unknown']
  ])
  expect(addresses[1]!.blocklists[0]!.detail).toBe('Listed (127.0.0.9): https://list.test/why')
})

test('the SPF record of the hostname, used by forwarded mail', async () => {
  const { time, deps } = environment([])
  expect((await checkMailServer(deps, [four])).spf).toMatchObject({
    status: 'fail',
    sentences: [{ code: 'SPF_MISSING' }]
  })
  set('mail.panel.test', 'TXT', ['v=spf1 a -all'])
  time.now = new Date(time.now.getTime() + 11 * 60_000)
  expect((await checkMailServer(deps, [four])).spf.status).toBe('pass')
})

test('results are cached for ten minutes, failed lookups for one', async () => {
  serveList('list.test')
  const { time, deps } = environment(['list.test'])
  const requestedBy = async () => {
    await Promise.all(Array.from({ length: 50 }, () => checkMailServer(deps, [four])))
    return resolvers[0]!.queries.length
  }
  const once = await requestedBy()
  expect(once).toBeLessThan(10)
  time.now = new Date(time.now.getTime() + 9 * 60_000)
  expect(await requestedBy()).toBe(once)
  resolvers.forEach((each) => each.reset())
  time.now = new Date(time.now.getTime() + 2 * 60_000)
  expect((await checkMailServer(deps, [four])).addresses[0]!.blocklists[0]!.status).toBe('unknown')
  serveList('list.test')
  time.now = new Date(time.now.getTime() + 61_000)
  expect((await checkMailServer(deps, [four])).addresses[0]!.blocklists[0]!.status).toBe('clear')
})

test('unresponsive resolvers yield unknown', async () => {
  for (const each of resolvers) each.fallback = { drop: true }
  const { addresses } = await checkMailServer(environment(['list.test'], 50).deps, [four])
  expect([addresses[0]!.reverseDns.status, addresses[0]!.blocklists[0]!.status]).toEqual(['unknown', 'unknown'])
})

test('without lists no list is queried; with PANEL_MOCK_DNS nothing at all', async () => {
  const { deps } = environment([])
  expect((await checkMailServer(deps, [four])).addresses[0]!.blocklists).toEqual([])
  resolvers.forEach((each) => each.reset())
  const mocked = environment(['list.test'])
  Object.assign(mocked.deps.config, { PANEL_MOCK_DNS: true, PUBLIC_IP: '8.8.4.4' })
  expect((await checkMailServer(mocked.deps)).addresses).toEqual([])
  expect(resolvers[0]!.queries).toEqual([])
})

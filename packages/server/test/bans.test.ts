import type { AllowedNetwork, Ban, BanList } from '@panel/contract/bans'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { allowedNetworks, bans } from '../src/db/schema/bans.ts'
import { banGuessers, reconcileBans } from '../src/features/bans/banning.service.ts'
import { watchFailedSignIns } from '../src/features/bans/failed-sign-ins.watch.ts'
import { newId } from '../src/security/ids.ts'
import { proxyHeader, proxySecret } from '../src/security/proxy-proof.ts'
import { createMemoryServerBans, type MemoryServerBans } from './fakes/memory-server-bans.ts'
import { describeServerBans } from './contracts/server-bans.contract.ts'
import { type Client, createTestPanel, password, type TestPanel } from './support/panel.ts'

describeServerBans('memory', async () => {
  const memory = createMemoryServerBans()
  return { bans: memory, banned: async () => [...memory.banned.keys()].sort(), dispose: async () => {} }
})

let panel: TestPanel
let serverBans: MemoryServerBans
let admin: Client
let user: Client
let clockMs = 0
const now = () => new Date(Date.now() + clockMs)
beforeAll(async () => {
  serverBans = createMemoryServerBans()
  panel = await createTestPanel({ PUBLIC_IP: '203.0.113.1', TRUSTED_PROXIES: '198.51.100.0/24' }, { serverBans, now })
  admin = await panel.signUp('admin')
  user = await panel.signUp('user')
})
afterAll(() => panel.close())
beforeEach(async () => {
  clockMs = 0
  serverBans.problem = undefined
  await panel.deps.db.delete(bans)
  await panel.deps.db.delete(allowedNetworks)
  await serverBans.apply([])
})

/** As the panel's own proxy forwards a request of `ip`. */
const from = (ip: string) => ({
  [proxyHeader]: proxySecret(panel.deps.config),
  'x-forwarded-for': ip,
  'x-forwarded-proto': 'http'
})
const ask = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object, by = admin) =>
  by.request(method, `/api/firewall/${path}`, body, from('203.0.113.7'))
const list = async (query = '') => (await ask('GET', `bans${query}`)).json<BanList>()
const ban = (values: object) => ask('POST', 'bans', { address: '192.0.2.1', seconds: 3600, ...values })
const signInFrom = async (ip: string, email: string, typed: string) =>
  (
    await panel.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { email, password: typed },
      headers: from(ip)
    })
  ).statusCode
const banGuesser = (address: string, service: 'SFTP' | 'PANEL' = 'SFTP') =>
  banGuessers(panel.deps, [{ address, service, attempts: 10 }])
const banned = () => [...serverBans.banned.keys()].sort()
const codeOf = (answer: { statusCode: number; json(): { code: string } }) => [answer.statusCode, answer.json().code]

describe('by hand', () => {
  test('a ban is in force at once, and removing it too', async () => {
    const answer = await ban({ note: 'Comment spam' })
    const made = answer.json<Ban>()
    expect(answer.statusCode).toBe(201)
    expect(made).toMatchObject({ address: '192.0.2.1', reason: 'MANUAL', note: 'Comment spam', attempts: 0, createdBy: admin.user.id }) // oxfmt-ignore
    expect(serverBans.banned.get('192.0.2.1')).toBe(3600)
    expect((await ask('DELETE', `bans/${made.id}`)).statusCode).toBe(204)
    expect(banned()).toEqual([])
    expect(codeOf(await ask('DELETE', `bans/${made.id}`))).toEqual([404, 'NOT_FOUND'])
    const actions = (await panel.audited({ actorId: admin.user.id })).map(({ action }) => action).slice(-2)
    expect(actions).toEqual(['firewall.addresses_banned', 'firewall.address_unbanned'])
  })

  test('without a time it stays until it is removed, and replaces an earlier one', async () => {
    await ban({})
    await ban({ seconds: null })
    expect(serverBans.banned.get('192.0.2.1')).toBeNull()
    clockMs = 400 * 86_400_000
    await reconcileBans(panel.deps)
    expect(banned()).toEqual(['192.0.2.1'])
  })

  test('an IPv6 address is banned with its /64', async () => {
    await ban({ address: '2001:DB8:0:1:2::3' })
    await ban({ address: '2001:db8:0:1::/64' })
    expect((await list()).bans.map(({ address }) => address)).toEqual(['2001:db8:0:1::/64'])
  })

  test.each([
    ['nothing', { address: '' }],
    ['a name', { address: 'example.com' }],
    ['everyone', { address: '0.0.0.0/0' }],
    ['everyone over IPv6', { address: '::/0' }],
    ['an IPv4 network', { address: '192.0.2.0/24' }],
    ['a larger IPv6 network', { address: '2001:db8::/48' }],
    ['a mapped address', { address: '::ffff:192.0.2.1' }],
    ['a zone', { address: 'fe80::1%eth0' }],
    ['rules', { address: '192.0.2.1 } ; flush ruleset' }],
    ['no time', { seconds: 0 }],
    ['a time that is too long', { seconds: 366 * 86_400 }],
    ['an overlong note', { note: 'x'.repeat(201) }],
    ['a note of two lines', { note: 'a\nb' }]
  ])('refused: %s', async (_, values) => {
    expect(codeOf(await ban(values))).toEqual([400, 'VALIDATION_ERROR'])
    expect(banned()).toEqual([])
  })

  test.each([
    ['loopback', '127.0.0.1'],
    ['the server', '203.0.113.1'],
    ['a container', '172.30.0.5'],
    ['a trusted proxy', '198.51.100.9'],
    ['the caller', '203.0.113.7']
  ])('exempt: %s', async (_, address) => {
    expect(codeOf(await ban({ address }))).toEqual([409, 'ADDRESS_EXEMPT'])
  })

  test('the packet filter is unavailable: the ban is in force once it is back', async () => {
    serverBans.problem = 'nft is not installed'
    expect(codeOf(await ban({}))).toEqual([503, 'FIREWALL_UNAVAILABLE'])
    serverBans.problem = undefined
    await reconcileBans(panel.deps)
    expect(banned()).toEqual(['192.0.2.1'])
  })
})

describe('the allow list', () => {
  const allow = (network: string, note = '') => ask('POST', 'allow-list', { network, note })

  test('ends the bans of its addresses, and prevents new ones', async () => {
    await banGuesser('192.0.2.1')
    await banGuesser('192.0.2.200')
    const { id } = (await allow('192.0.2.0/25', 'Office')).json<AllowedNetwork>()
    expect(banned()).toEqual(['192.0.2.200'])
    await banGuesser('192.0.2.1')
    expect(codeOf(await ban({}))).toEqual([409, 'ADDRESS_EXEMPT'])
    expect(banned()).toEqual(['192.0.2.200'])
    expect((await ask('GET', 'allow-list')).json()).toMatchObject({ networks: [{ id, network: '192.0.2.0/25', note: 'Office' }] }) // oxfmt-ignore
    expect((await ask('DELETE', `allow-list/${id}`)).statusCode).toBe(204)
    expect(codeOf(await ask('DELETE', `allow-list/${id}`))).toEqual([404, 'NOT_FOUND'])
    await banGuesser('192.0.2.1')
    expect(banned()).toEqual(['192.0.2.1', '192.0.2.200'])
  })

  test('has each network once', async () => {
    await allow('192.0.2.0/25')
    expect(codeOf(await allow('192.0.2.0/25'))).toEqual([409, 'CONFLICT'])
  })

  test.each(['0.0.0.0/0', '::/0', '10.0.0.0/7', '2001:db8::/18', '192.0.2.0/33', 'office', ''])(
    'refuses %j',
    async (network) => {
      expect(codeOf(await allow(network))).toEqual([400, 'VALIDATION_ERROR'])
    }
  )

  test('takes the largest networks that it may', async () => {
    expect([(await allow('10.0.0.0/8')).statusCode, (await allow('2001:db8::/32')).statusCode]).toEqual([201, 201])
  })
})

describe('after failed sign-ins', () => {
  test('bans grow with each offence, and removing one forgets them', async () => {
    const seconds: (number | null | undefined)[] = []
    const again = async () => {
      await banGuesser('192.0.2.1')
      seconds.push(serverBans.banned.get('192.0.2.1'))
      clockMs += seconds.at(-1)! * 1000 + 1
      await reconcileBans(panel.deps)
      expect(banned()).toEqual([])
    }
    for (let times = 0; times < 3; times++) await again()
    expect(seconds).toEqual([600, 3600, 86_400])
    await banGuesser('192.0.2.1')
    await ask('DELETE', `bans/${(await list()).bans[0]!.id}`)
    await again()
    expect(seconds.at(-1)).toBe(600)
  })

  test('guesses that arrive during a ban do not lengthen it', async () => {
    await banGuesser('192.0.2.1')
    await banGuesser('192.0.2.1', 'PANEL')
    expect(await list()).toMatchObject({ bans: [{ reason: 'SFTP', offences: 1, attempts: 10, createdBy: null }] })
  })

  test('never an address from which an administrator is signed in', async () => {
    expect(await signInFrom('203.0.113.50', admin.user.email, password)).toBe(200)
    await banGuesser('203.0.113.50')
    await banGuesser('203.0.113.51')
    expect(banned()).toEqual(['203.0.113.51'])
  })

  test('bans survive a restart: the packet filter gets the time that is left', async () => {
    await banGuesser('192.0.2.1')
    await serverBans.apply([])
    clockMs = 200_000
    await reconcileBans(panel.deps)
    expect(serverBans.banned.get('192.0.2.1')).toBeGreaterThanOrEqual(398)
    expect(serverBans.banned.get('192.0.2.1')).toBeLessThanOrEqual(400)
  })

  test('a row is deleted when its offences are forgiven', async () => {
    await banGuesser('192.0.2.1')
    clockMs = 6 * 86_400_000
    await reconcileBans(panel.deps)
    expect(await panel.deps.db.$count(bans)).toBe(1)
    clockMs = 8 * 86_400_000
    await reconcileBans(panel.deps)
    expect(await panel.deps.db.$count(bans)).toBe(0)
  })

  test('one notification for each wave, and one audit entry for each transaction', async () => {
    const kinds = async () => {
      const answer = await admin.request('GET', '/api/notifications?limit=100')
      return answer.json<{ notifications: { kind: string }[] }>().notifications.filter(({ kind }) => kind === 'addresses-banned') // oxfmt-ignore
    }
    const before = (await kinds()).length
    const guessers = Array.from({ length: 300 }, (_, index) => ({ address: `10.1.${index >> 8}.${index & 255}`, service: 'SSH' as const, attempts: 10 })) // oxfmt-ignore
    await banGuessers(panel.deps, guessers)
    await banGuesser('192.0.2.1')
    expect((await kinds()).length).toBe(before + 1)
    clockMs = 2 * 3_600_000
    await banGuesser('192.0.2.2')
    expect((await kinds()).length).toBe(before + 2)
  })

  test('wrong passwords at the panel and failures at other services reach the packet filter', async () => {
    const watch = watchFailedSignIns(panel.deps)
    watch.begin(new AbortController().signal)
    try {
      for (let times = 0; times < 10; times++) {
        panel.deps.failedLogIns.report({ service: 'SFTP', address: '::ffff:192.0.2.8' })
        panel.deps.failedLogIns.report({ service: 'SSH', address: 'not an address' })
        panel.deps.failedLogIns.report({ service: 'SSH', address: '127.0.0.1' })
        panel.deps.failedLogIns.report({ service: 'IMAP', address: '192.0.2.9', guess: 'old password' })
      }
      // The watch may miss what happens before it is connected to the store.
      const guessAgain = async () => {
        expect(await signInFrom('192.0.2.7', `${newId()}@example.com`, 'a guess')).toBe(401)
        return banned()
      }
      await expect.poll(guessAgain).toEqual(['192.0.2.7', '192.0.2.8'])
    } finally {
      await watch.close()
    }
  })
})

describe('the list', () => {
  test('has pages, a search and a filter by reason', async () => {
    for (let index = 1; index <= 5; index++) {
      clockMs += 10
      await banGuesser(`192.0.2.${index}`, index === 1 ? 'PANEL' : 'SFTP')
    }
    clockMs += 10
    await ban({ address: '203.0.113.99', note: 'Crawler' })
    const addresses = async (query: string) => (await list(query)).bans.map(({ address }) => address)
    expect(await addresses('?limit=2&page=2')).toEqual(['192.0.2.4', '192.0.2.3'])
    expect((await list('?limit=2')).pagination).toEqual({ page: 1, limit: 2, total: 6, totalPages: 3 })
    expect(await addresses('?search=0.113')).toEqual(['203.0.113.99'])
    expect(await addresses('?search=crawl')).toEqual(['203.0.113.99'])
    expect(await addresses('?search=%25')).toEqual([])
    expect(await addresses('?reason=PANEL')).toEqual(['192.0.2.1'])
    clockMs += 3_601_000
    expect(await addresses('')).toEqual([])
  })

  test.each(['?limit=201', '?page=0', `?search=${'x'.repeat(101)}`, '?reason=BAD'])('refuses %s', async (query) => {
    expect(codeOf(await ask('GET', `bans${query}`))).toEqual([400, 'VALIDATION_ERROR'])
  })
})

test('while the setting is off, no ban is in force', async () => {
  await banGuesser('192.0.2.1')
  const off = { ...panel.deps, config: { ...panel.deps.config, BANS: false } }
  await reconcileBans(off)
  expect(banned()).toEqual([])
  await banGuessers(off, [{ address: '192.0.2.2', service: 'SSH', attempts: 10 }])
  expect(banned()).toEqual([])
  await reconcileBans(panel.deps)
  expect(banned()).toEqual(['192.0.2.1'])
})

test('takes the permission canManageFirewall', async () => {
  const refused = async () => [
    await ask('GET', 'bans', undefined, user),
    await ask('POST', 'bans', { address: '192.0.2.1' }, user),
    await ask('DELETE', 'bans/none', undefined, user),
    await ask('GET', 'allow-list', undefined, user),
    await ask('POST', 'allow-list', { network: '192.0.2.1' }, user),
    await ask('DELETE', 'allow-list/none', undefined, user)
  ]
  for (const answer of await refused()) expect(codeOf(answer)).toEqual([403, 'FORBIDDEN_ROLE'])
})

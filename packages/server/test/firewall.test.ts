import { once } from 'node:events'
import { Agent, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FirewallExport, FirewallRule, FirewallState } from '@panel/contract/firewall'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { firewalls } from '../src/db/schema/firewalls.ts'
import { users } from '../src/db/schema/users.ts'
import { reconcileFirewall } from '../src/features/firewall/firewall.reconcile.ts'
import { connectionTimeHeader, proxyHeader, proxySecret } from '../src/security/proxy-proof.ts'
import { createMemoryServerFirewall, type MemoryServerFirewall } from './fakes/memory-server-firewall.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

let panel: TestPanel
let serverFirewall: MemoryServerFirewall
let admin: Client
let clockMs = 0
beforeAll(async () => {
  serverFirewall = createMemoryServerFirewall()
  const now = () => new Date(Date.now() + clockMs)
  panel = await createTestPanel({ PROXY_HTTP_PORT: '80' }, { serverFirewall, now })
  admin = await panel.signUp('admin')
})
afterAll(() => panel.close())
beforeEach(async () => {
  clockMs = 0
  serverFirewall.problem = undefined
  await serverFirewall.apply(undefined)
  await panel.deps.db.delete(firewalls)
})

const rule = (values: Partial<FirewallRule> = {}): FirewallRule => ({
  action: 'ALLOW',
  protocol: 'TCP',
  ports: [],
  source: null,
  note: '',
  enabled: true,
  ...values
})
const allOpen = [rule({ note: 'all' })]
const onOffice = [rule({ ports: ['22', '80'], source: '203.0.113.0/24' })]

/** As the panel's own proxy forwards a request of `ip`, whose connection was opened at `openedAt`. */
const from = (ip: string, openedAt = panel.deps.now().getTime()) => ({
  [proxyHeader]: proxySecret(panel.deps.config),
  'x-forwarded-for': ip,
  'x-forwarded-proto': 'http',
  [connectionTimeHeader]: String(openedAt)
})
const office = '203.0.113.7'
const ask = (method: 'GET' | 'POST' | 'PUT', path: string, body?: object, headers = from(office), by = admin) =>
  by.request(method, `/api/firewall${path}`, body, headers)
const read = async () => (await ask('GET', '')).json<FirewallState>()
const save = async (values: object, headers = from(office)) => {
  const { version } = await read()
  return ask('PUT', '', { version, enabled: true, defaultAction: 'DENY', rules: allOpen, ...values }, headers)
}
const later = () => from(office, panel.deps.now().getTime() + 1000)
const confirm = async (headers = later()) => {
  const { pending } = await read()
  return ask('POST', '/confirm', { changeId: pending?.id ?? 'none' }, headers)
}
const codeOf = (answer: { statusCode: number; json(): { code: string } }) => [answer.statusCode, answer.json().code]

describe('a change', () => {
  test('is off by default', async () => {
    expect(await read()).toMatchObject({ enabled: false, defaultAction: 'DENY', rules: [], version: 0, pending: null, yourAddress: office }) // oxfmt-ignore
    expect(serverFirewall.ruleset).toBeUndefined()
  })

  test('is in force on trial, and stays when it is confirmed from a new connection', async () => {
    const saved = (await save({ rules: onOffice })).json<FirewallState>()
    expect(saved).toMatchObject({ enabled: false, rules: [], pending: { enabled: true, rules: onOffice, requestedBy: admin.user.id } }) // oxfmt-ignore
    expect(serverFirewall.ruleset?.rules).toHaveLength(1)
    const confirmed = (await confirm()).json<FirewallState>()
    expect(confirmed).toMatchObject({ enabled: true, rules: onOffice, pending: null })
    expect(confirmed.version).toBeGreaterThan(saved.version)
    await reconcileFirewall(panel.deps)
    expect(serverFirewall.ruleset?.rules).toHaveLength(1)
    const actions = (await panel.audited({ actorId: admin.user.id })).map(({ action }) => action).slice(-2)
    expect(actions).toEqual(['firewall.change_requested', 'firewall.changed'])
  })

  test('an older connection does not confirm it, and neither does one of unknown age', async () => {
    await save({})
    expect(codeOf(await confirm(from(office, panel.deps.now().getTime() - 60_000)))).toEqual([409, 'FIREWALL_CONNECTION_OLD']) // oxfmt-ignore
    const unknown = { ...later(), [connectionTimeHeader]: '' }
    expect(codeOf(await confirm(unknown))).toEqual([409, 'FIREWALL_CONNECTION_OLD'])
    // Without the proxy's secret the header is the client's own claim.
    expect(codeOf(await confirm({ ...later(), [proxyHeader]: 'guessed' }))).toEqual([409, 'FIREWALL_CONNECTION_OLD'])
    expect((await read()).pending).not.toBeNull()
  })

  test('is reverted at its deadline, which the state then shows', async () => {
    await save({ rules: onOffice })
    await confirm()
    await save({ rules: allOpen })
    serverFirewall.reachDeadline()
    clockMs = 61_000
    expect(await read()).toMatchObject({ enabled: true, rules: onOffice, pending: null })
    expect(codeOf(await confirm())).toEqual([409, 'CONFLICT'])
    const [entry] = (await panel.audited({ action: 'firewall.reverted' })).slice(-1)
    expect(entry).toMatchObject({ actorId: null, metadata: { automatic: true } })
  })

  test('the panel reverts it itself when the rollback process was killed', async () => {
    await save({})
    clockMs = 61_000
    expect(await reconcileFirewall(panel.deps)).toBe('again')
    clockMs = 80_000
    expect(await reconcileFirewall(panel.deps)).toBe('done')
    expect(serverFirewall.ruleset).toBeUndefined()
    expect((await read()).pending).toBeNull()
  })

  test('can be reverted at once, and only one is pending', async () => {
    await save({})
    expect(codeOf(await save({ rules: onOffice }))).toEqual([409, 'FIREWALL_CHANGE_PENDING'])
    expect((await ask('POST', '/revert')).json()).toMatchObject({ enabled: false, pending: null })
    expect(serverFirewall.ruleset).toBeUndefined()
    expect(codeOf(await ask('POST', '/revert'))).toEqual([409, 'CONFLICT'])
  })

  test('needs the latest version', async () => {
    const { version } = await read()
    await save({})
    await confirm()
    expect(codeOf(await ask('PUT', '', { version, enabled: false, defaultAction: 'DENY', rules: [] }))).toEqual([409, 'CONFLICT']) // oxfmt-ignore
  })

  test('that the packet filter does not see is final at once, and so is turning off', async () => {
    await save({})
    await confirm()
    const renamed = [rule({ note: 'renamed' }), rule({ enabled: false })]
    expect((await save({ rules: renamed })).json()).toMatchObject({ rules: renamed, pending: null })
    expect((await save({ enabled: false, rules: [] })).json()).toMatchObject({ enabled: false, pending: null })
    expect(serverFirewall.ruleset).toBeUndefined()
  })

  test('that cannot be loaded leaves everything as it was', async () => {
    serverFirewall.problem = 'nft is not installed'
    const answer = await save({})
    expect(codeOf(answer)).toEqual([503, 'FIREWALL_UNAVAILABLE'])
    expect(answer.json().outage.cause).toBe('nft is not installed')
    expect(await read()).toMatchObject({ enabled: false, pending: null })
  })

  test('a confirmation that the panel was killed in is completed', async () => {
    await save({ rules: onOffice })
    await serverFirewall.confirm((await read()).pending!.id)
    await reconcileFirewall(panel.deps)
    expect(await read()).toMatchObject({ enabled: true, rules: onOffice, pending: null })
  })
})

describe('lockout protection', () => {
  test.each([
    ['of the panel', { rules: [] }, 'FIREWALL_LOCKOUT'],
    ['of the panel by another network', { rules: [rule({ source: '198.51.100.0/24' })] }, 'FIREWALL_LOCKOUT'],
    ['of SSH', { rules: [rule({ ports: ['80'] })] }, 'FIREWALL_SSH_LOCKOUT']
  ])('%s', async (_, values, code) => {
    expect(codeOf(await save(values))).toEqual([409, code])
    expect(serverFirewall.ruleset).toBeUndefined()
  })

  test('SSH can be closed on purpose, the panel cannot', async () => {
    expect(codeOf(await save({ rules: [], allowSshLockout: true }))).toEqual([409, 'FIREWALL_LOCKOUT'])
    expect((await save({ rules: [rule({ ports: ['80'] })], allowSshLockout: true })).statusCode).toBe(200)
  })
})

describe('values', () => {
  test.each<[string, object, string]>([
    ['a host name', { source: 'example.com' }, 'FIREWALL_SOURCE'],
    ['rules in the source', { source: '0.0.0.0/0 accept; flush ruleset' }, 'FIREWALL_SOURCE'],
    ['a mapped address', { source: '::ffff:192.0.2.1' }, 'FIREWALL_SOURCE'],
    ['a long prefix', { source: '192.0.2.0/33' }, 'FIREWALL_SOURCE'],
    ['a zone', { source: 'fe80::1%eth0' }, 'FIREWALL_SOURCE'],
    ['a service name', { ports: ['https'] }, 'FIREWALL_PORTS'],
    ['a large port', { ports: ['65536'] }, 'FIREWALL_PORTS'],
    ['a reversed range', { ports: ['90-80'] }, 'FIREWALL_PORTS'],
    ['ports of every protocol', { protocol: 'ANY', ports: ['80'] }, 'FIREWALL_ANY_PORTS'],
    ['two lines', { note: 'a\nb' }, 'SINGLE_LINE']
  ])('%s', async (_, values, code) => {
    const answer = await save({ rules: [{ ...rule(), ...values }] })
    expect(answer.statusCode).toBe(400)
    expect(answer.json().details).toMatchObject([{ code }])
  })

  test('IPv6 and notes of any kind', async () => {
    const rules = [rule({ source: '2001:DB8::/32', note: '"; flush ruleset; # 防火墙' }), ...allOpen]
    expect((await save({ rules })).json()).toMatchObject({ pending: { rules } })
  })
})

test('export and import', async () => {
  await save({ rules: onOffice, defaultAction: 'DENY' })
  await confirm()
  const exported = await ask('GET', '/export')
  expect(exported.headers['content-disposition']).toBe('attachment; filename="firewall.json"')
  const document = exported.json<FirewallExport>()
  expect(document).toEqual({ format: 'panel-firewall', formatVersion: 1, defaultAction: 'DENY', rules: onOffice })
  const load = async (changed: object) =>
    ask('POST', '/import', { version: (await read()).version, document: { ...document, ...changed } })
  expect((await load({ rules: [...onOffice, ...allOpen] })).json()).toMatchObject({ enabled: true, pending: { rules: [...onOffice, ...allOpen] } }) // oxfmt-ignore
  await ask('POST', '/revert')
  expect(codeOf(await load({ rules: [] }))).toEqual([409, 'FIREWALL_LOCKOUT'])
  expect((await load({ format: 'other' })).statusCode).toBe(400)
  expect((await load({ formatVersion: 2 })).statusCode).toBe(400)
})

test('presets are the services of this server', async () => {
  const { presets } = await read()
  expect(presets.map(({ service }) => service)).toEqual(['SSH', 'WEB', 'PANEL', 'DNS', 'SMTP', 'SUBMISSION', 'IMAP', 'MANAGESIEVE']) // oxfmt-ignore
})

test('an account with canManageFirewall, and no other', async () => {
  const helper = await panel.createUser(admin)
  const stranger = await panel.createUser(admin)
  await panel.deps.db
    .update(users)
    .set({ permissions: ['canManageFirewall'] })
    .where(eq(users.id, helper.user.id))
  expect((await ask('GET', '', undefined, from(office), helper)).statusCode).toBe(200)
  expect(codeOf(await ask('GET', '', undefined, from(office), stranger))).toEqual([403, 'FORBIDDEN_ROLE'])
})

test('over real connections: the one of the change does not confirm it, a new one does', async () => {
  const { app } = panel
  app.server.listen(0, '127.0.0.1')
  await once(app.server, 'listening')
  const { port } = app.server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const call = async (method: string, path: string, body?: object, use: Agent | false = agent) => {
    const headers = { cookie: admin.cookie, ...(body && { 'content-type': 'application/json' }) }
    const request = httpRequest({ port, host: '127.0.0.1', method, path: `/api/firewall${path}`, headers, agent: use })
    request.end(body && JSON.stringify(body))
    const [response] = (await once(request, 'response')) as [import('node:http').IncomingMessage]
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    return { status: response.statusCode, connection: response.headers.connection, body: text && JSON.parse(text) }
  }
  try {
    const { version } = (await call('GET', '')).body
    const saved = await call('PUT', '', { version, enabled: true, defaultAction: 'DENY', rules: [] })
    const change = { changeId: saved.body.pending.id }
    expect(await call('POST', '/confirm', change)).toMatchObject({ status: 409, body: { code: 'FIREWALL_CONNECTION_OLD' } }) // oxfmt-ignore
    expect(await call('POST', '/reconnect')).toMatchObject({ status: 204, connection: 'close' })
    expect(await call('POST', '/confirm', change)).toMatchObject({
      status: 200,
      body: { enabled: true, pending: null }
    })
    await call('PUT', '', { version: (await read()).version, enabled: false, defaultAction: 'DENY', rules: [] })
  } finally {
    agent.destroy()
    app.server.close()
  }
})

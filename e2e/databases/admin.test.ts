import { randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database, DatabaseType } from '@panel/contract/databases'
import { createDockerEngine } from '../../packages/server/src/infra/container-engine/docker.ts'
import { adminUrl } from '../../packages/server/src/features/databases/admin-url.policy.ts'
import { createAdminer } from '../../packages/server/src/infra/database-admin/adminer.ts'
import type { DatabaseAdmin } from '../../packages/server/src/infra/database-admin/database-admin.ts'
import type { DatabaseAccount } from '../../packages/server/src/infra/database-server/database-server.ts'
import { run } from '../../packages/server/src/infra/process/run.ts'
import { describeDatabaseAdmin } from '../../packages/server/test/contracts/database-admin.contract.ts'
import { startTestEngine, type TestEngine } from './servers.harness.ts'
import { type Request, type Browser, createBrowser, type Page } from '../support/browser.ts'
import { docker, runningContainers } from '../support/engine.ts'
import type { Client, RunningPanel } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { sharedWorld } from '../support/shared-world.ts'

const types: [DatabaseType, name: 'PostgreSQL' | 'MariaDB', driver: string][] = [
  ['POSTGRESQL', 'PostgreSQL', 'pgsql'],
  ['MYSQL', 'MariaDB', 'server']
]
type Login = Pick<DatabaseAccount, 'database' | 'username' | 'password'>

async function logIn(browser: Browser, link: string, driver: string, { username, password, database }: Login) {
  const form = await browser.open(link)
  for (const value of [username, database]) expect(form.text).toContain(`value="${value}"`)
  expect(form.text).toContain(`<option value="${driver}" selected>`)
  return browser.submit(link, {
    'auth[driver]': driver,
    'auth[server]': '',
    'auth[username]': username,
    'auth[password]': password,
    'auth[db]': database
  })
}

const tokenOf = (page: Page) => /name='token' value='([\d:]+)'|name="token" value="([\d:]+)"/.exec(page.text)?.slice(1).find(Boolean) ?? '' // oxfmt-ignore

async function execute(browser: Browser, link: string, query: string): Promise<string> {
  const page = await browser.open(`${link}&sql=`)
  return (await browser.submit(`${link}&sql=`, { query, limit: '50', token: tokenOf(page) })).text
}

describe('Adminer beside both engines', () => {
  const engine = createDockerEngine({ socketPath: '/var/run/docker.sock' })
  const instanceId = `e2e${randomBytes(4).toString('hex')}`
  const network = () => engine.ensureNetwork(`panel-${instanceId}`, { 'panel.instance': instanceId })
  const account = { database: 'shop', username: 'shop_owner', password: `a'b"c\\d ${randomBytes(6).toString('hex')}` }
  const servers = {} as Record<DatabaseType, TestEngine>
  let admin: DatabaseAdmin
  let address: string

  beforeAll(async () => {
    const { gateway, subnet } = await network()
    for (const [type, name] of types) {
      servers[type] = await startTestEngine(name, { listen: ['127.0.0.1', gateway], containerSubnets: [subnet] })
      await servers[type].server.provision(account)
      await servers[type].as(account, 'CREATE TABLE goods (id int)', 'INSERT INTO goods VALUES (4711)')
    }
    const at = ({ port }: TestEngine) => ({
      addresses: async () => ({ internal: { host: gateway, port }, host: { host: '127.0.0.1', port } })
    })
    const databaseServers = { POSTGRESQL: at(servers.POSTGRESQL), MYSQL: at(servers.MYSQL) }
    admin = createAdminer({ engine, instanceId, network, databaseServers, run })
    await admin.ensure({ log: () => {}, signal: new AbortController().signal })
    address = gateway.replace(/\.1$/, '.2')
    await until(async () => (await visitor().open('/adminer/').catch(() => undefined))?.status, (status) => status === 200) // oxfmt-ignore
  })
  afterAll(async () => {
    await admin?.remove()
    await Promise.all(Object.values(servers).map((server) => server.close()))
    await engine.removeNetwork(`panel-${instanceId}`)
  })

  const ask =
    (panelSession: string, panelUser: string) =>
    async ({ method, path, headers, body }: Request): Promise<Page> => {
      const who = { 'x-panel-session': panelSession, 'x-panel-user': panelUser }
      const { signal } = new AbortController()
      const stream = body === undefined ? undefined : Readable.from([body], { objectMode: false })
      const answer = await admin.request({ method, path, headers: { ...headers, ...who }, body: stream, signal })
      const received = new Headers()
      for (const [name, value] of Object.entries(answer.headers))
        for (const each of [value ?? []].flat()) received.append(name, each)
      return { status: answer.status, headers: received, text: await text(answer.body) }
    }
  const visitor = (session = randomBytes(4).toString('hex')) => createBrowser(ask(session, session))
  const linkOf = (type: DatabaseType) => adminUrl('', type, account.database, account.username)

  describe.each(types)('%s', (type, _name, driver) => {
    test('a wrong password is refused by the engine', async () => {
      const page = await logIn(visitor(), linkOf(type), driver, { ...account, password: 'wrong' })
      expect(page.status).toBe(403)
      expect(page.text).toMatch(/authentication failed|Access denied/)
    })

    test('runs a file of statements', async () => {
      const browser = visitor()
      await logIn(browser, linkOf(type), driver, account)
      const page = await browser.open(`${linkOf(type)}&import=`)
      await servers[type].as(account, 'DROP TABLE IF EXISTS imported')
      const rows = Array.from({ length: 50_000 }, (_, id) => `(${id})`).join(',')
      const file = new File([`CREATE TABLE imported (id int);\nINSERT INTO imported VALUES ${rows};\n`], 'dump.sql')
      const fields = { 'sql_file[]': file, token: tokenOf(page), error_stops: '1' }
      expect((await browser.submit(`${linkOf(type)}&import=`, fields)).text).toContain('50,000 rows affected')
      const [row] = await servers[type].as(account, 'SELECT count(*) AS n FROM imported')
      expect(Number(row!.n)).toBe(50_000)
    })

    test('the session ends when another account signs in to the panel', async () => {
      let session = 'first'
      const browser = createBrowser((requested) => ask(session, session)(requested))
      expect((await logIn(browser, linkOf(type), driver, account)).status).toBe(200)
      session = 'second'
      const page = await browser.open(linkOf(type))
      expect([page.status, page.text.includes('goods')]).toEqual([403, false])
    })
  })

  test('no other server or driver can be selected', async () => {
    let connections = 0
    const { gateway } = await network()
    const rogue = createServer((socket) => {
      connections++
      socket.destroy()
    }).listen(0, gateway)
    await new Promise((resolve) => rogue.once('listening', resolve))
    const at = `${gateway}:${(rogue.address() as { port: number }).port}`
    const auth = (driver: string, server: string) => ({
      ...{ 'auth[driver]': driver, 'auth[server]': server, 'auth[username]': 'u' },
      ...{ 'auth[password]': 'p', 'auth[db]': 'd' }
    })
    const pages: Promise<Page>[] = []
    const opened: Promise<Page>[] = []
    for (const driver of ['server', 'pgsql', 'elastic', 'mssql', 'mongo', 'oracle', 'sqlite', 'clickhouse']) {
      const asIs = `/adminer/?${driver}=${encodeURIComponent(at)}&username=u&db=d`
      pages.push(visitor().submit('/adminer/', auth(driver, at)), visitor().submit(asIs, auth(driver, at)))
      opened.push(visitor().open(asIs))
    }
    const nested = `/adminer/?server[]=${at}&username=u`
    const refusal = /panel|not available/
    for (const page of await Promise.all([...pages, visitor().open(nested)]))
      expect([page.status, page.text]).toEqual([403, expect.stringMatching(refusal) as string])
    // To a version without the driver the address means nothing: it shows the form of the two that there are.
    const form =
      /<select name='auth\[driver\]'><option value="pgsql">PostgreSQL<option value="server"[^>]*>MySQL<\/select>/
    for (const page of await Promise.all(opened))
      expect([page.status, refusal.test(page.text) || form.test(page.text)]).toEqual([403, true])
    const { status } = await visitor().open('/adminer/?elastic=&username=u')
    expect([status, connections]).toEqual([403, 0])
    rogue.close()
  })

  test('requests without the secret get no response', async () => {
    for (const headers of [{}, { 'x-panel-secret': '' }, { 'x-panel-secret': 'guess' }] as Record<string, string>[]) {
      const answer = await fetch(`http://${address}:8080/adminer/`, { headers })
      expect([answer.status, await answer.text()]).toEqual([403, 'Open this through the panel.\n'])
    }
    for (const path of ['/', '/index.php/x', '/adminer', '/adminer/index.php', '/server-status', '/icons/'])
      expect([403, 404], path).toContain((await fetch(`http://${address}:8080${path}`)).status)
  })

  test('its container is sandboxed', async () => {
    const [id] = await runningContainers(`panel.instance=${instanceId}`)
    const [facts] = JSON.parse(await docker('inspect', id!)) as [{ Config: object; HostConfig: object }]
    expect(facts.Config).toMatchObject({ User: '65533:65533' })
    expect(facts.HostConfig).toMatchObject({ ReadonlyRootfs: true, CapDrop: ['ALL'], Privileged: false, PortBindings: {} }) // oxfmt-ignore
    const settings = `echo json_encode([function_exists('exec'), (int) ini_get('mysqli.allow_local_infile'),
      (int) ini_get('allow_url_fopen'), @file_get_contents('/etc/passwd')]);`
    expect(JSON.parse(await docker('exec', id!, 'php', '-r', settings))).toEqual([false, 0, 0, false])
  })

  describeDatabaseAdmin('Adminer', async () => ({ admin, close: async () => {} }))
})

describe('behind the panel', () => {
  let panel: RunningPanel
  let user: Client
  beforeAll(async () => {
    panel = (await sharedWorld()).panel
    user = await panel.signUp()
    await until(async () => (await person().open('/adminer/')).status, (status) => status === 200, 300_000) // oxfmt-ignore
  })

  const ask = async ({ method, path, headers, body }: Request): Promise<Page> => {
    const { 'content-length': _, ...rest } = headers
    const origin: Record<string, string> = method === 'POST' ? { origin: panel.url } : {}
    const answer = await fetch(`${panel.url}${path}`, {
      ...{ method, redirect: 'manual', headers: { ...rest, ...origin } },
      ...(body === undefined ? {} : { body })
    })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }
  const person = () => createBrowser(ask, Object.fromEntries([user.cookie.split(/=(.*)/s)]) as Record<string, string>)
  const containers = async () => {
    const all = await runningContainers(`panel.instance=${panel.instanceId}`)
    const admins = await runningContainers('panel.role=database-admin')
    return all.filter((id) => admins.includes(id))
  }

  test.each(types)('opens a %s database by its link', async (type, _name, driver) => {
    const name = `db_${driver}_${randomBytes(4).toString('hex')}`
    const database = await user.call<Database>('POST', '/databases', { name, type })
    const { pathname, search } = new URL(database.adminUrl)
    const link = pathname + search
    const browser = person()
    const login = { database: database.name, username: database.username, password: database.password! }
    const page = await logIn(browser, link, driver, login)
    expect(page.status).toBe(200)
    expect(page.headers.get('content-security-policy')).toMatch(/frame-ancestors 'none'/)
    expect(page.text).not.toContain('verifyVersion')
    await execute(browser, link, 'CREATE TABLE goods (id int); INSERT INTO goods VALUES (4711)')
    expect(await execute(browser, link, 'SELECT id + 1 AS answer FROM goods')).toContain('4712')
    expect((await browser.open(link)).text).toContain('goods')
    const stranger = await createBrowser(ask).open(link)
    expect([stranger.status, stranger.text]).toEqual([401, expect.stringContaining('UNAUTHENTICATED') as string])
  })

  test('it is restarted after a kill or removal', async () => {
    const [id] = await containers()
    await docker('rm', '--force', id!)
    await until(async () => (await person().open('/adminer/')).status, (status) => status === 200) // oxfmt-ignore
    const [next] = await containers()
    await docker('stop', next!)
    await until(containers, (ids) => ids[0] === next)
  })
})

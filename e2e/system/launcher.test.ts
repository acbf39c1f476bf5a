import { randomBytes, randomInt } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Schema } from '@panel/client'
import type { Deployment } from '@panel/contract/deployments'
import type { Health } from '@panel/contract/system'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { exists } from '../../packages/server/src/infra/disk/exists.ts'
import { processesIn } from '../../packages/server/src/infra/process/processes-in.ts'
import { dnsServerPaths, engineDirectory } from '../../packages/server/src/process/paths.ts'
import { makeMemoryDirectory } from '../../packages/server/src/process/memory-directory.ts'
import { type RunningCommand, startCommand } from '../support/command.ts'
import { findObjects, removeObjects, runningContainers } from '../support/engine.ts'
import { type GitHttpServer, startGitHttpServer } from '../support/git-server.ts'
import { type Client, queryStore, type RunningPanel, startPanel } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { commandLines } from '../support/processes.ts'
import { builtNodeSite, nodeSite } from '../support/sites.ts'
import { ownDatabases } from '../support/shared-databases.ts'
import { freePort } from '../../packages/server/test/support/ports.ts'

const directories: string[] = []
const commands: RunningCommand[] = []

async function makeDataDir(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'panel-launcher-'))
  await chmod(directory, 0o700)
  directories.push(directory)
  return join(directory, 'data')
}

function start(command: string[], env: Record<string, string>): RunningCommand {
  const started = startCommand(command, {
    DNS_LISTEN: '127.0.0.1',
    DNS_PORT: String(20_000 + randomInt(10_000)),
    SFTP_PORT: String(30_000 + randomInt(2_000)),
    MAIL: 'off',
    ...env
  })
  commands.push(started)
  return started
}

/** Running programs of this state: database, proxy, name server. */
async function programsOf(dataDir: string): Promise<string[]> {
  const { directory } = await dnsServerPaths({ DATA_DIR: dataDir })
  return (await commandLines()).filter((line) => line.includes(dataDir) || line.includes(directory))
}

async function lastingPrograms(dataDir: string): Promise<string[]> {
  for (let before = await programsOf(dataDir); ;) {
    await sleep(500)
    const now = await programsOf(dataDir)
    if (now.toSorted().join('\n') === before.toSorted().join('\n')) return now.toSorted()
    before = now
  }
}

afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') for (const command of commands) console.error(command.stdout(), command.stderr())
  await Promise.all(commands.splice(0).map((command) => command.kill('SIGTERM')))
})
afterAll(async () => {
  for (const directory of directories) {
    const dataDir = join(directory, 'data')
    const { directory: dnsDirectory } = await dnsServerPaths({ DATA_DIR: dataDir })
    for (const path of [dirname(dnsDirectory), (await makeMemoryDirectory(dataDir)).path, directory])
      await rm(path, { recursive: true, force: true })
  }
})

const secret = () => randomBytes(32).toString('hex')

describe('without a command', () => {
  test.each([
    ['./panel', [], 0],
    ['./panel nonsense', ['nonsense'], 1]
  ])('%s prints the help', async (_, args, code) => {
    const command = start(args, {})
    expect(await command.ended).toEqual({ code, signal: null })
    const output = command.stdout() + command.stderr()
    for (const name of ['up', 'serve', 'demo', 'doctor', 'test'])
      expect(output).toMatch(new RegExp(`^  ${name} +\\S`, 'm'))
    if (code !== 0) expect(output).toContain('nonsense')
  })
})

describe('./panel serve', () => {
  const alone = async (env: Record<string, string> = {}) => ({
    DATA_DIR: await makeDataDir(),
    HOST: '127.0.0.1',
    PORT: String(await freePort()),
    DOCKER_SOCKET: '/nonexistent/docker.sock',
    ...env
  })

  test('runs without a container engine and proxy and reports them; a changed ENCRYPTION_KEY is refused with the remedy', async () => {
    const env = await alone({ SESSION_SECRET: secret(), ENCRYPTION_KEY: secret() })
    const serve = (values: Record<string, string> = {}) => start(['serve'], { ...env, ...values })
    const panel = serve()
    await panel.untilOutput('Panel ready')
    const api = `http://127.0.0.1:${env.PORT}/api`
    // On a busy machine the first check of the store may take too long.
    await expect
      .poll(async () => {
        const answer = await fetch(`${api}/health`)
        return { httpStatus: answer.status, ...((await answer.json()) as Health) }
      })
      .toMatchObject({
        httpStatus: 200,
        status: 'ok',
        parts: {
          store: { status: 'ok' },
          containerEngine: { status: 'missing', remedy: expect.any(String) },
          reverseProxy: { status: expect.stringMatching(/missing|unreachable/), remedy: expect.any(String) }
        }
      })
    const post = (path: string, body: unknown, cookie = '') =>
      fetch(`${api}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie },
        body: JSON.stringify(body)
      })
    const account = { email: 'someone@example.com', password: 'correct horse battery' }
    const registered = await post('/auth/register', { ...account, name: 'Someone', confirmPassword: account.password })
    expect(registered.status).toBe(201)
    const login = await post('/auth/login', account)
    expect(login.status).toBe(200)
    const cookie = login.headers.get('set-cookie')!.split(';')[0]!
    expect((await post('/projects', { name: 'first', type: 'NODEJS' }, cookie)).status).toBe(201)
    expect(await (await fetch(`${api}/projects`, { headers: { cookie } })).json()).toMatchObject({
      projects: [{ name: 'first' }]
    })
    expect(await panel.kill('SIGTERM')).toEqual({ code: 0, signal: null })
    expect(await programsOf(env.DATA_DIR)).toEqual([])

    const changed = serve({ ENCRYPTION_KEY: secret() })
    expect((await changed.ended).code).toBe(1)
    expect(changed.stderr()).toMatch(/ENCRYPTION_KEY.*previous key/s)
    expect(await programsOf(env.DATA_DIR)).toEqual([])
    const again = serve({ SESSION_SECRET: secret() })
    await again.untilOutput('Panel ready')
  })

  // config.test.ts has each variable.
  test('refuses to start with bad variables, and names each', async () => {
    const bad = { SESSION_SECRET: 'short', PORT: 'http', BUILD_MEMORY_LIMIT: 'much', DATABASE_URL: 'mysql://x/y' }
    const env = await alone(bad)
    const panel = start(['serve'], env)
    expect((await panel.ended).code).toBe(1)
    for (const name of Object.keys(bad)) expect(panel.stderr()).toContain(name)
    expect(panel.stderr()).not.toMatch(/^\s+at /m)
    expect(panel.stdout()).not.toContain('Panel ready')
    expect(await programsOf(env.DATA_DIR)).toEqual([])
  })
})

test('./panel doctor prints one line per component', async () => {
  const doctor = start(['doctor'], {
    DATA_DIR: await makeDataDir(),
    PORT: String(await freePort()),
    BASE_DOMAIN: 'apps.example.org',
    PANEL_DOMAIN: 'panel.example.org'
  })
  const { code } = await doctor.ended
  expect([0, 1]).toContain(code)
  const table = doctor.stdout()
  expect(table).toMatch(/^PART +FOUND +VERSION +RUNNING +REACHABLE +WHAT TO DO/)
  for (const part of [
    'Node.js',
    'git',
    'OpenSSH',
    'Database',
    'Sessions',
    'Container engine',
    'Reverse proxy',
    'Panel',
    'Registration',
    'Disk'
  ])
    expect(table).toMatch(new RegExp(`^${part}.* +(yes|no|-)`, 'm'))
  expect(table).toMatch(/^Registration +yes +open .*ALLOW_REGISTRATION=false/m)
  expect(table).toMatch(/^Container engine +yes +\d+\.\S+ +yes +yes/m)
  expect(table).toMatch(/^Site domain +yes +apps\.example\.org .*below example\.org/m)
})

describe('./panel up', () => {
  let git: GitHttpServer
  let panel: RunningPanel
  let admin: Client
  beforeAll(async () => {
    git = await startGitHttpServer()
    panel = await startPanel({ ...ownDatabases, GIT_EXTRA_HOSTS: `127.0.0.1:${git.port}` })
  })
  afterAll(async () => {
    await panel?.dispose()
    await git?.stop()
  })
  const isUp = async () => (await fetch(`${panel.url}/api/health`)).status === 200
  const secrets = () => readFile(join(panel.dataDir, 'panel.env'), 'utf8')

  test('prints a setup link until there is an account', async () => {
    const [, link = ''] = /^Setup link.*: (http:\S+\/setup)#[\w-]{32}$/m.exec(panel.output()) ?? []
    expect(await (await fetch(link, { headers: { accept: 'text/html' } })).text()).toContain('<div id="root">')
    admin = await panel.signUp()
  })

  test('creates private secrets once', async () => {
    expect(await secrets()).toMatch(/^SESSION_SECRET=[0-9a-f]{64}\nENCRYPTION_KEY=[0-9a-f]{64}$/m)
    expect((await stat(join(panel.dataDir, 'panel.env'))).mode & 0o777).toBe(0o600)
  })

  test('a second one on the same state reports it and does no harm', async () => {
    const before = [await secrets(), await lastingPrograms(panel.dataDir)]
    const second = start(['up'], { DATA_DIR: panel.dataDir, PORT: String(await freePort()) })
    expect((await second.ended).code).toBe(1)
    expect(second.stderr()).toMatch(/Another panel runs on/)
    expect(second.stderr()).not.toMatch(/^\s+at /m)
    expect(await isUp()).toBe(true)
    expect([await secrets(), await lastingPrograms(panel.dataDir)]).toEqual(before)
  })

  test('a second one on the same port reports it and leaves nothing', async () => {
    const dataDir = await makeDataDir()
    const second = start(['up'], {
      DATA_DIR: dataDir,
      HOST: '127.0.0.1',
      PORT: new URL(panel.url).port,
      PROXY_HTTP_PORT: String(await freePort()),
      PROXY_HTTPS_PORT: String(await freePort())
    })
    expect((await second.ended).code).toBe(1)
    expect(second.stderr()).toMatch(/EADDRINUSE.*Another program or panel uses this port/s)
    expect(await programsOf(dataDir)).toEqual([])
    expect(await isUp()).toBe(true)
  })

  test('SIGTERM and SIGINT stop everything it started, and the next start continues', async () => {
    const user = await panel.signUp()
    const site = await user.createSite(git, nodeSite('stays'))
    await user.mustRun(site.id)
    const before = await secrets()
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      expect((await programsOf(panel.dataDir)).join('\n')).toMatch(/(?=[^]*haproxy)(?=[^]*knotd)[^]*postgres/)
      await panel.stop(signal)
      expect(await programsOf(panel.dataDir)).toEqual([])
      expect(await runningContainers(`panel.project=${site.id}`)).toHaveLength(1)
      await panel.start()
    }
    expect(await secrets()).toBe(before)
    expect(panel.output()).not.toContain('Setup link')
    expect(await user.request('GET', '/auth/me')).toMatchObject({ status: 200 })
    await until(
      async () => (await panel.visit(site.hostname)).body,
      (body) => body.startsWith('stays')
    )
    await user.call('DELETE', `/projects/${site.id}`)
  })

  test('changed settings survive kill -9 of either process and are effective', async () => {
    const put = (body: object) => admin.request('PUT', '/system/settings', body)
    const isOpen = async () =>
      ((await (await fetch(`${panel.url}/api/auth/config`)).json()) as { allowRegistration: boolean }).allowRegistration
    const setting = async (name: string) =>
      (await admin.call<Schema<'ServerSettings'>>('GET', '/system/settings')).variables!.find(
        (one) => one.name === name
      )
    expect(await put({ timezone: 'asia/calcutta', variables: { ALLOW_REGISTRATION: 'false' } })).toMatchObject({
      status: 200,
      body: { timezone: 'Asia/Kolkata' }
    })
    expect(await isOpen()).toBe(false)
    expect(await setting('SESSION_SECRET')).toMatchObject({ source: 'file', isSet: true, value: null })
    expect(await setting('PORT')).toMatchObject({ source: 'environment', isChangeable: false })
    for (const end of [() => panel.killWorker(), () => panel.kill()]) {
      await end()
      await panel.start()
      expect(await isOpen()).toBe(false)
      expect(await admin.call('GET', '/system/settings')).toMatchObject({ timezone: 'Asia/Kolkata' })
      expect(await setting('ALLOW_REGISTRATION')).toMatchObject({
        value: 'false',
        source: 'changed',
        startValue: 'true'
      })
    }
    await put({ variables: { ALLOW_REGISTRATION: null } })
    expect(await isOpen()).toBe(true)
  })

  test('starts no process while idle', async () => {
    // Page faults of exited children; every child has some.
    const faultsOfChildren = async () => {
      const stat = await readFile(`/proc/${panel.pid()}/stat`, 'utf8')
      return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[8]
    }
    // Waits for one probe of every program and one reconcile round.
    await until(
      async () => {
        const before = await faultsOfChildren()
        await sleep(12_000)
        return (await faultsOfChildren()) === before
      },
      (isAtRest) => isAtRest,
      240_000
    )
  })

  test('after kill -9, the next one adopts what runs and stops it later', async () => {
    await panel.kill()
    expect((await programsOf(panel.dataDir)).join('\n')).toMatch(/(?=[^]*haproxy)(?=[^]*knotd)[^]*postgres/)
    await panel.start()
    await panel.stop()
    expect(await programsOf(panel.dataDir)).toEqual([])
    await panel.start()
  })

  test('SIGTERM during a build fails it with the reason', async () => {
    const user = await panel.signUp()
    const site = await user.createSite(git, builtNodeSite('never', 'sleep 600'))
    const deployment = await user.call<Deployment>('POST', `/projects/${site.id}/build`)
    await user.waitFor(site.id, deployment.id, ({ buildLogs }) => buildLogs?.includes('sleep 600') === true)
    await panel.stop()
    expect(await programsOf(panel.dataDir)).toEqual([])
    await until(
      () => findObjects(`panel.project=${site.id}`),
      ({ containers }) => containers.length === 0
    )
    await panel.start()
    const ended = await user.waitFor(site.id, deployment.id)
    expect(ended).toMatchObject({ status: 'FAILED', buildLogs: expect.stringMatching(/^FAILED: The panel .*stopped/m) })
    await user.call('DELETE', `/projects/${site.id}`)
  })

  const engines = ['postgresql', 'mysql'] as const
  /** Status of each database server, and whether it has processes. */
  async function databaseServers(): Promise<Record<string, [string, boolean]>> {
    const { parts } = (await (await fetch(`${panel.url}/api/health`)).json()) as Pick<Health, 'parts'>
    const entries = engines.map(async (name): Promise<[string, [string, boolean]]> => {
      const data = `${engineDirectory({ DATA_DIR: panel.dataDir }, { folder: name })}/data`
      const processes = (await exists(data)) ? await processesIn(data) : []
      return [name, [parts[name]!.status, processes.length > 0]]
    })
    return Object.fromEntries(await Promise.all(entries))
  }
  const idle = ['idle', false]
  const running = ['ok', true]
  /** Retries, because a slow start is refused while the server starts. */
  async function createDatabase(user: Client, type: 'POSTGRESQL' | 'MYSQL'): Promise<string> {
    const body = { name: `idle_${randomBytes(4).toString('hex')}`, type }
    const answer = await until(
      () => user.request<{ id: string }>('POST', '/databases', body),
      ({ status }) => status !== 503
    )
    expect(answer).toMatchObject({ status: 201 })
    expect(await user.call('POST', `/databases/${answer.body.id}/test`)).toMatchObject({ ok: true })
    return answer.body.id
  }

  test('database servers are idle until their first database, on a start too; one left by a killed panel is adopted', async () => {
    const user = await panel.signUp()
    expect(panel.output()).toContain('MariaDB is idle. It starts with the first MariaDB database.')
    await expect.poll(databaseServers).toEqual({ postgresql: idle, mysql: idle })
    await createDatabase(user, 'MYSQL')
    await expect.poll(databaseServers).toEqual({ postgresql: idle, mysql: running })
    await panel.stop()
    await panel.start()
    await expect.poll(databaseServers).toEqual({ postgresql: idle, mysql: running })

    // Concurrent ones share one start.
    const made = await Promise.all([1, 2].map(() => createDatabase(user, 'POSTGRESQL')))
    await expect.poll(databaseServers).toEqual({ postgresql: running, mysql: running })
    for (const id of made) await user.call('DELETE', `/databases/${id}`)
    await panel.kill()
    await panel.start()
    await expect.poll(databaseServers).toEqual({ postgresql: running, mysql: running })
  })

  test('SIGTERM during the start stops cleanly', async () => {
    const dataDir = await makeDataDir()
    const env = {
      DATA_DIR: dataDir,
      HOST: '127.0.0.1',
      PORT: String(await freePort()),
      PROXY_HTTP_PORT: String(await freePort()),
      PROXY_HTTPS_PORT: String(await freePort())
    }
    const starting = start(['up'], env)
    await starting.untilOutput('Wrote new secrets')
    expect(await starting.kill('SIGTERM')).toEqual({ code: 0, signal: null })
    expect(starting.stdout()).not.toContain('Panel ready')
    expect(await programsOf(dataDir)).toEqual([])
  })
})

test('./panel demo prints a working URL and no mail servers with MAIL=off', async () => {
  const proxyPort = await freePort()
  const dataDir = await makeDataDir()
  const demo = start(['demo'], {
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    PORT: String(await freePort()),
    PROXY_HTTP_PORT: String(proxyPort),
    PROXY_HTTPS_PORT: String(await freePort()),
    MAIL: 'off'
  })
  await demo.untilOutput('Panel ready')
  expect(demo.stderr()).toContain('Starting the reverse proxy')
  expect(demo.stderr()).not.toContain('the mail server')
  const [instance] = await queryStore<{ value: string }>(
    dataDir,
    `select value from settings where key = 'instance_id'`
  )
  const address = new URL(/^Sample site: (\S+)$/m.exec(demo.stdout())![1]!)
  const status = await new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port: proxyPort, path: '/', headers: { host: address.host } }, (response) =>
      resolve(response.resume().statusCode)
    ).on('error', reject)
  })
  expect(status).toBe(200)
  expect(address.port).toBe(String(proxyPort))
  expect(await demo.kill('SIGTERM')).toEqual({ code: 0, signal: null })
  expect(await programsOf(dataDir)).toEqual([])
  await removeObjects(`panel.instance=${instance!.value}`)
})

import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { machineCgroups } from '../../packages/server/src/infra/cgroup/machine-cgroups.ts'
import { run } from '../../packages/server/src/infra/process/run.ts'
import { engineDirectory } from '../../packages/server/src/process/paths.ts'
import { processesIn } from '../../packages/server/src/infra/process/processes-in.ts'
import { docker } from '../support/engine.ts'
import { type GitHttpServer, startGitHttpServer } from '../support/git-server.ts'
import { type Client, type RunningPanel, type Site, startPanel } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { probingSite } from '../support/probe.ts'
import { kill } from '../support/processes.ts'
import { ownDatabases } from '../support/shared-databases.ts'
import { freePort } from '../../packages/server/test/support/ports.ts'

const execute = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))

let git: GitHttpServer
let panel: RunningPanel
let user: Client
let site: Site
/** Occupies MariaDB's port before MariaDB starts. */
let squatter: Server
let ports: number[]
let gateway: string
beforeAll(async () => {
  git = await startGitHttpServer()
  const [postgresPort, mysqlPort] = [await freePort(), await freePort()]
  ports = [postgresPort, mysqlPort]
  squatter = createServer((socket) => socket.destroy()).listen(mysqlPort, '127.0.0.1')
  await once(squatter, 'listening')
  panel = await startPanel({
    ...ownDatabases,
    GIT_EXTRA_HOSTS: `127.0.0.1:${git.port}`,
    POSTGRES_PORT: String(postgresPort),
    MYSQL_PORT: String(mysqlPort)
  })
  user = await panel.signUp()
  await user.call('POST', '/databases', { name: `reach_${process.pid}`, type: 'POSTGRESQL' })
  site = await user.createSite(git, probingSite())
  await user.mustRun(site.id)
  gateway = await docker(
    'network',
    'inspect',
    `panel-${panel.instanceId}`,
    '--format',
    '{{(index .IPAM.Config 0).Gateway}}'
  )
})
afterAll(async () => {
  await panel?.dispose()
  squatter?.close()
  await git?.stop()
})

const probe = (port: number) => [
  '-e',
  `const socket = require('net').connect({ host: '${gateway}', port: ${port}, timeout: 3000 })
  const say = (word) => { console.log(word); process.exit() }
  socket.on('connect', () => say('connected')).on('timeout', () => say('blocked')).on('error', () => say('blocked'))`
]
const fromHost = async (port: number) => (await execute('node', probe(port))).stdout.trim()
const fromSite = async (port: number, at = 'gateway') =>
  (await panel.visit(site.hostname, `/connect/${at}/${port}`)).body

const stateDirectories = () =>
  ['postgresql', 'mysql'].map((folder) => engineDirectory({ DATA_DIR: panel.dataDir }, { folder }))

const pids = async () => {
  const directories = stateDirectories().map((directory) => `${directory}/data`)
  return Promise.all(directories.map(processesIn))
}

const mainPids = async () => {
  const [postgresql, mysql] = stateDirectories()
  const files = [`${postgresql}/data/postmaster.pid`, `${mysql}/run/mariadb.pid`]
  return Promise.all(files.map(async (path) => parseInt(await readFile(path, 'utf8'), 10)))
}

test('a first database with an occupied server port is refused; the server starts once the port is free', async () => {
  const answer = await user.request('POST', '/databases', { name: `reach_${process.pid}`, type: 'MYSQL' })
  expect(answer).toMatchObject({ status: 503, body: { code: 'DATABASE_SERVER_UNAVAILABLE' } })
  expect(panel.output()).toMatch(
    /MariaDB cannot listen on 127\.0\.0\.1 port \d+: Address already in use; .*MYSQL_PORT.*MYSQL_ADMIN_URL/
  )
  squatter.close()
  await until(
    () => fromHost(ports[1]!),
    (word) => word === 'connected'
  )
})

describe('both engines', () => {
  test('are reached by a site, and by programs on the machine', async () => {
    for (const port of ports) {
      expect(await fromSite(port)).toBe('connected')
      expect(await fromSite(port, gateway)).toMatch(/^blocked/)
      expect(await fromHost(port)).toBe('connected')
    }
  })

  test('have their own cgroups', async () => {
    const [postgresql, mysql] = await mainPids()
    const cage = `/panel${panel.instanceId}`
    expect(await readFile(`/proc/${postgresql}/cgroup`, 'utf8')).toContain(`${cage}/postgresql`)
    expect(await readFile(`/proc/${mysql}/cgroup`, 'utf8')).toContain(`${cage}/mysql`)
  })

  test('listen nowhere else', async () => {
    const { stdout } = await execute('ss', ['-Hltn'])
    const addresses = stdout.split('\n').map((line) => line.split(/\s+/)[3] ?? '')
    for (const port of ports)
      expect(addresses.filter((address) => address.endsWith(`:${port}`)).sort()).toEqual(
        [`127.0.0.1:${port}`, `${gateway}:${port}`].sort()
      )
  })

  test('are unreachable from containers of others', async () => {
    for (const port of ports)
      expect(await docker('run', '--rm', 'node:24-trixie-slim', 'node', ...probe(port))).toBe('blocked')
  })

  test('are unreachable from builds', async () => {
    const command = [gateway, 'gateway']
      .flatMap((at) => ports.map((port) => `node probe.js connect ${at} ${port}`))
      .join(' && ')
    const other = await user.createSite(git, probingSite(command))
    const built = await user.build(other.id)
    expect(built.buildLogs?.match(/probe connect [\w.]+ \d+: blocked/g)).toHaveLength(4)
    expect(built.buildLogs).not.toContain(': connected')
  })

  test('are unreachable for a neighbor that routes packets here', async () => {
    const name = `db${process.pid}`
    const enter = (...argv: string[]) => execute('ip', ['netns', 'exec', name, ...argv])
    await execute('ip', ['netns', 'add', name])
    try {
      await execute('ip', ['link', 'add', name, 'type', 'veth', 'peer', 'name', 'uplink', 'netns', name])
      await execute('ip', ['address', 'add', '198.18.255.253/30', 'dev', name])
      await execute('ip', ['link', 'set', name, 'up'])
      await enter('ip', 'address', 'add', '198.18.255.254/30', 'dev', 'uplink')
      await enter('ip', 'link', 'set', 'uplink', 'up')
      await enter('ip', 'route', 'add', 'default', 'via', '198.18.255.253')
      const open = createServer((socket) => socket.destroy()).listen(0, gateway)
      await once(open, 'listening')
      const { port } = open.address() as { port: number }
      // Control: an address without a firewall rule is reachable.
      expect((await enter('node', ...probe(port))).stdout.trim()).toBe('connected')
      open.close()
      for (const one of ports) expect((await enter('node', ...probe(one))).stdout.trim()).toBe('blocked')
    } finally {
      await execute('ip', ['netns', 'del', name])
    }
  })

  test('and the name server are checked by doctor', async () => {
    const env = { PATH: process.env.PATH, DATA_DIR: panel.dataDir, DNS_PORT: String(panel.dnsPort), POSTGRES_PORT: String(ports[0]), MYSQL_PORT: String(ports[1]) } // oxfmt-ignore
    const { stdout } = await execute(`${root}/panel`, ['doctor'], { env }).catch((error: { stdout: string }) => error)
    expect(stdout).toMatch(/^PostgreSQL +yes +[\d.]+ +yes +yes/m)
    expect(stdout).toMatch(/^MariaDB +yes +[\d.]+ +yes +yes/m)
    expect(stdout).toMatch(/^Name server +yes +3\.\S+ +yes +yes *$/m)
  })

  test('survive a kill of the panel and are adopted by the next one', async () => {
    const before = await mainPids()
    await panel.kill()
    for (const port of ports) expect(await fromHost(port)).toBe('connected')
    await panel.start()
    expect(await mainPids()).toEqual(before)
  })

  test('are restarted after kill -9', async () => {
    for (const pid of (await pids()).flat()) kill(pid, 'SIGKILL')
    for (const port of ports)
      await until(
        () => fromSite(port),
        (word) => word === 'connected'
      )
  })

  test('stop with the panel, and so does Adminer', async () => {
    const roles = async () => {
      const own = ['--filter', `label=panel.instance=${panel.instanceId}`, '--format', '{{.Label "panel.role"}}']
      return (await docker('ps', ...own)).split('\n')
    }
    await until(roles, (found) => found.includes('database-admin'))
    await panel.stop()
    expect(await roles()).not.toContain('database-admin')
    expect(await pids()).toEqual([[], []])
    expect(await machineCgroups(run).listPids([`panel${panel.instanceId}`, 'accounts'])).not.toEqual([])
    for (const port of ports) expect(await fromHost(port)).toBe('blocked')
  })
})

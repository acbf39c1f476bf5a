import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeHostFirewall } from '../../packages/server/test/contracts/host-firewall.contract.ts'
import { createNftables } from '../../packages/server/src/infra/host-firewall/nftables.ts'
import { run } from '../../packages/server/src/infra/process/run.ts'
import { listOtherPools } from '../../packages/server/src/infra/host-firewall/other-panels.ts'
import { freePort } from '../../packages/server/test/support/ports.ts'
import { docker } from '../support/engine.ts'
import { type GitHttpServer, startGitHttpServer } from '../support/git-server.ts'
import { type Client, type RunningPanel, type Site, startPanel } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { probingSite } from '../support/probe.ts'
import { lockFiles } from '../support/sites.ts'
import { ownDatabases } from '../support/shared-databases.ts'

const execute = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))

describeHostFirewall('nftables', async () => {
  const firewall = createNftables({ table: `panel_test_${process.pid}`, run })
  return { firewall, dispose: () => firewall.remove() }
})

let git: GitHttpServer
let panel: RunningPanel
let user: Client
let site: Site
let service: Server
let servicePort: number
let postgresPort: number
let packageHost: string
const projects: string[] = []
beforeAll(async () => {
  git = await startGitHttpServer()
  service = createServer((socket) => socket.destroy())
  service.listen(0, '0.0.0.0')
  await once(service, 'listening')
  servicePort = (service.address() as { port: number }).port
  packageHost = new URL((await execute('npm', ['config', 'get', 'registry'])).stdout.trim()).hostname
  postgresPort = await freePort()
  panel = await startPanel({
    ...ownDatabases,
    GIT_EXTRA_HOSTS: `127.0.0.1:${git.port}`,
    POSTGRES_PORT: String(postgresPort)
  })
  user = await panel.signUp()
  await user.call('POST', '/databases', { name: `wall_${process.pid}`, type: 'POSTGRESQL' })
  site = await user.createSite(git, probingSite())
  projects.push(site.id)
  await user.mustRun(site.id)
})
afterAll(async () => {
  await panel?.dispose()
  service?.close()
  await git?.stop()
})

const table = () => execute('nft', ['list', 'table', 'inet', `panel_${panel.instanceId}`]).then(({ stdout }) => stdout)
const ask = async (path: string) => (await panel.visit(site.hostname, path)).body

async function foreignContainer(port: number): Promise<string> {
  const script = `require('net').connect(${port}, process.argv[1]).on('connect', () => { console.log('connected'); process.exit() })`
  const gateway = await docker('network', 'inspect', 'bridge', '--format', '{{(index .IPAM.Config 0).Gateway}}')
  return docker('run', '--rm', 'node:24-trixie-slim', 'node', '-e', script, gateway || '172.17.0.1')
}

test('containers are identified by account', async () => {
  await until(table, (rules) => /map accounts \{[^}]*elements = \{ "pn\w+a\w+" : 0x0000[0-9a-f]{4} \}/.test(rules))
})

test('foreign containers are ignored', async () => {
  expect(await foreignContainer(servicePort)).toBe('connected')
})

test('a container reaches no service of the host except the proxy; DNS works', async () => {
  expect(panel.output()).not.toContain('Containers are not isolated')
  expect(await ask('/')).toBe('probing site')
  expect(await ask(`/connect/gateway/${servicePort}`)).toMatch(/^blocked/)
  const others = (await execute('hostname', ['-I'])).stdout.trim().split(' ')
  for (const address of others.filter((one) => /^[\d.]+$/.test(one)).slice(0, 3))
    expect(await ask(`/connect/${address}/${servicePort}`)).toMatch(/^blocked/)
  expect(await ask(`/get/${panel.proxyPort}/${site.hostname}`)).toBe('status 200')
  expect(await ask(`/lookup/${packageHost}`)).toBe('resolved')
})

test('neither does a build, which can still use the registry', async () => {
  const command = [
    `node probe.js connect gateway ${servicePort}`,
    `node probe.js get ${panel.proxyPort} ${site.hostname}`,
    `node probe.js lookup ${packageHost}`
  ].join(' && ')
  const other = await user.createSite(git, {
    ...probingSite(command, { dependencies: { ms: '2.1.3' } }),
    ...lockFiles.npm
  })
  projects.push(other.id)
  const built = await user.build(other.id)
  expect(built, built.buildLogs ?? '').toMatchObject({ status: 'RUNNING' })
  expect(built.buildLogs).toMatch(/probe connect gateway \d+: blocked/)
  expect(built.buildLogs).toMatch(/probe get .*: status 200/)
  expect(built.buildLogs).toContain(`probe lookup ${packageHost}: resolved`)
})

async function leaveTable(instanceId: string, address: string): Promise<string> {
  const table = `panel_${instanceId}`
  const rules = `table inet ${table} {
    set pools { type ipv4_addr; flags interval; elements = { 10.254.0.0/16 }; }
    chain input { type filter hook input priority -10; policy accept; iifname != "lo" ip daddr ${address} tcp dport 1-65535 drop; }
  }\n`
  await run(['nft', '-f', '-'], { timeoutMs: 10_000, input: rules })
  return table
}

test('stale rules of a killed panel do not affect the next one; rules of running sites stay', async () => {
  const own = `panel-${panel.instanceId}`
  const gateway = await docker('network', 'inspect', own, '--format', '{{(index .IPAM.Config 0).Gateway}}')
  const port = postgresPort
  expect(await ask(`/connect/gateway/${port}`)).toBe('connected')
  const [dead, serving] = ['aaaaaa0000', 'bbbbbb0000']
  await execute('ip', ['link', 'add', `pn${serving.slice(0, 6)}p`, 'type', 'bridge'])
  try {
    await panel.stop()
    const tables = [await leaveTable(dead, gateway), await leaveTable(serving, '10.254.0.1')]
    await panel.start()
    await until(() => ask(`/connect/gateway/${port}`), (answer) => answer === 'connected') // oxfmt-ignore
    const { stdout } = await execute('nft', ['list', 'tables', 'inet'])
    expect(tables.map((table) => stdout.includes(table))).toEqual([false, true])
    expect(await listOtherPools({ run, ownTable: `panel_${panel.instanceId}` })).toContain('10.254.0.0/16')
  } finally {
    await execute('ip', ['link', 'delete', `pn${serving.slice(0, 6)}p`])
    for (const id of [dead, serving]) await execute('nft', ['delete', 'table', 'inet', `panel_${id}`]).catch(() => {})
  }
})

test('doctor confirms that it is active', async () => {
  const { stdout } = await execute(`${root}/panel`, ['doctor'], {
    env: { PATH: process.env.PATH, DATA_DIR: panel.dataDir }
  }).catch((error: { stdout: string }) => error)
  expect(stdout).toMatch(/^Firewall +yes +[\d.]+ +yes/m)
  expect(stdout).toMatch(/^Bridge filter +yes +- +yes/m)
})

test('it stays while sites run without the panel, returns with it and is removed at the end', async () => {
  await panel.stop()
  expect(await table()).toContain('hook input')
  await execute('nft', ['delete', 'table', 'inet', `panel_${panel.instanceId}`])
  await panel.start()
  expect(await table()).toContain('hook forward')
  for (const id of projects) await user.call('POST', `/projects/${id}/container/stop`)
  await panel.stop()
  await expect(table()).rejects.toThrow('No such file')
})

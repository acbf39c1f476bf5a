import type { Database } from '@panel/contract/databases'
import { spawn } from 'node:child_process'
import { beforeAll, expect, test } from 'vitest'
import { run } from '../../packages/server/src/infra/process/run.ts'
import { stateName } from '../../packages/server/src/process/runtime-directory.ts'
import { databaseAdminAccount } from '../../packages/server/src/security/program-secrets.ts'
import { freePort } from '../../packages/server/test/support/ports.ts'
import { ask } from '../databases/clients.harness.ts'
import type { Files } from '../support/git-repositories.ts'
import { panelWithMachines } from '../support/machines.ts'
import type { Client, RunningPanel, Site } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { ownDatabases } from '../support/shared-databases.ts'
import { nodeSite } from '../support/sites.ts'
import type { SshMachine } from '../support/ssh-machine.ts'

// Sites on a machine that is not the panel's own, with databases, which are on the panel's.

const shop = {
  'package.json': JSON.stringify({
    name: 'shop',
    private: true,
    type: 'module',
    scripts: { start: 'node server.js' },
    dependencies: { pg: '8.16.3', mysql2: '3.15.3' }
  }),
  'server.js': `import { createServer } from 'node:http'
import mysql from 'mysql2/promise'
import pg from 'pg'
let held
const postgresql = async () => {
  const client = new pg.Client(process.env.DATABASE_URL)
  await client.connect()
  client.on('error', () => {})
  return client
}
const pages = {
  '/': async () => 'ready',
  '/postgresql': async () => {
    const client = await postgresql()
    const { rows } = await client.query('select current_database() as name')
    await client.end()
    return rows[0].name
  },
  '/mysql': async () => {
    const client = await mysql.createConnection(process.env.OTHER_URL)
    const [rows] = await client.query('select database() as name')
    await client.end()
    return rows[0].name
  },
  '/large': async () => {
    const client = await postgresql()
    const { rows } = await client.query("select repeat('x', 30000000) as text")
    await client.end()
    return String(rows[0].text.length)
  },
  '/hold': async () => {
    held = await postgresql()
    return 'held'
  }
}
createServer((request, response) =>
  pages[request.url]().then((text) => response.end(text), (error) => response.writeHead(500).end(String(error)))
).listen(process.env.PORT, '0.0.0.0')`
}

const ports = { postgresql: await freePort(), mysql: await freePort() }
const world = panelWithMachines({
  ...ownDatabases,
  POSTGRES_PORT: String(ports.postgresql),
  MYSQL_PORT: String(ports.mysql)
})
let machine: SshMachine
let panel: RunningPanel
let ann: Client
let bob: Client
let site: Site
let other: Site
let databases: { postgresql: Database; mysql: Database }

beforeAll(async () => {
  panel = world.panel
  machine = world.machines[0]!
  await world.add(machine, 'm2', ['far'])
  // Another program there has the port of one of the servers.
  const squatter = `require('net').createServer((s) => s.end('squatter')).listen(${ports.postgresql}, '0.0.0.0')`
  const [file, ...args] = machine.enter('node', '-e', squatter)
  spawn(file, args, { stdio: 'ignore' })
  bob = await panel.signUp('bob')
  other = await elsewhere(bob, nodeSite('other'))
  ann = await panel.signUp('ann')
  site = await elsewhere(ann, shop)
})

// On no other machine, also while theirs does not respond.
const elsewhere = (client: Client, files: Files) =>
  client.createSite(world.git, files, { type: 'NODEJS', keepsFiles: false, machineLabels: ['far'] })

const read = async (path: string) => (await panel.visit(site.hostname, path).catch(() => undefined))?.body
const reads = (path: string, text: string) => until(() => read(path), (found) => found === text) // oxfmt-ignore
const readsBoth = async () => {
  await reads('/postgresql', databases.postgresql.name)
  await reads('/mysql', databases.mysql.name)
}

/** Runs a script in the container of a site; `connect` and `address` are defined. */
async function inContainer({ id }: Site, script: string): Promise<string> {
  const container = await machine.run('docker', 'ps', '--quiet', '--filter', `label=panel.project=${id}`)
  const address = JSON.stringify({ host: databases.postgresql.host, port: ports.postgresql, timeout: 3000 })
  const connect = `const { connect } = require('net'); const address = ${address}; const say = (text) => { console.log(text); process.exit() };`
  return (await machine.run('docker', 'exec', container, 'node', '-e', `${connect} ${script}`)).trim()
}

test('query the databases that are linked, by the variables', async () => {
  // First, so that the networks of ann's account differ by machine.
  await bob.mustRun(other.id)
  const create = (type: Database['type'], autoInjectEnv: boolean) =>
    ann.call<Database>('POST', '/databases', { name: `m2_${type.toLowerCase()}_${process.pid}`, type, projectId: site.id, autoInjectEnv }) // oxfmt-ignore
  databases = { postgresql: await create('POSTGRESQL', true), mysql: await create('MYSQL', false) }
  const variables = [{ key: 'OTHER_URL', value: `\${{${databases.mysql.name}.url}}` }]
  await ann.call('POST', `/projects/${site.id}/env`, { variables })
  await ann.mustRun(site.id)
  await readsBoth()
  expect(await read('/large')).toBe('30000000')
  expect(await ask(databases.mysql.hostUri, 'select 1')).toBe('1')
})

test('keep the half of a connection that is still open', async () => {
  // The server answers one byte to a request for TLS.
  const request = `const s = connect({ ...address, allowHalfOpen: true }, () => s.end(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])))
    s.on('data', (data) => say(data.toString())).on('error', (error) => say(error.code))`
  expect(await inContainer(site, request)).toBe('N')
})

test('are limited as on the panel’s machine', async () => {
  const fill = `let all = 0; const open = () => { const s = connect(address, () => { all++; open() }).on('timeout', () => say(all)).on('error', (e) => say(e.code)) }; open()`
  expect(await inContainer(site, fill)).toBe('40')
})

test('cannot sign in as the superuser of a server', async () => {
  const text = `user\\0${databaseAdminAccount}\\0database\\0postgres\\0\\0`
  const startup = `const text = Buffer.from('${text}'); const head = Buffer.alloc(8); head.writeUInt32BE(text.length + 8); head.writeUInt32BE(196608, 4)
    const s = connect(address, () => s.write(Buffer.concat([head, text]))); s.on('data', (data) => say(data.toString('latin1')[0]))`
  expect(await inContainer(site, startup)).toBe('E') // An error, no request for the password.
})

test('of other accounts reach nothing there', async () => {
  const attempt = `connect(address, () => say('connected')).on('timeout', () => say('nothing')).on('error', () => say('nothing'))`
  expect(await inContainer(other, attempt)).toBe('nothing')
})

/** Processes of the panel's connections to machines. */
const connections = async () =>
  (await run(['ps', '-eo', 'pid,args'], { timeoutMs: 10_000 })).stdout
    .split('\n')
    .filter((line) => line.includes(`ControlPath=/run/${stateName(panel.dataDir)}/`))

test('query again after their machine was cut off', async () => {
  const before = await connections()
  expect(before).not.toEqual([])
  await machine.cutOff()
  await until(connections, (found) => before.every((each) => !found.includes(each)))
  await machine.reconnect()
  await readsBoth()
})

test('query again after the panel was killed, which leaves no connection behind', async () => {
  expect(await read('/hold')).toBe('held')
  await panel.kill()
  await until(connections, (found) => found.length === 0)
  await panel.start()
  await readsBoth()
})

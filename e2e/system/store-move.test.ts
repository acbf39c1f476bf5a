import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chmod, chown, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Health } from '@panel/contract/system'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../packages/server/test/support/ports.ts'
import { type Client, type RunningPanel, startPanel } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { kill, killProcesses } from '../support/processes.ts'
import { makeRootDirectory } from '../support/root-directory.ts'

// The panel's database moves to two PostgreSQL servers under Patroni, with the files of deploy/store-pair, survives the loss of one, and moves back.

const execute = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))

let directory: string
let pair: Awaited<ReturnType<typeof startPair>>
let panel: RunningPanel
let ann: Client
let projectId: string

beforeAll(async () => {
  directory = await makeRootDirectory()
  panel = await startPanel()
  ann = await panel.signUp()
  projectId = (await ann.createProject({ type: 'NODEJS' })).id
  await put('FIRST')
  await panel.stop()
  pair = await startPair(directory)
})
afterAll(async () => {
  await panel?.dispose()
  await killProcesses(directory)
  await rm(directory, { recursive: true, force: true })
})

const put = (key: string) => ann.call('POST', `/projects/${projectId}/env`, { key, value: `value of ${key}` })
const keys = async () => {
  const { variables } = await ann.call<{ variables: { key: string }[] }>('GET', `/projects/${projectId}/env`)
  return variables.map(({ key }) => key)
}
const move = (...args: string[]) =>
  execute(join(root, 'panel'), ['store', 'move', ...args], {
    env: { PATH: process.env.PATH, PANEL_NODE: process.execPath, DATA_DIR: panel.dataDir, NEW_DATABASE_URL: pair.url }
  }).then(
    ({ stdout }) => stdout,
    (error: { stderr: string }) => error.stderr
  )

test('the database moves with every row, and only while the panel is stopped', async () => {
  expect(await move()).toContain('The database was moved.')
  expect((await readdir(panel.dataDir)).filter((name) => name.startsWith('postgres'))).toEqual([
    expect.stringMatching(/^postgres-before-/)
  ])
  await panel.start()
  expect(await keys()).toEqual(['FIRST'])
  expect(await move()).toContain('Another panel runs')
})

test('no acknowledged write is lost when the primary is replaced, and when it crashes', async () => {
  const pid = panel.pid()
  const acknowledged: string[] = []
  let isDone = false
  const writing = (async () => {
    for (let n = 0; !isDone; n++) {
      const { status } = await ann.request('POST', `/projects/${projectId}/env`, { key: `N${n}`, value: 'x' }) // oxfmt-ignore
      if (status < 300) acknowledged.push(`N${n}`)
      await sleep(100)
    }
  })()
  const writesAgain = async () => {
    const before = acknowledged.length
    await until(async () => acknowledged.length, (now) => now > before + 5) // oxfmt-ignore
  }
  await writesAgain()
  await pair.switchOver()
  await writesAgain()
  await pair.crash()
  await writesAgain()
  isDone = true
  await writing
  expect(await keys()).toEqual(expect.arrayContaining(['FIRST', ...acknowledged]))

  // Jobs and events too, without a restart.
  const other = await ann.createProject({ type: 'NODEJS' })
  await ann.call('DELETE', `/projects/${other.id}`)
  await until(async () => (await ann.request('GET', `/projects/${other.id}`)).status, (status) => status === 404) // oxfmt-ignore
  await until(async () => (await ann.call<Health>('GET', '/health')).status, (status) => status === 'ok') // oxfmt-ignore
  expect(panel.pid()).toBe(pid)
})

test('the database moves back', async () => {
  const before = await keys()
  await panel.stop()
  expect(await move('--back')).toContain('The database was moved.')
  expect(await readFile(join(panel.dataDir, 'panel.env'), 'utf8')).not.toContain('DATABASE_URL')
  await panel.start()
  expect(await keys()).toEqual(before)
  await panel.stop()
  expect(await move()).toContain('already has accounts')
})

/** Two servers with etcd and the proxy in front, all on this machine. */
async function startPair(directory: string) {
  const { uid, gid } = await userPostgres()
  const at = (name: string) => join(directory, name)
  await mkdir(at('pg'), { mode: 0o700 })
  await chown(at('pg'), uid, gid)
  await chmod(directory, 0o711)
  const start = (argv: [string, ...string[]], as = ['--reuid', String(uid), '--regid', String(gid)]) =>
    spawn('setpriv', [...as, '--clear-groups', '--', ...argv], {
      cwd: at('pg'),
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: at('pg') },
      stdio: 'ignore'
    })
  const [etcdPort, etcdPeerPort, frontPort] = [await freePort(), await freePort(), await freePort()]
  const etcdUrl = `http://127.0.0.1:${etcdPort}`
  const etcdPeerUrl = `http://127.0.0.1:${etcdPeerPort}`
  start(['etcd', '--name', 'e1', '--data-dir', at('pg/etcd'), '--listen-client-urls', etcdUrl, '--advertise-client-urls', etcdUrl, '--listen-peer-urls', etcdPeerUrl, '--initial-advertise-peer-urls', etcdPeerUrl, '--initial-cluster', `e1=${etcdPeerUrl}`]) // oxfmt-ignore

  const template = await readFile(join(root, 'deploy/store-pair/patroni.yml'), 'utf8')
  const { stdout } = await execute('sh', ['-c', 'ls -d /usr/lib/postgresql/*/bin | tail -1'])
  const servers: { name: string; apiPort: number; port: number; process?: ChildProcess }[] = []
  for (const name of ['pg1', 'pg2']) {
    const server = { name, apiPort: await freePort(), port: await freePort() }
    const text = template
      .replace('name: pg1', `name: ${name}`)
      .replace(/hosts: '.*'/, `hosts: '127.0.0.1:${etcdPort}'`)
      .replaceAll('10.0.0.11:8008', `127.0.0.1:${server.apiPort}`)
      .replaceAll('10.0.0.11:5432', `127.0.0.1:${server.port}`)
      .replace('/var/lib/postgresql/15/panel', at(`pg/${name}`))
      .replace('/var/lib/postgresql/15/pgpass', at(`pg/${name}.pass`))
      .replace('/usr/lib/postgresql/15/bin', stdout.trim())
      .replaceAll('10.0.0.0/24', '127.0.0.1/32')
      .replace('max_connections: 200', `max_connections: 200, unix_socket_directories: ''`)
    await writeFile(at(`${name}.yml`), text)
    servers.push(server)
  }
  const launch = (server: (typeof servers)[number]) => (server.process = start(['patroni', at(`${server.name}.yml`)]))
  const isPrimary = ({ apiPort }: (typeof servers)[number]) =>
    fetch(`http://127.0.0.1:${apiPort}/primary`, { signal: AbortSignal.timeout(2_000) }).then(
      ({ ok }) => ok,
      () => false
    )
  const findPrimary = async () => {
    for (const server of servers) if (await isPrimary(server)) return server
    return undefined
  }
  const untilPrimary = async () => (await until(findPrimary, (found) => found !== undefined))!
  /** A standby has every commit before it is acknowledged. */
  const untilInStep = () =>
    until(
      async () => {
        const primary = await findPrimary()
        if (!primary) return []
        const answer = await fetch(`http://127.0.0.1:${primary.apiPort}/cluster`).catch(() => undefined)
        return answer ? ((await answer.json()) as { members: { role: string; state: string }[] }).members : []
      },
      (members) =>
        members.some(({ role, state }) => role === 'sync_standby' && ['running', 'streaming'].includes(state))
    )
  launch(servers[0]!)
  await untilPrimary()
  launch(servers[1]!)

  const front = (await readFile(join(root, 'deploy/store-pair/haproxy.cfg'), 'utf8')).replace('127.0.0.1:6432', `127.0.0.1:${frontPort}`) // oxfmt-ignore
  const withServers = servers.reduce(
    (text, { name, port, apiPort }) =>
      text.replace(new RegExp(`server ${name} .*`), `server ${name} 127.0.0.1:${port} check port ${apiPort}`),
    front
  )
  await writeFile(at('front.cfg'), withServers)
  start(['haproxy', '-db', '-f', at('front.cfg')], [])

  const admin = `postgres://postgres:change-me-1@127.0.0.1:${frontPort}/postgres`
  await until(() => query(admin, `create role panel login password 'secret' createdb`), Boolean)
  await until(() => query(admin, 'create database panel owner panel'), Boolean)
  await untilInStep()
  return {
    url: `postgres://panel:secret@127.0.0.1:${frontPort}/panel`,
    async switchOver() {
      await untilInStep()
      const primary = await untilPrimary()
      await execute('patronictl', ['-c', at(`${primary.name}.yml`), 'switchover', 'panel', '--force'])
      await until(findPrimary, (found) => found !== undefined && found !== primary)
      await untilInStep()
    },
    /** kill -9 of the primary and of its Patroni; both stay away. */
    async crash() {
      const primary = await untilPrimary()
      primary.process!.kill('SIGKILL')
      const [postmaster] = (await readFile(at(`pg/${primary.name}/postmaster.pid`), 'utf8')).split('\n')
      kill(Number(postmaster), 'SIGKILL')
      await until(findPrimary, (found) => found !== undefined && found !== primary)
    }
  }
}

async function userPostgres(): Promise<{ uid: number; gid: number }> {
  const { stdout } = await execute('getent', ['passwd', 'postgres'])
  const [, , uid, gid] = stdout.split(':')
  return { uid: Number(uid), gid: Number(gid) }
}

const query = async (connectionString: string, statement: string): Promise<boolean> => {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 })
  try {
    await client.connect()
    await client.query(statement)
    return true
  } catch (error) {
    return error instanceof Error && error.message.includes('already exists')
  } finally {
    await client.end().catch(() => {})
  }
}

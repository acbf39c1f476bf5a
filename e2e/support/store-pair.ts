import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chmod, chown, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from '../../packages/server/test/support/ports.ts'
import { until } from './poll.ts'
import { kill } from './processes.ts'

const execute = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))

/**
 * Two PostgreSQL servers under Patroni with etcd and the proxy in front, all on this machine, with the files of deploy/store-pair.
 * Ends with `killProcesses(directory)`.
 */
export async function startStorePair(directory: string) {
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
    /** kill -9 of the primary and of its Patroni. Resolves, when the other one is the primary, with a function that starts them again. */
    async crash(): Promise<() => Promise<void>> {
      await untilInStep()
      const primary = await untilPrimary()
      primary.process!.kill('SIGKILL')
      const [postmaster] = (await readFile(at(`pg/${primary.name}/postmaster.pid`), 'utf8')).split('\n')
      kill(Number(postmaster), 'SIGKILL')
      await until(findPrimary, (found) => found !== undefined && found !== primary)
      return async () => {
        launch(primary)
        await untilInStep()
      }
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

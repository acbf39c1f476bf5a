import { proxyLoginKey } from '../../packages/server/src/security/proxy-proof.ts'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { run } from '../../packages/server/src/infra/process/run.ts'
import { makeMemoryDirectory } from '../../packages/server/src/process/memory-directory.ts'
import { type PanelNetwork, routedNetwork } from '../../packages/server/src/net/panel-network.ts'
import { dnsServerPaths, proxyDirectories } from '../../packages/server/src/process/paths.ts'
import { makeRuntimeDirectory } from '../../packages/server/src/process/runtime-directory.ts'
import { haproxyProgram, panelUpstream } from '../../packages/server/src/programs/haproxy.ts'
import { startProgram, stopProgram } from '../../packages/server/src/programs/lifecycle.ts'
import { startDebianPostgres } from '../../packages/server/test/support/debian-postgres.ts'
import { containerPorts, freePort } from '../../packages/server/test/support/ports.ts'
import { createRedisServer } from '../../packages/server/test/support/redis-server.ts'
import { removeObjects } from './engine.ts'
import { until } from './poll.ts'
import { killProcesses } from './processes.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

export interface ServeProcess {
  url: string
  output(): string
  /** Number of its worker in database rows. */
  workerId(): number
  start(): Promise<void>
  end(signal?: NodeJS.Signals): Promise<void>
}

/** Several panel processes on one database, Redis and DATA_DIR behind one proxy. */
export interface SharedStore {
  processes: readonly [ServeProcess, ServeProcess]
  proxyPort: number
  query<T extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<T[]>
  dispose(): Promise<void>
}

export async function startSharedStore(env: Record<string, string> = {}): Promise<SharedStore> {
  const dataDir = await mkdtemp(join(tmpdir(), 'panel-shared-'))
  const [postgres, redis] = [await startDebianPostgres(), await createRedisServer()]
  await redis.start()
  const [firstPort, secondPort, proxyPort, httpsPort] = await Promise.all([1, 2, 3, 4].map(() => freePort()))
  const { first, last } = await containerPorts()
  const shared = {
    DATA_DIR: dataDir,
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    SESSION_SECRET: randomBytes(32).toString('hex'),
    ENCRYPTION_KEY: randomBytes(32).toString('hex'),
    PROXY_HTTP_PORT: String(proxyPort),
    PROXY_HTTPS_PORT: String(httpsPort),
    DEPLOY_DRAIN_SECONDS: '1',
    DEPLOY_PORT_RANGE_START: String(first),
    DEPLOY_PORT_RANGE_END: String(last),
    RECONCILE_SECONDS: '1',
    JOB_POLL_SECONDS: '1',
    LOG_LEVEL: 'info',
    ...env
  }
  const query = async <T extends pg.QueryResultRow>(sql: string, values: unknown[] = []) => {
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    try {
      return (await client.query<T>(sql, values)).rows
    } finally {
      await client.end()
    }
  }
  const lastWorkerId = async () => (await query<{ id: number }>('select last_value::int as id from worker_id'))[0]!.id
  // One after the other, so that each worker can be told apart.
  const processes = [
    createProcess(firstPort!, shared, lastWorkerId),
    createProcess(secondPort!, shared, lastWorkerId)
  ] as const
  for (const each of processes) await each.start()

  const findSetting = async (key: string) =>
    (await query<{ value: string }>('select value from settings where key = $1', [key]))[0]?.value
  const instanceId = (await findSetting('instance_id'))!
  const network = await until(
    async () => (await query<{ network: string | null }>('select network from nodes'))[0]?.network,
    (value) => value?.includes('gateway') === true
  )
  const proxy = await haproxyProgram({
    ...(await proxyDirectories({ DATA_DIR: dataDir })),
    network: routedNetwork(JSON.parse(network!) as PanelNetwork),
    httpBinds: [`127.0.0.1:${proxyPort}`],
    httpsBinds: [`127.0.0.1:${httpsPort}`],
    unlimitedSources: ['127.0.0.0/8'],
    panel: panelUpstream(shared, firstPort!, { proxy: 1_024, live: 1_024 }),
    loginKey: proxyLoginKey(shared),
    run
  })
  await startProgram(proxy)

  return {
    processes,
    proxyPort: proxyPort!,
    query,
    async dispose() {
      for (const each of processes) await each.end()
      await stopProgram(proxy)
      await removeObjects(`panel.instance=${instanceId}`)
      await redis.close()
      await postgres.stop()
      const stateDirectory = dirname((await dnsServerPaths({ DATA_DIR: dataDir })).directory)
      await killProcesses(dataDir)
      for (const path of [
        stateDirectory,
        (await makeMemoryDirectory(dataDir)).path,
        await makeRuntimeDirectory(dataDir),
        dataDir
      ])
        await rm(path, { recursive: true, force: true })
    }
  }
}

function createProcess(port: number, env: Record<string, string>, lastWorkerId: () => Promise<number>): ServeProcess {
  let child: ChildProcess | undefined
  let output = ''
  let workerId = 0
  return {
    url: `http://127.0.0.1:${port}`,
    output: () => output,
    workerId: () => workerId,
    async start() {
      const started = spawn(join(root, 'panel'), ['serve'], {
        cwd: root,
        env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: String(port), ...env },
        stdio: ['ignore', 'pipe', 'pipe']
      })
      child = started
      output = ''
      const collect = (chunk: Buffer) => (output = (output + chunk.toString()).slice(-200_000))
      started.stdout.on('data', collect)
      started.stderr.on('data', collect)
      for (const deadline = Date.now() + 120_000; !output.includes('Panel ready'); await sleep(50))
        if (started.exitCode !== null || Date.now() > deadline) throw new Error(`the panel did not start:\n${output}`)
      workerId = await lastWorkerId()
    },
    async end(signal = 'SIGTERM') {
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill(signal)
      await ended
    }
  }
}

import { randomBytes } from 'node:crypto'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { eq, sql } from 'drizzle-orm'
import pg from 'pg'
import { pino } from 'pino'
import { connectionBudget, leastConnections, lockConnections, requestConnections } from '../src/db/connection-budget.ts'
import { type Database, openDatabase, type Transaction } from '../src/db/database.ts'
import { hasEmbeddedPostgres, isStoreRoots, startEmbeddedPostgres } from '../src/db/embedded-postgres.ts'
import { closeLocks, withLock } from '../src/db/lock.ts'
import { migrateDatabase } from '../src/db/migrate.ts'
import { settings } from '../src/db/schema/settings.ts'
import { checkEncryptionKey } from '../src/wiring/store.ts'
import { createJobQueue } from '../src/infra/job-queue/pg-boss-queue.ts'
import type { Run } from '../src/infra/process/process.ts'
import { run } from '../src/infra/process/run.ts'
import { takeWorkerLease } from '../src/infra/worker-lease/worker-lease.ts'
import { createSecretBox } from '../src/infra/secret-box/secret-box.ts'
import { queueNames } from '../src/features/index.ts'
import { makeRuntimeDirectory } from '../src/process/runtime-directory.ts'
import { execute, socketDirectoryOf, withDatabase } from './support/test-database.ts'

const logger = pino({ level: 'silent' })
const embeddedPackage = `@embedded-postgres/${process.platform}-${process.arch}`

async function newDatabase(template?: string): Promise<{ url: string; drop(): Promise<void> }> {
  const adminUrl = inject('adminDatabaseUrl')
  const name = `panel_store_${randomBytes(6).toString('hex')}`
  await execute(adminUrl, `create database ${name}${template === undefined ? '' : ` template ${template}`}`)
  return { url: withDatabase(adminUrl, name), drop: () => execute(adminUrl, `drop database ${name} with (force)`) }
}

test('concurrent first starts create queue tables once', async () => {
  const { url, drop } = await newDatabase()
  const db = openDatabase(url, () => {})
  try {
    const queues = await Promise.all(
      [1, 2, 3].map(() => createJobQueue({ connectionString: url, db, queues: queueNames, logger }))
    )
    await Promise.all(queues.map((queue) => queue.stop()))
  } finally {
    await db.$client.end()
    await drop()
  }
})
test('failed BEGINs leak no connections', async () => {
  const { url, drop } = await newDatabase()
  const db = openDatabase(url, () => {})
  const begin = (isolationLevel?: never) =>
    db.transaction(async (trx) => (await trx.execute<{ n: number }>(sql`select 1 as n`)).rows, { isolationLevel })
  try {
    const failing = Array.from({ length: 30 }, () => begin('unheard of' as never))
    for (const { status } of await Promise.allSettled(failing)) expect(status).toBe('rejected')
    expect(await Promise.all(Array.from({ length: 30 }, () => begin()))).toEqual(Array(30).fill([{ n: 1 }]))
  } finally {
    await db.$client.end()
    await drop()
  }
})

test('a failed BEGIN changes nothing, including pipelined statements', async () => {
  const { url, drop } = await newDatabase()
  const db = openDatabase(url, () => {})
  const inTransaction = (work: (trx: Transaction) => Promise<unknown>) =>
    db.transaction(work, { isolationLevel: 'unheard of' as never })
  try {
    await db.execute(sql`create table kept (n int)`)
    const add = (trx: Transaction) => trx.execute(sql`insert into kept values (1)`)
    const read = (trx: Transaction) => trx.execute(sql`select n from kept for update`)
    for (const work of [
      add,
      (trx: Transaction) => Promise.all([read(trx), add(trx), read(trx)]),
      (trx: Transaction) => read(trx).then(() => add(trx)),
      read
    ])
      await expect(inTransaction(work)).rejects.toThrow()
    expect((await db.execute(sql`select * from kept`)).rows).toEqual([])
    // Pipelined in order, a read after a write.
    const [, seen] = await db.transaction((trx) => Promise.all([add(trx), read(trx)]))
    expect(seen.rows).toEqual([{ n: 1 }])
  } finally {
    await db.$client.end()
    await drop()
  }
})

test('a commit turned into a rollback is an error', async () => {
  const { url, drop } = await newDatabase()
  const db = openDatabase(url, () => {})
  try {
    const unheard = db.transaction(async (trx) => {
      await trx.execute(sql`create table lost (n int)`)
      await trx.execute(sql`select 1 / 0`).catch(() => {})
      return 'done'
    })
    await expect(unheard).rejects.toThrow('rolled back')
    await expect(db.execute(sql`select * from lost`)).rejects.toMatchObject({ cause: { code: '42P01' } })
  } finally {
    await db.$client.end()
    await drop()
  }
})

describe('the encryption key', () => {
  let db: Database
  let drop: () => Promise<void>
  beforeAll(async () => {
    const database = await newDatabase(inject('templateDatabase'))
    drop = database.drop
    db = openDatabase(database.url, () => {})
  })
  afterAll(async () => {
    await db.$client.end()
    await drop()
  })
  const box = createSecretBox('the first key, of sufficient length')
  const sealedCheckValue = async () =>
    (await db.select().from(settings).where(eq(settings.key, 'encryption_canary')))[0]!.value

  test('concurrent first starts agree on one mark', async () => {
    await Promise.all([1, 2, 3, 4].map(() => checkEncryptionKey(db, box)))
    expect(box.open(await sealedCheckValue())).toBe('panel')
  })

  test('a wrong key refuses to start with the remedy', async () => {
    const before = await sealedCheckValue()
    const other = createSecretBox('another key, also of sufficient length')
    await expect(checkEncryptionKey(db, other)).rejects.toThrow(/ENCRYPTION_KEY.*previous key; nothing was changed/)
    expect(await sealedCheckValue()).toBe(before)
    await checkEncryptionKey(db, box)
  })

  test('an invalid mark refuses to start', async () => {
    for (const value of ['', 'panel', box.seal('something else')]) {
      await db.update(settings).set({ value }).where(eq(settings.key, 'encryption_canary'))
      await expect(checkEncryptionKey(db, box)).rejects.toThrow('ENCRYPTION_KEY')
    }
  })
})

describe.skipIf(!hasEmbeddedPostgres())('the embedded store', () => {
  let directory: string
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'panel-embedded-'))
  })
  afterAll(() => rm(directory, { recursive: true, force: true }))
  const start = (onRestart = () => {}) => startEmbeddedPostgres(directory, { run, onRestart, onFailure: () => {} })
  const pid = async () => parseInt(await readFile(join(directory, 'cluster', 'postmaster.pid'), 'utf8'), 10)
  /** Zombies count as gone. */
  const isGone = async (process: number) => {
    const status = await readFile(`/proc/${process}/status`, 'utf8').catch(() => 'State:\tZ')
    return status.includes('State:\tZ')
  }
  const query = async (url: string, text: string) => {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {}) // The server is killed on purpose.
    await client.connect()
    try {
      return (await client.query<{ n: number }>(text)).rows
    } finally {
      await client.end()
    }
  }

  test('kill -9 loses no commit, and it is restarted', async () => {
    let restarts = 0
    const store = await start(() => restarts++)
    try {
      await query(store.url, 'create table kept (n int)')
      await query(store.url, 'insert into kept select generate_series(1, 1000)')
      process.kill(await pid(), 'SIGKILL')
      const count = () => query(store.url, 'select count(*)::int as n from kept').catch(() => 'away')
      await expect.poll(() => (restarts > 0 ? count() : 'away'), { timeout: 50_000 }).toEqual([{ n: 1000 }])
    } finally {
      await store.stop()
    }
  })

  describe.runIf(process.getuid?.() === 0)('as root', () => {
    const cluster = () => join(directory, 'cluster')
    const ownerOfServer = async () =>
      /^Uid:\t(\d+)\t\1\t\1\t\1$/m.exec(await readFile(`/proc/${await pid()}/status`, 'utf8'))?.[1]

    test('uses its own user below private folders', async () => {
      const store = await start()
      try {
        const status = await readFile(`/proc/${await pid()}/status`, 'utf8')
        for (const set of ['CapPrm', 'CapEff', 'CapBnd']) expect(status).toContain(`${set}:\t0000000000000000\n`)
        expect(status).toContain('NoNewPrivs:\t1\n')
        expect(Number(await ownerOfServer())).toBeGreaterThan(0)
        expect((await stat(directory)).mode & 0o077).toBe(0)
      } finally {
        await store.stop()
      }
    })

    test('takes over files of an earlier version after its server ended', async () => {
      await (await start()).stop()
      const socketDirectory = await makeRuntimeDirectory(directory)
      await run(['chown', '-R', '0:0', cluster(), socketDirectory], { timeoutMs: 60_000 })
      const programs = fileURLToPath(new URL('../native/bin/', import.meta.resolve(embeddedPackage)))
      const argv = [
        '--user',
        '--map-user=65534',
        '--map-group=65534',
        '--',
        join(programs, 'postgres'),
        '-D',
        cluster()
      ]
      const previous = spawn('unshare', argv, { stdio: 'ignore', env: { LC_ALL: 'C' } })
      await expect.poll(() => pid().catch(() => undefined)).toBe(previous.pid)
      const store = await start()
      try {
        expect(await pid()).toBe(previous.pid)
        expect((await stat(cluster())).uid).toBe(0)
        expect(await isStoreRoots(directory)).toBe(true)
      } finally {
        await store.stop()
      }
      const next = await start()
      try {
        expect(Number(await ownerOfServer())).toBeGreaterThan(0)
        expect(await isStoreRoots(directory)).toBe(false)
        expect(await query(next.url, 'select 1 as n')).toEqual([{ n: 1 }])
      } finally {
        await next.stop()
      }
    })

    test('continues unprivileged where mounts are not possible', async () => {
      const withoutMount: Run = (argv, options) =>
        argv.includes('--mount') ? Promise.reject(new Error('unshare failed')) : run(argv, options)
      const options = { run: withoutMount, onRestart: () => {}, onFailure: () => {} }
      const store = await startEmbeddedPostgres(directory, options)
      try {
        expect(await ownerOfServer()).toBe('0')
        expect(await query(store.url, 'select 1 as n')).toEqual([{ n: 1 }])
      } finally {
        await store.stop()
      }
    })
  })

  test('waits while its folder is missing', async () => {
    const failures: unknown[] = []
    const onFailure = (error: unknown) => failures.push(error)
    const store = await startEmbeddedPostgres(directory, { run, onRestart: () => {}, onFailure })
    const [cluster, hidden] = [join(directory, 'cluster'), join(directory, 'hidden')]
    try {
      const server = await pid()
      await rename(cluster, hidden)
      process.kill(server, 'SIGKILL')
      await expect.poll(() => failures.length).toBeGreaterThan(1)
      expect(String(failures[0])).toContain('is missing')
      await rename(hidden, cluster)
      const count = () => query(store.url, 'select count(*)::int as n from kept').catch(() => 'away')
      await expect.poll(count).toEqual([{ n: 1000 }])
    } finally {
      await store.stop()
    }
  })

  test('has connections for two busy processes and psql', async () => {
    const store = await start()
    await migrateDatabase(store.url)
    const closers: (() => Promise<void>)[] = []
    const kinds = Object.keys(connectionBudget.locks) as (keyof typeof connectionBudget.locks)[]
    let release!: () => void
    const released = new Promise<void>((resolve) => (release = resolve))
    const work: Promise<unknown>[] = []
    const open = async () => {
      const db = openDatabase(store.url, () => {})
      const jobs = await createJobQueue({ connectionString: store.url, db, queues: queueNames, logger })
      const lease = await takeWorkerLease(store.url, () => {})
      closers.push(
        jobs.stop,
        lease.close,
        () => closeLocks(db),
        () => db.$client.end()
      )
      const lock = { waitMs: 0, ifHeld: async () => {} }
      for (const kind of kinds)
        for (let n = 0; n < 20; n++)
          work.push(withLock(db, `${kind}:${randomBytes(6).toString('hex')}` as 'zone:n', lock, () => released))
      const requests = Array.from({ length: 40 }, () => db.transaction(() => released))
      work.push(Promise.allSettled(requests))
      for (const queue of queueNames)
        work.push(jobs.work(queue, { concurrency: 1, timeoutSeconds: 60, retryLimit: 0 }, async () => {}))
    }
    try {
      await Promise.all([open(), open()])
      const count = async (application: string) =>
        (
          await query(
            store.url,
            `select count(*)::int as n from pg_stat_activity where application_name like '${application}'`
          )
        )[0]!.n
      await expect.poll(() => count('panel')).toBeGreaterThanOrEqual(2 * requestConnections(leastConnections))
      await expect.poll(() => count('panel-lock')).toBe(2 * lockConnections)
      expect(await count('panel%')).toBeLessThanOrEqual(2 * leastConnections)
      release()
      await Promise.all(work)
    } finally {
      release()
      for (const close of closers) await close()
      await store.stop()
    }
  })

  test('keeps its data across a stop', async () => {
    const first = await start()
    const server = await pid()
    await first.stop()
    expect(await isGone(server)).toBe(true)
    const second = await start()
    expect(second.url).toBe(first.url)
    expect(await query(second.url, 'select count(*)::int as n from kept')).toEqual([{ n: 1000 }])
    await second.stop()
  })

  test('ignores a stale lock after a power failure', async () => {
    // A live process that PostgreSQL may signal, which is all it checks.
    const lines = [process.pid, join(directory, 'cluster'), 1_700_000_000, 5432, '', '', '', 'ready']
    await writeFile(join(directory, 'cluster', 'postmaster.pid'), `${lines.join('\n')}\n`)
    const store = await start()
    expect(await pid()).not.toBe(process.pid)
    expect(await query(store.url, 'select count(*)::int as n from kept')).toEqual([{ n: 1000 }])
    await store.stop()
  })

  test('another major version is refused unchanged', async () => {
    const file = join(directory, 'cluster', 'PG_VERSION')
    const version = await readFile(file, 'utf8')
    const describeFiles = () => run(['find', directory, '-printf', '%P %U %m %s %T@ %C@\n'], { timeoutMs: 60_000 })
    await writeFile(file, '17\n')
    try {
      const before = await describeFiles()
      await expect(start()).rejects.toThrow('was created by PostgreSQL 17')
      expect((await describeFiles()).stdout).toBe(before.stdout)
    } finally {
      await writeFile(file, version)
    }
    const store = await start()
    expect(await query(store.url, 'select count(*)::int as n from kept')).toEqual([{ n: 1000 }])
    await store.stop()
  })

  test('one folder serves one panel', async () => {
    const first = await start()
    await expect(start()).rejects.toThrow('Another panel')
    await first.stop()
  })

  test('a server left by a killed panel is adopted and stopped later', async () => {
    const script = fileURLToPath(new URL('support/embedded-postgres-process.ts', import.meta.url))
    const child = spawn(process.execPath, ['--conditions=source', '--import', 'tsx', script, directory], {
      stdio: ['ignore', 'pipe', 'inherit']
    })
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    const server = await pid()
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited

    const store = await start()
    expect(store.url).toBe(line.toString().trim())
    expect(await pid()).toBe(server)
    expect(await query(store.url, 'select count(*)::int as n from kept')).toEqual([{ n: 1000 }])
    await store.stop()
    expect(await isGone(server)).toBe(true)
    await rm(socketDirectoryOf(store.url), { recursive: true })
  })
})

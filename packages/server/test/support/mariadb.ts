import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createConnection } from 'mysql2/promise'
import { run } from '../../src/infra/process/run.ts'
import { freePort } from './ports.ts'

export interface TestMariadb {
  adminUrl: string
  query(sql: string, values?: unknown[]): Promise<Record<string, unknown>[]>
  stop(): Promise<void>
}

export async function startMariadb(): Promise<TestMariadb> {
  const directory = await mkdtemp(join(tmpdir(), 'panel-mariadb-'))
  const data = join(directory, 'data')
  const isRoot = process.getuid?.() === 0
  await run(
    ['mariadb-install-db', '--no-defaults', `--datadir=${data}`, '--auth-root-authentication-method=normal', '--skip-test-db', ...(isRoot ? ['--user=root'] : [])], // oxfmt-ignore
    { timeoutMs: 120_000 }
  )
  const port = await freePort()
  const server = spawn(
    'mariadbd',
    ['--no-defaults', `--datadir=${data}`, `--socket=${join(directory, 's')}`, `--port=${port}`, '--bind-address=127.0.0.1', '--skip-symbolic-links', '--innodb-buffer-pool-size=32M', '--innodb-flush-log-at-trx-commit=0', '--innodb-log-file-size=16M', ...(isRoot ? ['--user=root'] : [])], // oxfmt-ignore
    { stdio: 'ignore' }
  )
  const adminUrl = `mysql://root@127.0.0.1:${port}/`
  const query: TestMariadb['query'] = async (sql, values) => {
    const connection = await createConnection({ uri: adminUrl, jsonStrings: true })
    try {
      return (await connection.query(sql, values))[0] as Record<string, unknown>[]
    } finally {
      connection.destroy()
    }
  }
  await untilReady(server, () => query('select 1'))
  return {
    adminUrl,
    query,
    async stop() {
      const ended = new Promise((resolve) => server.once('exit', resolve))
      server.kill('SIGTERM')
      await ended
      await rm(directory, { recursive: true, force: true })
    }
  }
}

async function untilReady(server: ChildProcess, ask: () => Promise<unknown>): Promise<void> {
  for (let tries = 0; ; tries++) {
    if (server.exitCode !== null) throw new Error(`mariadbd ended with ${server.exitCode}`)
    try {
      await ask()
      return
    } catch (error) {
      if (tries > 300) throw error
      await sleep(100)
    }
  }
}

import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeRuntimeDirectory } from '../packages/server/src/process/runtime-directory.ts'
import { freePort } from '../packages/server/test/support/ports.ts'
import { step } from './step.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

interface Served {
  url: string
  /** Of the panel's store. */
  databaseUrl: string
  /** From the start of the process to the first 200. */
  startMs: number
  child: ChildProcess
  stop(): Promise<void>
}

/** `./panel serve` in a folder of its own; `dataDir` starts one that has been initialised before. */
export async function serve(dataDir?: string, env: Record<string, string> = {}): Promise<Served & { dataDir: string }> {
  const directory = dataDir ?? (await mkdtemp(join(tmpdir(), 'panel-bench-')))
  const port = await freePort()
  const started = performance.now()
  const child = spawn(join(root, 'panel'), ['serve'], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATA_DIR: directory,
      PORT: String(port),
      SESSION_SECRET: randomBytes(32).toString('hex'),
      ENCRYPTION_KEY: 'k'.padEnd(20, '0') + 'of-the-benchmark-alone-1',
      AUTH_RATE_LIMIT_MAX: '100000',
      LOG_LEVEL: 'warn',
      ...env
    },
    stdio: ['ignore', 'ignore', 'inherit']
  })
  const url = `http://127.0.0.1:${port}`
  await step('starting ./panel serve', async () => {
    while (!(await answers(url))) {
      if (child.exitCode !== null) throw new Error('the panel did not start')
      await sleep(5)
    }
  })
  const startMs = performance.now() - started
  const password = await readFile(join(directory, 'postgres/password'), 'utf8')
  const socket = await makeRuntimeDirectory(join(directory, 'postgres'))
  return {
    url,
    dataDir: directory,
    startMs,
    child,
    databaseUrl: `postgresql://panel:${password}@localhost/postgres?host=${encodeURIComponent(socket)}`,
    stop: () =>
      step('stopping the panel', async () => {
        const isRunning = child.exitCode === null && child.signalCode === null
        if (isRunning && child.kill('SIGTERM')) await once(child, 'exit')
        if (dataDir === undefined) await rm(directory, { recursive: true, force: true })
      })
  }
}

async function answers(url: string): Promise<boolean> {
  return fetch(`${url}/api/health`).then(
    (response) => response.ok,
    () => false
  )
}

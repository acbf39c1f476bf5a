import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createKnot } from '../../packages/server/src/infra/dns-server/knot.ts'
import { knotPaths } from '../../packages/server/src/infra/dns-server/knot-paths.ts'
import { findProcesses } from '../../packages/server/src/infra/process/find-processes.ts'
import { run } from '../../packages/server/src/infra/process/run.ts'
import { knotProgram, type KnotProgramOptions } from '../../packages/server/src/programs/knot.ts'
import { startProgram, stopProgram } from '../../packages/server/src/programs/lifecycle.ts'
import { type WatchOptions, watchProgram } from '../../packages/server/src/programs/watch.ts'
import { freePort } from '../../packages/server/test/support/ports.ts'

const execute = promisify(execFile)

export interface Address {
  address: string
  port: number
}

export async function ask(server: Address, name: string, type: string, more: readonly string[] = []) {
  const args = [`@${server.address}`, '-p', String(server.port), '+retry=0', '+timeout=5', ...more, name, type]
  const { stdout, stderr } = await execute('kdig', args).catch((error: { stdout: string; stderr: string }) => error)
  const [, section = ''] = /^;; ANSWER SECTION:\n((?:.+\n)*)/m.exec(stdout) ?? []
  return {
    status: /status: ([A-Z]+)/.exec(stdout)?.[1] ?? 'no answer',
    records: section.split('\n').filter((line) => line !== ''),
    text: stdout + stderr
  }
}

export async function answerOf(server: Address, name: string): Promise<string> {
  const { status, records } = await ask(server, name, 'A', ['+notcp'])
  if (status === 'REFUSED') return 'nobody'
  return status === 'NOERROR' ? (/\sA\s+(\S+)$/.exec(records[0] ?? '')?.[1] ?? 'nothing') : status
}

export async function serialOf(server: Address, name: string): Promise<number> {
  const { records } = await ask(server, name, 'SOA')
  return Number(/SOA\s+\S+\s+\S+\s+(\d+)/.exec(records[0] ?? '')?.[1])
}

export const startKnot = async (options: KnotProgramOptions) => startProgram(await knotProgram(options))
export const stopKnot = async (options: KnotProgramOptions) => stopProgram(await knotProgram(options))
export const watchKnot = (options: KnotProgramOptions, more: WatchOptions) =>
  watchProgram(() => knotProgram(options), { probeEveryMs: 50, retryMs: 50, ...more })

export type TestKnot = Awaited<ReturnType<typeof startTestKnot>>

export async function startTestKnot(more: Partial<KnotProgramOptions> = {}) {
  const root = await mkdtemp(join(tmpdir(), 'dns-'))
  await chmod(root, 0o711)
  const directory = join(root, 'state', 'dns')
  const at = { address: '127.0.0.1', port: await freePort() }
  const options: KnotProgramOptions = {
    directory,
    runtimeDirectory: join(directory, 'run'),
    listen: [at],
    transferKey: randomBytes(32).toString('base64'),
    secondaries: [],
    run,
    ...more
  }
  const paths = knotPaths(options)
  await startKnot(options)
  return {
    at,
    options,
    paths,
    newClient: () => createKnot({ ...options, commandTimeoutMs: 2_000, stallTimeoutMs: 10_000 }),
    answer: (name: string) => answerOf(at, name),
    pid: async () => [...(await findProcesses('knotd', paths.config)).keys()][0],
    async close() {
      await stopKnot(options)
      await rm(root, { recursive: true })
    }
  }
}

export async function eventually(isSo: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20))
}

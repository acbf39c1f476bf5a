import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { programPath } from '../../infra/process/program-path.ts'
import type { CommandContext } from '../command.ts'
import type { TestResults } from './report.ts'

/** One process of a test run. */
export type TestPart = VitestPart | ScriptPart | CommandPart

export interface VitestPart extends PartOptions {
  readonly args: readonly string[]
}

/** A script of package.json; it counts as one test. */
interface ScriptPart extends PartOptions {
  readonly script: string
}

/** A program that writes its results where TEST_RESULTS says, as vitest and `./panel test` do. */
interface CommandPart extends PartOptions {
  readonly command: readonly [string, ...string[]]
}

interface PartOptions {
  /** Printed before each of its lines. */
  readonly name: string
  readonly env?: Readonly<Record<string, string>>
  /** Another Node.js program than this one, for the tests and what they start. */
  readonly node?: string
  /** Niceness: yields the CPU to parallel parts, which mostly wait for other programs. */
  readonly priority?: number
}

/** Runs one part to its end and prints its output line by line. `directory` holds its results. */
export async function runPart(
  { root, env }: Pick<CommandContext, 'root' | 'env'>,
  directory: string,
  part: TestPart
): Promise<TestResults> {
  const startedAt = performance.now()
  const results = join(directory, `${part.name.replaceAll(/[^a-z0-9]+/gi, '-')}.json`)
  const onPath = part.node === undefined ? {} : { PATH: `${dirname(part.node)}:${env.PATH ?? programPath}` }
  const [program, ...args] = commandOf(root, part)
  const child = spawn(program, args, {
    cwd: root,
    env: { ...env, ...onPath, ...part.env, TEST_RESULTS: results },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const exit = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (part.priority !== undefined && child.pid !== undefined) setPriority(child.pid, part.priority)
  for (const input of [child.stdout, child.stderr])
    createInterface({ input }).on('line', (line) => process.stdout.write(line === '' ? '' : `${part.name} | ${line}\n`))
  const exitCode = await exit
  const seconds = (performance.now() - startedAt) / 1000
  if ('script' in part) return { ...checkResults(part, exitCode === 0, seconds), seconds }
  const found = await readResults(results)
  const isExplained = exitCode === 0 || found.broken > 0 || found.files.some(({ failed }) => failed > 0)
  return { ...found, ...(isExplained ? {} : { broken: 1 }), part: part.name, seconds }
}

function commandOf(root: string, part: TestPart): readonly [string, ...string[]] {
  if ('command' in part) return part.command
  if ('script' in part) return ['npm', 'run', '--silent', part.script]
  return [part.node ?? process.execPath, join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...part.args]
}

function checkResults({ name, script }: { name: string; script: string }, isPassed: boolean, seconds: number) {
  const counts = { passed: isPassed ? 1 : 0, failed: isPassed ? 0 : 1, skipped: 0 }
  const test = { name: `npm run ${script}`, seconds, neededSecondTry: false, isFailed: !isPassed }
  return { part: name, files: [{ project: 'check', path: name, seconds, ...counts, tests: [test] }], broken: 0 }
}

/** A vitest that ended without results counts as a failure. */
async function readResults(path: string): Promise<Pick<TestResults, 'files' | 'broken'>> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Pick<TestResults, 'files' | 'broken'>
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { files: [], broken: 1 }
    throw error
  }
}

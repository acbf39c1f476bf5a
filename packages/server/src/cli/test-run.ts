import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { programPath } from '../infra/process/program-path.ts'
import type { CommandContext } from './command.ts'
import type { TestResults } from './test-report.ts'

export interface TestPart {
  /** In front of each of its lines. */
  name: string
  /** Of vitest. */
  args: readonly string[]
  env?: Readonly<Record<string, string>>
  /** Another Node.js than this one, for the tests and what they start. */
  node?: string
  /** Gives way to the parts beside it, whose tests wait for programs. */
  isLowPriority?: boolean
}

/** Runs vitest on a part of the tests and prints what it prints, each line with the part's name. `directory` is for its results. */
export async function runPart(
  { root, env }: Pick<CommandContext, 'root' | 'env'>,
  directory: string,
  part: TestPart
): Promise<TestResults> {
  const results = join(directory, `${part.name.replaceAll(/[^a-z0-9]+/gi, '-')}.json`)
  const onPath = part.node === undefined ? {} : { PATH: `${dirname(part.node)}:${env.PATH ?? programPath}` }
  const child = spawn(
    part.node ?? process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...part.args],
    {
      cwd: root,
      env: { ...env, ...onPath, ...part.env, TEST_RESULTS: results },
      stdio: ['ignore', 'pipe', 'pipe']
    }
  )
  const exit = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (part.isLowPriority && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  for (const input of [child.stdout, child.stderr])
    createInterface({ input }).on('line', (line) => process.stdout.write(line === '' ? '' : `${part.name} | ${line}\n`))
  const exitCode = await exit
  const found = await readResults(results)
  const isExplained = exitCode === 0 || found.broken > 0 || found.files.some(({ failed }) => failed > 0)
  return isExplained ? found : { ...found, broken: 1 }
}

/** Where vitest ended before it had any, it ran nothing: whatever it says, that is no pass. */
async function readResults(path: string): Promise<TestResults> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as TestResults
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { files: [], broken: 1 }
    throw error
  }
}

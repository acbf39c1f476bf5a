import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runPart } from './test-run.ts'

/** A checkout whose vitest is this program. */
async function checkout(program: string): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'test-run-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  await mkdir(join(root, 'node_modules/vitest'), { recursive: true })
  await writeFile(join(root, 'node_modules/vitest/vitest.mjs'), program)
  return root
}

const resultsOf = async (program: string) => {
  const root = await checkout(program)
  return runPart({ root, env: {} }, root, { name: 'a part', args: [] })
}

const writes = (results: object) =>
  `import { writeFileSync } from 'node:fs'; writeFileSync(process.env.TEST_RESULTS, ${JSON.stringify(JSON.stringify(results))});`

test.each([
  ['ends well and has results', `${writes({ files: [], broken: 0 })}`, 0],
  ['shows its usage, having taken a filter for an option', `console.log('Usage:')`, 1],
  ['ends with an error that no test explains', `${writes({ files: [], broken: 0 })} process.exit(1)`, 1],
  ['is killed', `process.kill(process.pid, 'SIGKILL')`, 1]
])('a vitest that %s', async (_, program, broken) => {
  expect(await resultsOf(program)).toEqual({ files: [], broken })
})

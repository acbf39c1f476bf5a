import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runPart } from './part.ts'

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
  expect(await resultsOf(program)).toMatchObject({ files: [], broken })
})

test('another Node.js runs vitest, and is the first that it finds', async () => {
  const root = await checkout(
    `import { execFileSync } from 'node:child_process'; const found = execFileSync('node', ['-p', '1'], { encoding: 'utf8' });
     ${writes({ files: [], broken: 0 })} process.exit(found === 'the other' ? 0 : 1)`
  )
  const node = join(root, 'bin/node')
  await mkdir(join(root, 'bin'))
  await writeFile(
    node,
    `#!/bin/sh\nif [ "$1" = -p ]; then printf 'the other'; else exec '${process.execPath}' "$@"; fi\n`
  )
  await chmod(node, 0o755)
  const part = { name: 'a part', args: [], node }
  expect(await runPart({ root, env: { PATH: process.env.PATH } }, root, part)).toMatchObject({ files: [], broken: 0 })
})

test('a command of its own writes its results where it is told', async () => {
  const root = await checkout('')
  const program = writes({ files: [], broken: 0 }).replace(/^import (.*) from (.*?);/, 'const $1 = require($2);')
  const part = { name: 'a part', command: [process.execPath, '-e', program] } as const
  expect(await runPart({ root, env: {} }, root, part)).toMatchObject({ part: 'a part', files: [], broken: 0 })
})

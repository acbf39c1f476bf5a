import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findInstalled } from './finding.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'finding-'))
})
afterAll(() => rm(directory, { recursive: true }))

async function program(script: string): Promise<string> {
  const path = join(directory, `program-${Math.random()}`)
  await writeFile(path, `#!/bin/sh\n${script}\n`)
  await chmod(path, 0o755)
  return path
}

test.each([
  ['prints its version', 'echo tool 1.4.2', { found: true, version: '1.4.2' }],
  ['is too slow to print it', 'sleep 60', { found: true }],
  ['fails', 'exit 1', { found: false, remedy: 'Install it' }]
])('a program that %s', async (_what, script, expected) => {
  const found = await findInstalled('Tool', [await program(script)], 'Install it', { timeoutMs: 2_000 })
  expect(found).toEqual({ part: 'Tool', ...expected })
})

test('a program that is not installed', async () => {
  expect(await findInstalled('Tool', [join(directory, 'missing')], 'Install it')).toMatchObject({ found: false })
})

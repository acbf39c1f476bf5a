import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../process/run.ts'
import { renderBuildEnvironment } from './build-environment.render.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'panel-build-env-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

async function throughShell(variables: Record<string, string>): Promise<Record<string, string>> {
  const file = join(directory, 'build-env')
  await writeFile(file, renderBuildEnvironment(variables))
  const argv = ['/bin/sh', '-c', '. "$1" && exec env -0', 'sh', file] as const
  const { stdout } = await run([...argv], { timeoutMs: 20_000 })
  const seen = stdout
    .split('\0')
    .map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)])
  const all = Object.fromEntries(seen) as Record<string, string>
  return Object.fromEntries(Object.keys(variables).map((name) => [name, all[name]!]))
}

const awkward = ['', ' ', "'", "''", `'"'"'`, '"', '\\', '\\n', '\n', '\r\n', '\n\n', '\t', '$HOME', '${X}', '$$', '`id`', '#', '!', '*', 'ä€😀', '\u0001\u007f', "a'b\nexport X='y", 'x'.repeat(65_536)] // oxfmt-ignore

test('special characters are preserved', async () => {
  const variables = Object.fromEntries(awkward.map((value, index) => [`V${index}`, value]))
  expect(await throughShell(variables)).toEqual(variables)
})

test('random values are preserved', async () => {
  const value = fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0') && text.isWellFormed())
  const name = fc.stringMatching(/^TEST_[A-Za-z0-9_]{0,20}$/)
  await fc.assert(
    fc.asyncProperty(fc.dictionary(name, value, { maxKeys: 20, noNullPrototype: true }), async (variables) => {
      expect(await throughShell(variables)).toEqual(variables)
    }),
    { numRuns: 60 }
  )
})

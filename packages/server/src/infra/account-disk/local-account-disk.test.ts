import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Run } from '../process/process.ts'
import { run } from '../process/run.ts'
import { createLocalAccountDisk } from './local-account-disk.ts'

let projectsDirectory: string
beforeEach(async () => {
  projectsDirectory = await mkdtemp(join(tmpdir(), 'panel-account-disk-'))
})
afterEach(() => rm(projectsDirectory, { recursive: true, force: true }))

test('measures an account whose files vanish during the walk', async () => {
  for (const uid of [1, 2]) {
    await mkdir(join(projectsDirectory, 'u', String(uid)), { recursive: true })
    await writeFile(join(projectsDirectory, 'u', String(uid), 'file'), 'x'.repeat(1_000_000))
  }
  // Every file vanishes during the walk, with many long names.
  const missing = Array.from({ length: 6000 }, (_, each) => join(projectsDirectory, `${each}${'x'.repeat(200)}\0`))
  const runAmongThem: Run = (command, options) => {
    const isFirst = String(options.input).endsWith('/u/1\0')
    return run(command, isFirst ? { ...options, input: `${String(options.input)}${missing.join('')}` } : options)
  }
  const used = await createLocalAccountDisk({ run: runAmongThem, projectsDirectory }).measure([1, 2, 3])
  expect(used.get(1)).toBeGreaterThanOrEqual(1_000_000)
  expect(used.get(2)).toBeGreaterThanOrEqual(1_000_000)
  expect(used.get(3)).toBe(0)
})

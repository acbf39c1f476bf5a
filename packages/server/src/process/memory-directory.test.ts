import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeMemoryDirectory } from './memory-directory.ts'
import { makePrivateDirectory, makeRuntimeDirectory } from './runtime-directory.ts'

let base: string
let runtimeDirectory: string
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'memory-'))
  runtimeDirectory = await makeRuntimeDirectory(base)
})
afterEach(async () => {
  const { path } = await makeMemoryDirectory(base)
  for (const directory of [path, runtimeDirectory, base]) await rm(directory, { recursive: true, force: true })
})

const isTmpfs = async (path: string) => (await statfs(path)).type === 0x01021994

test('reports its file system and stays the same', async () => {
  const found = await makeMemoryDirectory(base)
  expect(await isTmpfs(found.path)).toBe(found.isInMemory)
  expect(await makeMemoryDirectory(base)).toEqual(found)
})

test('falls back to the runtime directory', async () => {
  for (const sharedMemory of ['/proc', join(base, 'none')]) {
    expect(await makeMemoryDirectory(base, sharedMemory)).toEqual({
      path: runtimeDirectory,
      isInMemory: await isTmpfs(runtimeDirectory)
    })
  }
})

test('refuses a directory that others can enter', async () => {
  await chmod(await makePrivateDirectory(base, 'state'), 0o755)
  await expect(makePrivateDirectory(base, 'state')).rejects.toThrow('not a private directory')
})

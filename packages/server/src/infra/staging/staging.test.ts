import { lstat, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { countStaged, giveStagedTree } from './staging.ts'

let directory: string
const at = (path: string) => join(directory, path)
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'panel-staging-'))
  await mkdir(at('tree/a'), { recursive: true })
  await mkdir(at('outside'))
  await writeFile(at('tree/a/page'), 'page')
  await writeFile(at('outside/secret'), 'not part of it')
  await symlink(at('outside'), at('tree/out'))
  await symlink(at('outside/secret'), at('tree/a/secret'))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

test('counts regular files, and follows no link', async () => {
  expect(await countStaged(at('tree'))).toEqual({ files: 1, bytes: 4 })
})

test.skipIf(process.getuid?.() !== 0)('gives a tree to another owner, and follows no link', async () => {
  await giveStagedTree(at('tree'), 19_999)
  for (const path of ['tree', 'tree/a', 'tree/a/page', 'tree/out', 'tree/a/secret'])
    expect([path, (await lstat(at(path))).uid]).toEqual([path, 19_999])
  for (const path of ['outside', 'outside/secret']) expect([path, (await stat(at(path))).uid]).toEqual([path, 0])
})

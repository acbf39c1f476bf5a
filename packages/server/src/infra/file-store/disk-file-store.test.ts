import { execFileSync, spawnSync } from 'node:child_process'
import { mkdir, readdir, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { describeFileTree } from '../../../test/contracts/file-tree.contract.ts'
import { inMemory, isAtWorker, makeTree, tenantUid } from '../../../test/fixtures/file-tree.fixture.ts'
import { createDiskFileStore } from './disk-file-store.ts'

describeFileTree('on this disk', makeTree, isAtWorker ? 'failed in files.write' : TypeError)

// Needs its own mount to simulate a full disk.
const canMount = spawnSync('unshare', ['--mount', 'true']).status === 0

test.skipIf(!canMount)('a full disk is DISK_FULL and leaves nothing', async () => {
  const { parent, stagingDirectory, root } = await makeTree()
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'none', parent])
  onTestFinished(() => void execFileSync('umount', [parent]))
  await mkdir(root)
  const tree = createDiskFileStore({ stagingDirectory }).tree({ root, uid: tenantUid, protects: 'nothing' })
  await tree.mkdir('dir')
  await tree.write('dir/half', Readable.from([Buffer.alloc(600_000, 1)]), { mode: 'create' })
  const tooMuch = () => Readable.from([Buffer.alloc(600_000, 1)])
  await expect(tree.write('a', tooMuch(), { mode: 'create' })).rejects.toMatchObject({ kind: 'disk-full' })
  await expect(tree.copy('dir', 'again')).rejects.toMatchObject({ kind: 'disk-full' })
  expect(await readdir(root)).toEqual(['dir'])
  expect(await readdir(stagingDirectory)).toEqual([])
})

test('reads a 3 GB file in constant memory, also beyond 2 GB', async () => {
  const { tree, root } = await makeTree(inMemory)
  await writeFile(join(root, 'large'), '')
  await truncate(join(root, 'large'), 3 * 1024 ** 3)
  const { file, stream } = await tree.open('large')
  expect(file.size).toBe(3 * 1024 ** 3)
  let bytes = 0
  let chunks = 0
  let most = 0
  const before = process.memoryUsage().rss
  const half = 384 * 1024 ** 2
  const range = { start: 2 * 1024 ** 3 - half, end: 2 * 1024 ** 3 + half - 1 }
  for await (const chunk of stream(range) as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (chunks++ % 64 === 0) most = Math.max(most, process.memoryUsage.rss() - before)
  }
  expect(bytes).toBe(2 * half)
  expect(most).toBeLessThan(half)
})

import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { AdapterError } from '../adapter-error.ts'
import { bufferOf, inMemory, makeTree, textOfStream } from '../../../test/fixtures/file-tree.fixture.ts'

const swap = `
  const { renameSync, rmSync } = require('node:fs')
  const { workerData: root } = require('node:worker_threads')
  const tried = (operation) => { try { operation() } catch {} }
  for (;;) for (const name of ['dir', 'file']) {
    tried(() => renameSync(root + '/' + name, root + '/' + name + '.real'))
    tried(() => renameSync(root + '/' + name + '.link', root + '/' + name))
    tried(() => renameSync(root + '/' + name, root + '/' + name + '.link'))
    tried(() => renameSync(root + '/' + name + '.real', root + '/' + name))
  }
`

test('links swapped in during a call never leave the tree', { timeout: 300_000 }, async () => {
  // The kernel decides which name resolves where, regardless of the file system.
  const { tree, root, outside, leftovers } = await makeTree(inMemory)
  await mkdir(join(outside, 'sub'))
  await writeFile(join(outside, 'sub/secret'), 'the secret')
  await mkdir(join(root, 'dir/sub'), { recursive: true })
  await writeFile(join(root, 'dir/secret'), 'of the tenant')
  await writeFile(join(root, 'dir/sub/secret'), 'of the tenant')
  await writeFile(join(root, 'file'), 'of the tenant')
  await symlink(outside, join(root, 'dir.link'))
  await symlink(join(outside, 'secret'), join(root, 'file.link'))
  const before = await stat(join(outside, 'secret'))
  const swapper = new Worker(swap, { eval: true, workerData: root })
  onTestFinished(async () => void (await swapper.terminate()))

  const outcomes = { done: 0, refused: 0 }
  const read = async (path: string) =>
    expect(await textOfStream((await tree.open(path)).stream())).toBe('of the tenant')
  const operations: ((round: number) => Promise<unknown>)[] = [
    () => read('dir/secret'),
    () => read('dir/sub/secret'),
    () => read('file'),
    (round) => tree.write(`dir/new-${round}`, 'x', { mode: 'create' }),
    () => tree.write('dir/secret', 'of the tenant', { mode: 'replace' }),
    () => tree.write('file', 'of the tenant', { mode: 'replace' }),
    (round) => tree.remove(`dir/new-${round}`),
    (round) => tree.mkdir(`dir/made-${round}`),
    (round) => tree.remove(`dir/made-${round}`),
    () => tree.chmod('dir/secret', 0o600),
    async (round) => {
      await tree.copy('dir', `copy-${round}`)
      const copied = await tree.open(`copy-${round}/sub/secret`)
      expect(await textOfStream(copied.stream())).toBe('of the tenant')
      await tree.remove(`copy-${round}`)
    },
    (round) => tree.move('dir/secret', `dir/sub/moved-${round}`),
    (round) => tree.move(`dir/sub/moved-${round}`, 'dir/secret'),
    async () => {
      const { nodes } = await tree.list('', { depth: 3, limit: 100 })
      for (const node of nodes) if (node.name === 'secret') expect(node.size).toBe('of the tenant'.length)
    },
    async () => {
      const packed = (await bufferOf(await tree.pack(''))).toString('latin1')
      expect(packed).not.toContain('the secret')
    }
  ]
  const isEnough = () => outcomes.done > 200 && outcomes.refused > 200
  for (let round = 0; round < 120 && (round < 40 || !isEnough()); round++) {
    for (const operation of operations) {
      try {
        await operation(round)
        outcomes.done++
      } catch (error) {
        if (!(error instanceof AdapterError)) throw error
        outcomes.refused++
      }
    }
  }
  expect(outcomes.done).toBeGreaterThan(100)
  expect(outcomes.refused).toBeGreaterThan(100)
  expect((await readdir(outside)).sort()).toEqual(['secret', 'sub'])
  expect(await readdir(join(outside, 'sub'))).toEqual(['secret'])
  expect(await readFile(join(outside, 'secret'), 'utf8')).toBe('the secret')
  const after = await stat(join(outside, 'secret'))
  expect([after.ino, after.uid, after.mode, after.mtimeMs]).toEqual([
    before.ino,
    before.uid,
    before.mode,
    before.mtimeMs
  ])
  expect(await leftovers()).toEqual([])
})

test(
  'a directory that goes away during a removal of what is in it leaves its new surroundings alone',
  { timeout: 120_000 },
  async () => {
    const { tree, root } = await makeTree()
    const swapper = new Worker(
      `
    const { renameSync } = require('node:fs')
    const { workerData: root } = require('node:worker_threads')
    const tried = (operation) => { try { operation() } catch {} }
    for (;;) {
      tried(() => renameSync(root + '/doomed/a/b', root + '/kept/b'))
      tried(() => renameSync(root + '/kept/b', root + '/doomed/a/b'))
    }
  `,
      { eval: true, workerData: root }
    )
    onTestFinished(async () => void (await swapper.terminate()))
    await mkdir(join(root, 'kept/valuable'), { recursive: true })
    for (let round = 0; round < 50; round++) {
      await rm(join(root, 'kept/b'), { recursive: true, force: true })
      await mkdir(join(root, 'made/a/b/c/d'), { recursive: true })
      await rename(join(root, 'made'), join(root, 'doomed'))
      await tree.remove('doomed')
      expect(existsSync(join(root, 'doomed'))).toBe(false)
      expect(existsSync(join(root, 'kept/valuable'))).toBe(true)
    }
  }
)

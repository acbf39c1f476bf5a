import { link, mkdir, mkdtemp, readFile, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { run } from '../process/run.ts'
import { createLocalServerDisk } from './local-server-disk.ts'

const disk = createLocalServerDisk({ run })
let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'panel-server-disk-'))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

const megabyte = 2 ** 20
async function fileOf(megabytes: number, ...path: string[]): Promise<string> {
  const file = join(directory, ...path)
  await mkdir(join(file, '..'), { recursive: true })
  await writeFile(file, Buffer.alloc(megabytes * megabyte, 1))
  return file
}

test('a file counts once, for the inner directory, and missing directories are skipped', async () => {
  const inner = await fileOf(2, 'outer', 'inner', 'a')
  await fileOf(1, 'outer', 'b')
  await link(inner, join(directory, 'outer', 'linked'))
  const [first, second, missing] = ['outer/inner', 'outer', 'none'].map((name) => join(directory, name))
  const sizes = await disk.measure([first!, missing!, second!])
  expect(sizes.get(first!)! / megabyte).toBeCloseTo(2, 1)
  expect(sizes.get(second!)! / megabyte).toBeCloseTo(1, 1)
  expect(sizes.has(missing!)).toBe(false)
})

test('names its file system', async () => {
  const found = (await disk.findFileSystem(directory))!
  const { blocks, bsize } = await statfs(directory)
  expect(found).toMatchObject({ device: (await stat(directory)).dev, totalBytes: blocks * bsize })
  expect(directory.startsWith(found.mountPoint)).toBe(true)
  expect(found.usedBytes + found.freeBytes).toBeLessThanOrEqual(found.totalBytes)
  expect(await disk.findFileSystem(join(directory, 'none'))).toBeUndefined()
})

test('lists, empties and removes', async () => {
  const log = await fileOf(2, 'a.log')
  await fileOf(1, 'sub', 'c')
  const entries = await disk.list(directory)
  expect(entries.map(({ name, isDirectory }) => [name, isDirectory]).sort()).toEqual([
    ['a.log', false],
    ['sub', true]
  ])
  expect(entries.find(({ name }) => name === 'a.log')!.bytes).toBeGreaterThanOrEqual(2 * megabyte)
  await disk.empty(log)
  expect(await readFile(log, 'utf8')).toBe('')
  await disk.remove(join(directory, 'sub'))
  expect((await disk.list(directory)).map(({ name }) => name)).toEqual(['a.log'])
  expect(await disk.list(join(directory, 'none'))).toEqual([])
})

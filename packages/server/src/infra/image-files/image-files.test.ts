import { lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type Header, pack } from 'tar-stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { unpackImageFiles } from './image-files.ts'

let parent: string
let directory: string
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'image-files-'))
  directory = join(parent, 'to')
  await mkdir(directory)
})
afterEach(() => rm(parent, { recursive: true, force: true }))

const limits = { maxBytes: 1000, maxEntries: 10 }
type Entry = Partial<Header> & { name: string; content?: string }

async function unpack(entries: readonly Entry[]) {
  const tar = pack()
  for (const { content, ...header } of entries) tar.entry(header, content ?? '')
  tar.finalize()
  return unpackImageFiles(Readable.from(tar as AsyncIterable<Buffer>), { directory, uid: process.getuid!(), limits })
}

test('files, folders, links and hard links, without the name of the directory', async () => {
  await unpack([
    { name: 'uploads/', type: 'directory' },
    { name: 'uploads/a/b.txt', content: 'b', mode: 0o600 },
    { name: 'uploads/a/run', content: 'run', mode: 0o755 },
    { name: 'uploads/same', type: 'link', linkname: 'uploads/a/b.txt' },
    { name: 'uploads/out', type: 'symlink', linkname: '/etc/passwd' }
  ])
  expect((await readdir(directory)).toSorted()).toEqual(['a', 'out', 'same'])
  expect(await readFile(join(directory, 'same'), 'utf8')).toBe('b')
  expect(await readlink(join(directory, 'out'))).toBe('/etc/passwd')
  expect((await lstat(join(directory, 'a/run'))).mode & 0o7777).toBe(0o755)
})

test('devices and FIFOs are skipped, and so is a path that is a file', async () => {
  await unpack([
    { name: 'd/null', type: 'character-device', devmajor: 1, devminor: 3 },
    { name: 'd/sda', type: 'block-device', devmajor: 8, devminor: 0 },
    { name: 'd/pipe', type: 'fifo' },
    { name: 'd', content: 'a file' }
  ])
  expect(await readdir(directory)).toEqual([])
})

test.each<[string, Entry[]]>([
  ['a file through a link', [{ name: 'd/l', type: 'symlink', linkname: '..' }, { name: 'd/l/x', content: 'x' }]],
  ['a link through a link', [{ name: 'd/l', type: 'symlink', linkname: '..' }, { name: 'd/l/x', type: 'symlink', linkname: 'y' }]],
  ['a hard link to a file outside', [{ name: 'd/x', type: 'link', linkname: 'd/../../secret' }]],
  ['a name outside', [{ name: 'd/../../x', content: 'x' }]],
  ['more bytes than fit', [{ name: 'd/x', content: 'x'.repeat(1001) }]],
  ['more entries than allowed', Array.from({ length: 11 }, (_, at) => ({ name: `d/${at}` }))]
])('refuses %s', async (_what, entries) => {
  await expect(unpack(entries)).rejects.toThrow()
  expect(await readdir(parent)).toEqual(['to'])
}) // oxfmt-ignore

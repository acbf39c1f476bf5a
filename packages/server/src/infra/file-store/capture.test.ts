import { lstat, mkdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { makeTree } from '../../../test/fixtures/file-tree.fixture.ts'
import { capture } from './capture.ts'

let root: string
let copies: string
beforeEach(async () => {
  const made = await makeTree()
  root = made.root
  copies = join(dirname(root), 'copies')
  await mkdir(copies)
  await mkdir(join(root, 'dir'))
  await writeFile(join(root, 'index.html'), 'one')
  await writeFile(join(root, 'dir/page.html'), 'page')
})

const options = { uid: process.getuid!(), maxBytes: 1000, maxFiles: 100 }
const take = (name: string, more: object = {}) => capture(root, join(copies, name), { ...options, ...more })
const inode = async (path: string) => (await lstat(join(copies, path))).ino

test('what an earlier copy has too is linked to it, and nothing to the files themselves', async () => {
  expect(await take('a')).toEqual({ files: 2, bytes: 7, newBytes: 7 })
  await writeFile(join(root, 'index.html'), 'two')
  expect(await take('b', { like: join(copies, 'a') })).toEqual({ files: 2, bytes: 7, newBytes: 3 })
  expect(await inode('b/dir/page.html')).toBe(await inode('a/dir/page.html'))
  expect((await lstat(join(root, 'dir/page.html'))).ino).not.toBe(await inode('a/dir/page.html'))
  // SFTP writes in place.
  await writeFile(join(root, 'dir/page.html'), 'egap')
  const read = (path: string) => readFile(join(copies, path), 'utf8')
  expect(await Promise.all(['a/index.html', 'b/index.html', 'a/dir/page.html', 'b/dir/page.html'].map(read))).toEqual([
    'one',
    'two',
    'page',
    'page'
  ])
})

test('links are kept as they are and not followed', async () => {
  await symlink('/etc/passwd', join(root, 'out'))
  await symlink('/etc', join(root, 'dir/out'))
  expect(await take('a')).toMatchObject({ files: 2 })
  expect([await readlink(join(copies, 'a/out')), await readlink(join(copies, 'a/dir/out'))]).toEqual([
    '/etc/passwd',
    '/etc'
  ])
  // A link in the earlier copy is no file to link to.
  await symlink('/etc/passwd', join(root, 'x'))
  await take('b')
  await mkdir(join(root, 'sub'))
  await writeFile(join(root, 'sub/x'), 'x')
  expect(await take('c', { like: join(copies, 'b') })).toMatchObject({ files: 3, newBytes: 1 })
})

test('what is above the limits is refused', async () => {
  await expect(take('a', { maxBytes: 6 })).rejects.toMatchObject({ kind: 'disk-full' })
  await expect(take('b', { maxFiles: 1 })).rejects.toMatchObject({ kind: 'too-large' })
  await take('c')
  expect(await take('d', { like: join(copies, 'c'), maxBytes: 0 })).toMatchObject({ newBytes: 0 })
})

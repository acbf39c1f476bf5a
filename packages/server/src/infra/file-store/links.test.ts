import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import type { AdapterErrorKind } from '../adapter-error.ts'
import { makeTree, textOfStream } from '../../../test/fixtures/file-tree.fixture.ts'

const refusal = (kind: AdapterErrorKind) => expect.objectContaining({ kind })

let made: Awaited<ReturnType<typeof makeTree>>
beforeEach(async () => {
  made = await makeTree()
  const { root, outside } = made
  await mkdir(join(root, 'dir/sub'), { recursive: true })
  await writeFile(join(root, 'file'), 'inside')
  await writeFile(join(root, 'dir/sub/deep'), 'deep')
  const links = {
    inside: 'file',
    chain: 'chain2',
    chain2: './chain3',
    chain3: 'dir/../inside',
    'dir/up': '../file',
    'dir/sub/root': '../..',
    'to-sub': 'dir//sub/',
    'through-link': 'to-sub/../up',
    relative: '../outside/secret',
    'dir/relative': '../../outside/secret',
    'to-outside': '../outside',
    absolute: join(outside, 'secret'),
    'absolute-inside': join(root, 'file'),
    'to-absolute': outside,
    'chain-out': 'dir/relative',
    'out-and-back': `../root/file`,
    'to-proc': '/proc/self/fd',
    loop: 'loop',
    ping: 'pong',
    pong: 'ping',
    dangling: 'dir/none',
    'through-file': 'file/none'
  }
  for (const [path, target] of Object.entries(links)) await symlink(target, join(root, path))
})

test.each([
  ['inside', 'inside'],
  ['chain', 'inside'],
  ['dir/up', 'inside'],
  ['dir/sub/root/file', 'inside'],
  ['dir/sub/root/dir/sub/root/dir/sub/deep', 'deep'],
  ['to-sub/deep', 'deep'],
  ['through-link', 'inside']
])('%s stays inside and is followed', async (path, content) => {
  expect(await textOfStream((await made.tree.open(path)).stream())).toBe(content)
  expect(await made.tree.stat(path)).toMatchObject({ path, type: 'file', size: content.length })
})

const outward = [
  'relative',
  'dir/relative',
  'absolute',
  'absolute-inside',
  'chain-out',
  'out-and-back',
  'to-outside/secret',
  'to-outside/new',
  'to-absolute/secret',
  'to-proc/0',
  'loop',
  'ping',
  'loop/x'
]

test.each(outward)('%s leaves the tree or is broken and is rejected by every call that follows links', async (path) => {
  const { tree, outside } = made
  await expect(tree.open(path)).rejects.toEqual(refusal('path-forbidden'))
  await expect(tree.stat(path)).rejects.toEqual(refusal('path-forbidden'))
  await expect(tree.list(path, { depth: 3, limit: 10 })).rejects.toEqual(refusal('path-forbidden'))
  await expect(tree.search(path, { name: 's', limit: 10 })).rejects.toEqual(refusal('path-forbidden'))
  await expect(tree.pack(path)).rejects.toEqual(refusal('path-forbidden'))
  await expect(tree.write(path, 'x', { mode: 'replace' })).rejects.toEqual(refusal('path-forbidden'))
  await expect(tree.extract(path, '', { maxBytes: 1, maxEntries: 1, maxRatio: 1 })).rejects.toEqual(
    refusal('path-forbidden')
  )
  expect(await readFile(join(outside, 'secret'), 'utf8')).toBe('the secret')
  expect(await readdir(outside)).toEqual(['secret'])
})

test.each(['to-outside', 'to-absolute', 'to-proc', 'loop'])('nothing is changed below %s', async (link) => {
  const { tree, outside } = made
  const path = `${link}/secret`
  const changes = [
    () => tree.write(path, 'x', { mode: 'create' }),
    () => tree.mkdir(`${link}/new`),
    () => tree.remove(path),
    () => tree.move(path, 'taken'),
    () => tree.move('file', `${link}/new`),
    () => tree.copy(path, 'taken'),
    () => tree.copy('dir', `${link}/new`),
    () => tree.chmod(path, 0o777),
    () => tree.extract('file', link, { maxBytes: 1, maxEntries: 1, maxRatio: 1 })
  ]
  for (const change of changes) await expect(change()).rejects.toEqual(refusal('path-forbidden'))
  expect(await readFile(join(outside, 'secret'), 'utf8')).toBe('the secret')
  expect(await readdir(outside)).toEqual(['secret'])
})

test.each<[string, AdapterErrorKind]>([
  ['dangling', 'file-not-found'],
  ['through-file', 'not-a-directory']
])('%s is %s', async (path, problem) => {
  await expect(made.tree.open(path)).rejects.toEqual(refusal(problem))
})

test('writes through a link inside the tree', async () => {
  const { tree, root } = made
  await tree.write('dangling', 'made', { mode: 'replace' })
  expect(await readFile(join(root, 'dir/none'), 'utf8')).toBe('made')
  await tree.write('chain', 'changed', { mode: 'replace' })
  expect(await readFile(join(root, 'file'), 'utf8')).toBe('changed')
  await expect(tree.write('dangling', 'x', { mode: 'create' })).rejects.toEqual(refusal('file-exists'))
})

test('removes, moves and copies a link itself', async () => {
  const { tree, root, outside } = made
  await tree.copy('to-outside', 'copied')
  await tree.move('to-outside', 'moved')
  expect((await tree.stat('dir')).type).toBe('dir')
  await tree.remove('moved')
  await tree.remove('copied')
  await tree.copy('dir', 'dir2')
  await expect(tree.open('dir2/relative')).rejects.toEqual(refusal('path-forbidden'))
  await tree.remove('dir2')
  await tree.remove('dir')
  expect(await readdir(outside)).toEqual(['secret'])
  expect((await readdir(root)).includes('dir')).toBe(false)
})

test('follows at most forty links', async () => {
  const { tree, root } = made
  await symlink('file', join(root, 'link-1'))
  for (let count = 2; count <= 41; count++) await symlink(`link-${count - 1}`, join(root, `link-${count}`))
  expect((await tree.stat('link-40')).size).toBe(6)
  await expect(tree.stat('link-41')).rejects.toEqual(refusal('path-forbidden'))
})

test('limits the work of links with many ..', async () => {
  const deep = Array.from({ length: 500 }, () => 'd').join('/')
  await mkdir(join(made.root, deep), { recursive: true })
  // A link target has at most 4 KiB; each one walks the whole path a thousand times.
  const upAndDown = Array.from({ length: 800 }, () => '../d').join('/')
  for (let link = 0; link < 38; link++) await symlink(`${upAndDown}/${link + 1}`, join(made.root, deep, String(link)))
  await writeFile(join(made.root, deep, '38'), '')
  await expect(made.tree.stat(`${deep}/0`)).rejects.toEqual(refusal('path-forbidden'))
})

import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, lstat, mkdir, readdir, readFile, readlink, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bufferOf, makeTree } from '../../../test/fixtures/file-tree.fixture.ts'
import { tarHeader } from './tar-header.ts'

test('tar unpacks what was packed: names, modes, links, long and odd names', async () => {
  const { tree, root, outside } = await makeTree()
  const long = `${'long-'.repeat(40)}ä`
  await mkdir(join(root, 'site/empty'), { recursive: true })
  await mkdir(join(root, 'site', long, long), { recursive: true })
  await writeFile(join(root, 'site', long, long, 'file'), 'deep')
  await writeFile(join(root, 'site/run'), 'x'.repeat(1000))
  await chmod(join(root, 'site/run'), 0o4755)
  for (const name of ['skipped', '.panel-marker']) await writeFile(join(root, 'site', name), '')
  await writeFile(Buffer.from(`${root}/site/\xff`, 'latin1'), 'bytes')
  await symlink('run', join(root, 'site/link'))
  await symlink('none', join(root, 'site/dangling'))
  await symlink(long.repeat(3).slice(0, 200), join(root, 'site/long-link'))
  await symlink(join(outside, 'secret'), join(root, 'site/absolute'))
  await symlink('../../outside', join(root, 'site/relative'))
  execFileSync('mkfifo', [join(root, 'site/fifo')])
  // tar compares fractional seconds for entries with a pax header; ours has whole seconds.
  execFileSync('find', [join(root, 'site'), '-exec', 'touch', '-h', '-d', '2026-01-01', '{}', '+'])
  const archive = await bufferOf(await tree.pack('site', { skip: { paths: ['skipped'], prefixes: ['.panel-'] } }))
  const unpacked = join(root, 'unpacked')
  await mkdir(unpacked)
  execFileSync('tar', ['-x', '-p', '--no-same-owner', '-f', '-', '-C', unpacked], { input: archive })
  expect((await readdir(unpacked, 'latin1')).sort()).toEqual(
    ['dangling', 'empty', 'link', Buffer.from(long).toString('latin1'), 'long-link', 'run', '\xff'].sort()
  )
  expect(await readFile(join(unpacked, long, long, 'file'), 'utf8')).toBe('deep')
  expect((await lstat(join(unpacked, 'run'))).mode & 0o7777).toBe(0o755)
  expect((await lstat(join(unpacked, 'run'))).size).toBe(1000)
  expect(await readlink(join(unpacked, 'long-link'))).toBe(long.repeat(3).slice(0, 200))
  await chmod(join(root, 'site/run'), 0o755)
  const compared = spawnSync('tar', ['-d', '-f', '-', '-C', join(root, 'site')], { input: archive })
  expect(compared.stdout.toString() + compared.stderr.toString()).toBe('')
})

test('resolved links become files, other links are skipped', async () => {
  const { tree, root, outside } = await makeTree()
  await mkdir(join(root, 'site/dir'), { recursive: true })
  await writeFile(join(root, 'site/dir/small'), 'small')
  await writeFile(join(root, 'site/large'), Buffer.alloc(200_000, 'x'))
  const links = {
    'to-small': 'dir/small',
    'dir/to-large': '../large',
    chain: 'to-small',
    'to-dir': 'dir',
    dangling: 'none',
    loop: 'loop',
    out: join(outside, 'secret'),
    'out-relative': '../../outside/secret'
  }
  for (const [path, target] of Object.entries(links)) await symlink(target, join(root, 'site', path))
  const unpacked = join(root, 'unpacked')
  await mkdir(unpacked)
  const archive = await bufferOf(await tree.pack('site', { links: 'resolved' }))
  execFileSync('tar', ['-x', '-f', '-', '-C', unpacked], { input: archive })
  expect((await readdir(unpacked)).sort()).toEqual(['chain', 'dir', 'large', 'to-small'])
  expect((await readdir(join(unpacked, 'dir'))).sort()).toEqual(['small', 'to-large'])
  for (const path of ['chain', 'to-small', 'dir/to-large'])
    expect((await lstat(join(unpacked, path))).isFile()).toBe(true)
  expect(await readFile(join(unpacked, 'chain'), 'utf8')).toBe('small')
  expect((await readFile(join(unpacked, 'dir/to-large'))).equals(Buffer.alloc(200_000, 'x'))).toBe(true)
})

test('pads a truncated file so that the archive stays valid', async () => {
  const { tree, root } = await makeTree()
  await writeFile(join(root, 'log'), Buffer.alloc(3_000_000, 'x'))
  const chunks: Buffer[] = []
  for await (const chunk of (await tree.pack('')) as AsyncIterable<Buffer>) {
    if (chunks.length === 0) await truncate(join(root, 'log'), 1_000_000)
    chunks.push(chunk)
  }
  const listed = execFileSync('tar', ['-t', '-v', '-f', '-'], { input: Buffer.concat(chunks) }).toString()
  expect(listed).toMatch(/ 3000000 .* log\n$/)
})

test('closes everything if the archive is not read to its end', async () => {
  const { tree, root, openHandles } = await makeTree()
  await writeFile(join(root, 'large'), Buffer.alloc(5_000_000))
  await once((await tree.pack('')).destroy(), 'close')
  const started = await tree.pack('')
  await once(started, 'readable')
  await once(started.destroy(), 'close')
  await expect.poll(openHandles).toEqual([])
})

test('uses pax records for large sizes and uids', () => {
  const header = tarHeader({
    name: Buffer.from('a'),
    type: 'file',
    size: 10 * 1024 ** 3,
    mode: 0o644,
    uid: 3_000_000,
    mtime: new Date(0)
  })
  // Truncated on purpose: tar reports that after listing what it read.
  const listed = spawnSync('tar', ['-t', '-v', '--numeric-owner', '-f', '-'], { input: header })
  expect(listed.stdout.toString()).toContain('3000000/3000000 10737418240')
})

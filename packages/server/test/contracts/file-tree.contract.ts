import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { linkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import {
  appendFile,
  chmod,
  link,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  stat,
  symlink,
  truncate,
  writeFile
} from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { AdapterErrorKind } from '../../src/infra/adapter-error.ts'
import { inMemory, type makeTree as makeTreeOnDisk, tenantUid, textOfStream } from '../fixtures/file-tree.fixture.ts'

const refusal = (kind: AdapterErrorKind) => expect.objectContaining({ kind })

/**
 * What every file store does. Its trees lie where the tests can look at them.
 * @param bug what a path that is no path rejects with
 */
export function describeFileTree(where: string, makeTree: typeof makeTreeOnDisk, bug: typeof TypeError | string): void {
  describe(`a file store ${where}`, () => {
    describe('writing', () => {
      test('creates a file with its owner and mode, once', async () => {
        const { tree, root, leftovers } = await makeTree()
        expect(await tree.write('a.txt', 'one', { mode: 'create' })).toMatchObject({
          name: 'a.txt',
          path: 'a.txt',
          type: 'file',
          size: 3,
          mode: 0o644
        })
        await expect(tree.write('a.txt', 'two', { mode: 'create' })).rejects.toEqual(refusal('file-exists'))
        expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('one')
        expect(await stat(join(root, 'a.txt'))).toMatchObject({ uid: tenantUid, mode: 0o100644, nlink: 1 })
        expect(await leftovers()).toEqual([])
      })

      test('replaces a file atomically and keeps its mode without setuid and setgid', async () => {
        const { tree, root } = await makeTree()
        await writeFile(join(root, 'run'), 'old')
        await chmod(join(root, 'run'), 0o6750)
        const before = await tree.open('run')
        expect(
          await tree.write('run', Readable.from([Buffer.from('n'), Buffer.from('ew')]), { mode: 'replace' })
        ).toMatchObject({
          size: 3,
          mode: 0o750
        })
        expect((await lstat(join(root, 'run'))).mode & 0o7777).toBe(0o750)
        expect(await textOfStream(before.stream())).toBe('old')
        expect(await readFile(join(root, 'run'), 'utf8')).toBe('new')
      })

      test('a failing or too large source leaves the existing file', async () => {
        const { tree, root, leftovers } = await makeTree()
        await tree.write('a', 'old', { mode: 'create' })
        const cutOff = Readable.from(
          (async function* () {
            yield Buffer.alloc(3_000_000)
            throw new Error('cut off')
          })()
        )
        await expect(tree.write('a', cutOff, { mode: 'replace' })).rejects.toThrow('cut off')
        await expect(
          tree.write('b', Readable.from([Buffer.alloc(6), Buffer.alloc(5)]), { mode: 'create', maxBytes: 10 })
        ).rejects.toEqual(refusal('too-large'))
        expect(await readdir(root)).toEqual(['a'])
        expect(await readFile(join(root, 'a'), 'utf8')).toBe('old')
        expect(await leftovers()).toEqual([])
      })

      test('an interrupted upload leaves nothing', async () => {
        const { tree, leftovers } = await makeTree()
        const source = new Readable({ read() {} })
        source.push(Buffer.alloc(2_000_000))
        const writing = tree.write('a', source, { mode: 'create' })
        await expect.poll(leftovers).toHaveLength(1)
        source.destroy()
        await expect(writing).rejects.toThrow()
        await expect.poll(leftovers).toEqual([])
      })

      test('distinguishes a missing parent, a file as parent and a directory as target', async () => {
        const { tree } = await makeTree()
        await tree.write('file', '', { mode: 'create' })
        await tree.mkdir('dir')
        await expect(tree.write('none/a', '', { mode: 'replace' })).rejects.toEqual(refusal('file-not-found'))
        await expect(tree.write('file/a', '', { mode: 'replace' })).rejects.toEqual(refusal('not-a-directory'))
        await expect(tree.write('dir', '', { mode: 'replace' })).rejects.toEqual(refusal('not-a-file'))
        await expect(tree.write('', '', { mode: 'replace' })).rejects.toEqual(refusal('not-a-file'))
        await expect(tree.write('n'.repeat(256), '', { mode: 'create' })).rejects.toEqual(refusal('name-too-long'))
        await expect(tree.write('../a', '', { mode: 'create' })).rejects.toThrow(bug)
      })

      test('sweeps an unfinished upload of a previous process', async () => {
        const { tree, store, stagingDirectory, leftovers } = await makeTree()
        await tree.mkdir('a')
        await mkdir(join(stagingDirectory, 'left', 'deep'), { recursive: true })
        await writeFile(join(stagingDirectory, 'left', 'deep', 'file'), 'left')
        await writeFile(join(stagingDirectory, 'upload'), 'left')
        await store.sweep()
        expect(await leftovers()).toEqual([])
        expect((await stat(stagingDirectory)).mode & 0o777).toBe(0o700)
      })
    })

    describe('reading', () => {
      test('streams a file or a part of it, and closes it', async () => {
        const { tree, openHandles } = await makeTree()
        await tree.write('a', '0123456789', { mode: 'create' })
        await tree.write('empty', '', { mode: 'create' })
        const whole = await tree.open('a')
        expect(whole.file).toMatchObject({ name: 'a', size: 10 })
        expect(await textOfStream(whole.stream())).toBe('0123456789')
        expect(await textOfStream((await tree.open('a')).stream({ start: 2, end: 4 }))).toBe('234')
        expect(await textOfStream((await tree.open('empty')).stream())).toBe('')
        const destroyed = (await tree.open('a')).stream()
        await once(destroyed.destroy(), 'close')
        await (await tree.open('a')).close()
        await expect.poll(openHandles).toEqual([])
      })

      test('ignores data appended after opening', async () => {
        const { tree, root } = await makeTree()
        await tree.write('log', 'one', { mode: 'create' })
        const opened = await tree.open('log')
        await appendFile(join(root, 'log'), 'two')
        expect(await textOfStream(opened.stream())).toBe('one')
      })

      test('reads hard links', async () => {
        const { tree, root } = await makeTree()
        await writeFile(join(root, '.env'), 'A=1')
        await link(join(root, '.env'), join(root, 'other'))
        expect(await textOfStream((await tree.open('other')).stream())).toBe('A=1')
        await tree.write('other', 'B=2', { mode: 'replace' })
        expect(await readFile(join(root, '.env'), 'utf8')).toBe('A=1')
      })

      test('rejects directories, FIFOs, sockets and devices without opening them', async () => {
        const { tree, root } = await makeTree()
        await mkdir(join(root, 'dir'))
        execFileSync('mkfifo', [join(root, 'fifo')])
        const server = createServer().listen(join(root, 'socket'))
        onTestFinished(() => void server.close())
        await once(server, 'listening')
        const names = ['dir', 'fifo', 'socket']
        if (isRoot) {
          execFileSync('mknod', [join(root, 'device'), 'c', '1', '5'])
          names.push('device')
        }
        for (const name of names) {
          await expect(tree.open(name)).rejects.toEqual(refusal('not-a-file'))
          await expect(tree.write(name, 'x', { mode: 'replace' })).rejects.toEqual(refusal('not-a-file'))
          if (name === 'dir') continue
          await expect(tree.copy(name, 'copy')).rejects.toEqual(refusal('not-a-file'))
          await expect(tree.chmod(name, 0o777)).rejects.toEqual(refusal('not-a-file'))
          expect(await tree.stat(name)).toMatchObject({ type: 'file', size: 0 })
        }
        await tree.copy('dir', 'dir2')
        for (const name of names) await tree.remove(name)
        expect(await readdir(root)).toEqual(['dir2'])
      })
    })

    describe('listing', () => {
      test('is sorted by code units, paged, and resolves links inside the tree', async () => {
        const { tree, root, outside } = await makeTree()
        await mkdir(join(root, 'b'))
        for (const name of ['a', 'Z', 'ä', 'b/c']) await writeFile(join(root, name), 'x')
        await symlink('b', join(root, 'to-dir'))
        await symlink('a', join(root, 'to-file'))
        await symlink(join(outside, 'secret'), join(root, 'out'))
        await symlink('none', join(root, 'broken'))
        const { nodes, next } = await tree.list('', { depth: 1, limit: 100 })
        expect(next).toBeNull()
        expect(nodes.map(({ name, type, size }) => [name, type, size])).toEqual([
          ['Z', 'file', 1],
          ['a', 'file', 1],
          ['b', 'dir', 0],
          ['broken', 'file', 0],
          ['out', 'file', 0],
          ['to-dir', 'dir', 0],
          ['to-file', 'file', 1],
          ['ä', 'file', 1]
        ])
        expect((await tree.list('to-dir', { depth: 1, limit: 9 })).nodes).toMatchObject([
          { name: 'c', path: 'to-dir/c' }
        ])
      })

      test.each([1, 2, 3])('pages of depth %i cover everything', async (depth) => {
        const { tree, root } = await makeTree()
        for (const path of ['a/a/a', 'a/b', 'b/a/b/c', 'b/d', 'c']) {
          await mkdir(join(root, path, '..'), { recursive: true })
          await writeFile(join(root, path), '')
        }
        const whole = (await tree.list('', { depth, limit: 100 })).nodes.map(({ path }) => path)
        expect(whole).toHaveLength([3, 7, 9][depth - 1]!)
        for (const limit of [1, 2, 4]) {
          const paged: string[] = []
          let after: string | undefined
          do {
            const page = await tree.list('', { depth, limit, after })
            paged.push(...page.nodes.map(({ path }) => path))
            after = page.next ?? undefined
          } while (after !== undefined)
          expect(paged).toEqual(whole)
        }
      })

      test('100,000 entries come in pages', async () => {
        const { tree, root } = await makeTree(inMemory)
        const names = Array.from({ length: 100_000 }, (_, index) => `file-${index}`).sort()
        // Hard links are faster to create than files; ext4 allows about 65,000 per file.
        const files = names.slice(0, 4).map((name) => join(root, name))
        for (const file of files) writeFileSync(file, '')
        names.slice(4).forEach((name, index) => linkSync(files[index % 4]!, join(root, name)))
        const first = await tree.list('', { depth: 1, limit: 50_000 })
        const second = await tree.list('', { depth: 1, limit: 50_000, after: first.next! })
        expect(second.next).toBeNull()
        expect([...first.nodes, ...second.nodes].map(({ name }) => name)).toEqual(names)
      })

      test('lists a large directory like a small one, without following links out', async () => {
        const { tree, root, outside, openHandles } = await makeTree()
        await mkdir(join(root, 'dir'))
        await mkdir(join(root, 'many'))
        const entries = [
          ...['a', '...', 'new\nline', 'ä', '-rf'].map((name) => (path: string) => writeFile(join(path, name), 'x')),
          (path: string) => symlink('../dir', join(path, 'to-dir')),
          (path: string) => symlink('a', join(path, 'to-file')),
          (path: string) => symlink(join(outside, 'secret'), join(path, 'out')),
          (path: string) => symlink('broken', join(path, 'broken')),
          (path: string) => mkdir(join(path, 'sub')),
          async (path: string) => void execFileSync('mkfifo', [join(path, 'fifo')]),
          (path: string) => writeFile(Buffer.concat([Buffer.from(path), Buffer.from('/\xff', 'latin1')]), 'x')
        ]
        for (const path of ['dir', 'many']) for (const make of entries) await make(join(root, path))
        await chmod(join(root, 'dir/a'), 0o600)
        await chmod(join(root, 'many/a'), 0o600)
        for (let n = 0; n < 3_000; n++) writeFileSync(join(root, `many/file-${n}`), 'x')
        const facts = async (path: string) => {
          const { nodes } = await tree.list(path, { depth: 2, limit: 5_000 })
          return nodes.map(({ name, type, size, mode }) => ({ name, type, size, mode }))
        }
        const large = await facts('many')
        expect(large).toHaveLength(3_000 + entries.length - 1)
        expect(large.filter(({ name }) => !name.startsWith('file-'))).toEqual(await facts('dir'))
        const [first] = (await tree.list('many', { depth: 1, limit: 1, after: 'file-1' })).nodes
        expect(first).toEqual(await tree.stat('many/file-10'))
        expect(openHandles()).toEqual([])
      })

      test('leaves out names that are not UTF-8 and removes them with their directory', async () => {
        const { tree, root } = await makeTree()
        await mkdir(join(root, 'dir'))
        await writeFile(Buffer.concat([Buffer.from(join(root, 'dir')), Buffer.from('/\xff\xfe', 'latin1')]), 'x')
        await mkdir(Buffer.concat([Buffer.from(join(root, 'dir')), Buffer.from('/\xfd', 'latin1')]))
        expect((await tree.list('dir', { depth: 2, limit: 10 })).nodes).toEqual([])
        expect(await tree.search('', { name: '\u{fffd}', limit: 10 })).toEqual({ nodes: [], isComplete: true })
        await tree.copy('dir', 'copy')
        expect((await readdir(join(root, 'copy'), 'buffer')).map((name) => name.toString('latin1')).sort()).toEqual([
          '\xfd',
          '\xff\xfe'
        ])
        await tree.remove('dir')
        await tree.remove('copy')
        expect(await readdir(root)).toEqual([])
      })

      test('rejects a file and a missing path', async () => {
        const { tree } = await makeTree()
        await tree.write('a', '', { mode: 'create' })
        await expect(tree.list('a', { depth: 1, limit: 1 })).rejects.toEqual(refusal('not-a-directory'))
        await expect(tree.list('b', { depth: 1, limit: 1 })).rejects.toEqual(refusal('file-not-found'))
      })
    })

    describe('searching', () => {
      test('matches parts of names regardless of case and normalization, up to the limit', async () => {
        const { tree, root } = await makeTree()
        await mkdir(join(root, 'src/CAFÉ'), { recursive: true })
        await writeFile(join(root, 'src/CAFÉ/cafe\u0301.txt'), 'x')
        await writeFile(join(root, 'café'), 'x')
        const paths = async (path: string, limit: number) => {
          const { nodes, isComplete } = await tree.search(path, { name: 'Café', limit })
          return { paths: nodes.map((node) => node.path).sort(), isComplete }
        }
        expect(await paths('src', 10)).toEqual({ paths: ['src/CAFÉ', 'src/CAFÉ/cafe\u0301.txt'], isComplete: true })
        expect((await paths('', 3)).isComplete).toBe(true)
        expect((await paths('', 2)).isComplete).toBe(false)
      })
    })

    describe('changing', () => {
      test('makes a directory once', async () => {
        const { tree, root } = await makeTree()
        expect(await tree.mkdir('a')).toMatchObject({ name: 'a', type: 'dir', mode: 0o755 })
        expect(await stat(join(root, 'a'))).toMatchObject({
          uid: tenantUid,
          gid: isRoot ? tenantUid : process.getgid?.()
        })
        await expect(tree.mkdir('a')).rejects.toEqual(refusal('file-exists'))
        await expect(tree.mkdir('')).rejects.toEqual(refusal('file-exists'))
        await expect(tree.mkdir('b/c')).rejects.toEqual(refusal('file-not-found'))
      })

      test('moves files, links and directories, never over anything', async () => {
        const { tree, root } = await makeTree()
        await mkdir(join(root, 'dir/sub'), { recursive: true })
        await mkdir(join(root, 'empty'))
        await writeFile(join(root, 'file'), 'x')
        await symlink('nowhere', join(root, 'link'))
        for (const to of ['dir', 'empty', 'link', '']) {
          await expect(tree.move('file', to)).rejects.toEqual(refusal('file-exists'))
        }
        for (const to of ['empty', 'file', 'link']) {
          await expect(tree.move('dir', to)).rejects.toEqual(refusal('file-exists'))
        }
        await expect(tree.move('dir', 'dir/sub/dir')).rejects.toEqual(refusal('directory-into-itself'))
        await expect(tree.move('', 'dir/root')).rejects.toEqual(refusal('directory-into-itself'))
        await expect(tree.move('none', 'other')).rejects.toEqual(refusal('file-not-found'))
        expect(await tree.move('file', 'dir/file2')).toMatchObject({ path: 'dir/file2', size: 1 })
        await tree.move('link', 'dir/link2')
        await tree.move('dir', 'empty/dir')
        expect((await readdir(root)).sort()).toEqual(['empty'])
        expect(await readlink(join(root, 'empty/dir/link2'))).toBe('nowhere')
        expect((await stat(join(root, 'empty/dir/file2'))).nlink).toBe(1)
      })

      test('rejects huge sparse files', async () => {
        const { tree, root, leftovers } = await makeTree()
        await mkdir(join(root, 'dir'))
        await writeFile(join(root, 'dir/large'), '')
        await truncate(join(root, 'dir/large'), 1024 ** 4)
        for (const path of ['dir/large', 'dir'])
          await expect(tree.copy(path, 'copy')).rejects.toEqual(refusal('too-large'))
        expect(await readdir(root)).toEqual(['dir'])
        expect(await leftovers()).toEqual([])
      })

      test('copies links, modes and holes', async () => {
        const { tree, root, leftovers } = await makeTree()
        await mkdir(join(root, 'dir/sub'), { recursive: true })
        await writeFile(join(root, 'dir/sub/run'), 'x')
        await chmod(join(root, 'dir/sub/run'), 0o4711)
        await chmod(join(root, 'dir/sub'), 0o2750)
        await symlink('sub/run', join(root, 'dir/link'))
        execFileSync('mkfifo', [join(root, 'dir/fifo')])
        await writeFile(join(root, 'dir/large'), 'begin')
        await truncate(join(root, 'dir/large'), 128 * 1024 ** 2)
        expect(await tree.copy('dir', 'copy')).toMatchObject({ path: 'copy', type: 'dir' })
        expect((await readdir(join(root, 'copy'))).sort()).toEqual(['large', 'link', 'sub'])
        expect(await lstat(join(root, 'copy/sub/run'))).toMatchObject({ mode: 0o100711, uid: tenantUid })
        expect(await lstat(join(root, 'copy/sub'))).toMatchObject({ mode: 0o40750, uid: tenantUid })
        expect(await lstat(join(root, 'copy/link'))).toMatchObject({ uid: tenantUid })
        expect(await readlink(join(root, 'copy/link'))).toBe('sub/run')
        const large = await stat(join(root, 'copy/large'))
        expect(large.size).toBe(128 * 1024 ** 2)
        expect(large.blocks * 512).toBeLessThan(10 * 1024 ** 2)
        await expect(tree.copy('dir', 'copy')).rejects.toEqual(refusal('file-exists'))
        await expect(tree.copy('dir', 'dir/copy')).rejects.toEqual(refusal('directory-into-itself'))
        expect(await tree.copy('copy/link', 'link')).toMatchObject({ path: 'link' })
        expect(await readlink(join(root, 'link'))).toBe('sub/run')
        expect(await leftovers()).toEqual([])
      })

      test('changes modes of files and directories, not through links', async () => {
        const { tree, root } = await makeTree()
        await writeFile(join(root, 'a'), '')
        await symlink('a', join(root, 'link'))
        expect(await tree.chmod('a', 0o4755)).toMatchObject({ mode: 0o755 })
        expect((await stat(join(root, 'a'))).mode & 0o7777).toBe(0o755)
        await expect(tree.chmod('link', 0o777)).rejects.toEqual(refusal('not-a-file'))
        await expect(tree.chmod('', 0o777)).rejects.toEqual(refusal('path-forbidden'))
      })

      test('removes any entry, links themselves, never the root', async () => {
        const { tree, root, leftovers } = await makeTree()
        await mkdir(join(root, 'dir/sub'), { recursive: true })
        await writeFile(join(root, 'dir/sub/a'), '')
        await symlink('dir', join(root, 'link'))
        await tree.remove('link')
        expect(await readdir(join(root, 'dir/sub'))).toEqual(['a'])
        await tree.remove('dir')
        expect(await readdir(root)).toEqual([])
        await expect(tree.remove('')).rejects.toEqual(refusal('path-forbidden'))
        await expect(tree.remove('dir')).rejects.toEqual(refusal('file-not-found'))
        expect(await leftovers()).toEqual([])
      })

      // Deeper than the usual limit of open files.
      test('a tree of 1,100 levels is copied and removed with few handles', async () => {
        const { tree, root, leftovers, openHandles } = await makeTree(inMemory)
        const child = spawnSync(process.execPath, ['-e', makeDeep, join(root, 'deep')])
        expect(child.stderr.toString()).toBe('')
        expect((await tree.search('deep', { name: 'bottom', limit: 5 })).nodes).toMatchObject([{ name: 'bottom' }])
        await tree.copy('deep', 'copy')
        await tree.remove('deep')
        expect((await tree.search('copy', { name: 'bottom', limit: 5 })).nodes).toMatchObject([{ name: 'bottom' }])
        await tree.remove('copy')
        expect(await readdir(root)).toEqual([])
        expect(await leftovers()).toEqual([])
        expect(openHandles()).toEqual([])
      })
    })

    describe('protected names', () => {
      test('cannot be created, changed or removed', async () => {
        const { tree, root } = await makeTree()
        await mkdir(join(root, 'dir/sub'), { recursive: true })
        await writeFile(join(root, 'dir/sub/.env'), 'A=1')
        await writeFile(join(root, '.env'), 'A=1')
        await writeFile(join(root, 'a'), '')
        await symlink('.env', join(root, 'link'))
        await mkdir(join(root, 'free'))
        const refused = [
          () => tree.write('.env', '', { mode: 'create' }),
          () => tree.write('.env', '', { mode: 'replace' }),
          () => tree.write('link', '', { mode: 'replace' }),
          () => tree.write('free/.env', '', { mode: 'create' }),
          () => tree.mkdir('free/.env'),
          () => tree.remove('.env'),
          () => tree.remove('dir'),
          () => tree.move('.env', 'b'),
          () => tree.move('a', 'free/.env'),
          () => tree.move('dir', 'b'),
          () => tree.copy('a', 'free/.env'),
          () => tree.copy('dir', 'b'),
          () => tree.chmod('.env', 0o777)
        ]
        for (const operation of refused) await expect(operation()).rejects.toEqual(refusal('path-protected'))
        expect((await readdir(root)).sort()).toEqual(['.env', 'a', 'dir', 'free', 'link'])
        expect(await readFile(join(root, '.env'), 'utf8')).toBe('A=1')
        expect(await textOfStream((await tree.open('.env')).stream())).toBe('A=1')
        await tree.remove('link')
      })
    })
  })
}

const isRoot = process.getuid?.() === 0

/** Creates each level inside the previous one: the full path would exceed PATH_MAX. */
const makeDeep = `
  const fs = require('node:fs')
  fs.mkdirSync(process.argv[1])
  process.chdir(process.argv[1])
  for (let level = 0; level < 1100; level++) { fs.mkdirSync('d'); process.chdir('d') }
  fs.writeFileSync('bottom', 'x')
`

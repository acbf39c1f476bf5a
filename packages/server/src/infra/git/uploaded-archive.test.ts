import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { madeTar, type TarMember } from '../../../test/fixtures/archive.fixture.ts'
import { filesOfArchive } from './uploaded-archive.ts'

const limits = { maxBytes: 1000, maxFiles: 3, timeoutMs: 60_000 }

async function read(archive: Buffer): Promise<[string, string, string][]> {
  const files: [string, string, string][] = []
  for await (const { path, kind, content } of filesOfArchive(Readable.from([archive]), limits)) {
    const pieces: Buffer[] = []
    for await (const piece of content) pieces.push(piece)
    files.push([path, kind, Buffer.concat(pieces).toString()])
  }
  return files
}
const readMembers = async (...members: TarMember[]) => read(gzipSync(await madeTar(members)))
const file = (name: string): TarMember => ({ name, content: 'x' })

test('reads files, executables and links that stay inside, without .git', async () => {
  const files = await readMembers(
    { name: './bin/', type: 'directory' },
    { name: './bin/start', content: '#!', mode: 0o755 },
    { name: 'bin/run', type: 'symlink', linkname: './start' },
    { name: '.git/hooks/post-checkout', content: 'no' },
    { name: 'vendor/.GIT', content: 'no' },
    { name: 'a\n"b\\', content: 'x' }
  )
  expect(files).toEqual([
    ['bin/start', 'executable', '#!'],
    ['bin/run', 'symlink', './start'],
    ['a\n"b\\', 'file', 'x']
  ])
})

test.each<[string, TarMember]>([
  ['an absolute path', file('/etc/passwd')],
  ['a path that leads out', file('a/../../b')],
  ['..', file('..')],
  ['no path', file('./')],
  ['a long name', file('x'.repeat(256))],
  ['a link that leads out', { name: 'a/b', type: 'symlink', linkname: '../../c' }],
  ['an absolute link', { name: 'a', type: 'symlink', linkname: '/etc/passwd' }],
  ['a hard link', { name: 'a', type: 'link', linkname: 'b' }],
  ['a device', { name: 'a', type: 'character-device', devmajor: 1, devminor: 3 }],
  ['a FIFO', { name: 'a', type: 'fifo' }],
  ['a sparse file', { ...file('a'), pax: { 'GNU.sparse.size': '100' } }],
  ['only folders', { name: 'a', type: 'directory' }]
])('refuses %s', async (_, member) => {
  await expect(readMembers(member)).rejects.toMatchObject({ kind: 'archive-invalid' })
})

test('limits the number of files and their size', async () => {
  await expect(readMembers(...['a', 'b', 'c', 'd'].map(file))).rejects.toMatchObject({ kind: 'too-large' })
  const large = { name: 'a', content: 'x'.repeat(limits.maxBytes + 1) }
  for (const name of ['a', '.git/a'])
    await expect(readMembers({ ...large, name })).rejects.toMatchObject({ kind: 'too-large' })
})

test.each<[string, () => Promise<Buffer> | Buffer]>([
  ['no gzip', () => madeTar([file('a')])],
  ['a truncated archive', async () => gzipSync(await madeTar([file('a')])).subarray(0, -12)],
  ['a truncated file', async () => gzipSync((await madeTar([{ name: 'a', content: 'x'.repeat(900) }])).subarray(0, 700))],
  ['a header that grows in memory', async () => gzipSync(await madeTar([{ ...file('a'), pax: { comment: 'x'.repeat(3 * 2 ** 20) } }]))],
  ['endless padding', () => gzipSync(Buffer.alloc(8 * 2 ** 20))]
])('refuses %s', async (_, make) => {
  await expect(Promise.resolve(make()).then(read)).rejects.toMatchObject({ kind: 'archive-invalid' })
}) // oxfmt-ignore

test('passes on why the upload broke off', async () => {
  const broken = new Readable({ read: () => broken.destroy(Object.assign(new Error('gone'), { code: 'ECONNRESET' })) })
  await expect(filesOfArchive(broken, limits).next()).rejects.toThrow('gone')
})

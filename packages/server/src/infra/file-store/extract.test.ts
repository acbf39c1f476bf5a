import { execFileSync } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { AdapterErrorKind } from '../adapter-error.ts'
import type { ArchiveLimits } from './file-store.ts'
import { madeTar, madeZip, type TarMember, type ZipMember } from '../../../test/fixtures/archive.fixture.ts'
import { generousLimits, makeTree, tenantUid } from '../../../test/fixtures/file-tree.fixture.ts'

const refusal = (kind: AdapterErrorKind) => expect.objectContaining({ kind })

async function treeWith(archive: Buffer) {
  const made = await makeTree()
  await writeFile(join(made.root, 'archive'), archive)
  await mkdir(join(made.root, 'into'))
  const extract = (limits = {}) => made.tree.extract('archive', 'into', { ...generousLimits, ...limits })
  const isUntouched = async () => {
    expect(await readdir(join(made.root, 'into'))).toEqual([])
    expect((await readdir(made.root)).sort()).toEqual(['archive', 'into'])
    expect(await made.leftovers()).toEqual([])
    expect(await readdir(made.outside)).toEqual(['secret'])
  }
  return { ...made, extract, isUntouched }
}

const plainTar = () =>
  madeTar([
    { name: './', type: 'directory' },
    { name: 'dir/', type: 'directory', mode: 0o2777 },
    { name: 'dir/file', content: 'content', mode: 0o666, mtime: new Date(1_000_000_000_000) },
    { name: 'bin/run', content: '#!', mode: 0o6755 },
    { name: `${'long-'.repeat(40)}ä`, content: 'x' }
  ])

const plainZip = () =>
  madeZip([
    { name: 'dir/', method: 0, mode: 0o40777 },
    { name: 'dir/file', content: 'content', mode: 0o100666 },
    { name: 'bin/run', content: '#!', mode: 0o106755, method: 0 },
    { name: `${'long-'.repeat(40)}ä`, content: 'x' }
  ])

test.each([
  ['tar', plainTar],
  ['tar.gz', async () => gzipSync(await plainTar())],
  [
    'tar.gz in two members',
    async () => {
      const tar = await plainTar()
      return Buffer.concat([gzipSync(tar.subarray(0, 700)), gzipSync(tar.subarray(700))])
    }
  ],
  ['zip', plainZip]
])('unpacks a %s with its owner and plain modes', async (_, archive) => {
  const { extract, root, leftovers } = await treeWith(await archive())
  expect(await extract()).toEqual({ files: 3, directories: 2, bytes: 10 })
  const into = join(root, 'into')
  expect((await readdir(into)).sort()).toEqual(['bin', 'dir', `${'long-'.repeat(40)}ä`])
  expect(await readFile(join(into, 'dir/file'), 'utf8')).toBe('content')
  expect(await stat(join(into, 'dir/file'))).toMatchObject({ mode: 0o100644, uid: tenantUid, nlink: 1 })
  expect(await stat(join(into, 'dir'))).toMatchObject({ mode: 0o40755, uid: tenantUid })
  expect(await stat(join(into, 'bin'))).toMatchObject({ mode: 0o40755, uid: tenantUid })
  expect((await stat(join(into, 'bin/run'))).mode).toBe(0o100755)
  expect(await leftovers()).toEqual([])
})

test('unpacks archives of tar and of pack()', async () => {
  const { tree, root } = await makeTree()
  await mkdir(join(root, 'site/deep/er'), { recursive: true })
  await writeFile(join(root, 'site/deep/er/file'), 'x'.repeat(100_000))
  await writeFile(join(root, 'site/run'), '')
  await chmod(join(root, 'site/run'), 0o755)
  execFileSync('tar', ['-czf', join(root, 'theirs.tgz'), '-C', join(root, 'site'), '.'])
  await tree.write('ours.tar', await tree.pack('site'), { mode: 'create' })
  for (const archive of ['theirs.tgz', 'ours.tar']) {
    await tree.mkdir('into')
    expect(await tree.extract(archive, 'into', generousLimits)).toEqual({ files: 2, directories: 2, bytes: 100_000 })
    expect(execFileSync('diff', ['-r', join(root, 'site'), join(root, 'into')]).toString()).toBe('')
    await tree.remove('into')
  }
})

const file = (name: string): TarMember => ({ name, content: 'x' })
const hostileTars: [string, TarMember[], AdapterErrorKind?][] = [
  ['a name that leads out', [file('../x')]],
  ['a name that leads out later', [file('a/../../b')]],
  ['a name that leads out and back', [file('a/../b')]],
  ['an absolute name', [file('/tmp/x')]],
  ['a backslash', [file('..\\x')]],
  ['a drive', [file('C:/x')]],
  ['an empty part of a name', [file('a//b')]],
  ['a directory that leads out', [{ name: '../d/', type: 'directory' }]],
  ['a link', [{ name: 'l', type: 'symlink', linkname: '../outside' }]],
  ['a link and a file through it', [{ name: 'l', type: 'symlink', linkname: '../outside' }, file('l/x')]],
  ['a hard link', [file('a'), { name: 'b', type: 'link', linkname: 'a' }]],
  ['a hard link to outside', [{ name: 'b', type: 'link', linkname: '/etc/passwd' }]],
  ['a character device', [{ name: 'd', type: 'character-device', devmajor: 1, devminor: 5 }]],
  ['a block device', [{ name: 'd', type: 'block-device', devmajor: 8 }]],
  ['a FIFO', [{ name: 'f', type: 'fifo' }]],
  ['a name twice', [file('a'), file('a')]],
  ['a name twice, spelled differently', [file('a'), file('./a')]],
  ['a file as a directory', [file('a'), file('a/b')]],
  ['a directory as a file', [file('a/b'), file('a')]],
  ['a path of a pax header that leads out', [{ ...file('a'), pax: { path: '../x' } }]],
  ['an absolute path of a pax header', [{ ...file('a'), pax: { path: '/tmp/x' } }]],
  ['a sparse file', [{ ...file('a'), pax: { 'GNU.sparse.name': 'b', 'GNU.sparse.major': '1' } }]],
  ['a name that is too long', [file('n'.repeat(256))]],
  ['a path that is too long', [file('d/'.repeat(3000) + 'x')]],
  ['a protected name', [file('.env')], 'path-protected'],
  ['a protected name in a pax header', [{ ...file('a'), pax: { path: 'sub/.env' } }], 'path-protected'],
  ['a protected directory', [file('.env/x')], 'path-protected']
]

test.each(hostileTars)('rejects a tar with %s', async (_, members, problem = 'archive-invalid') => {
  for (const archive of [await madeTar([file('before'), ...members]), gzipSync(await madeTar(members))]) {
    const { extract, isUntouched } = await treeWith(archive)
    await expect(extract()).rejects.toEqual(refusal(problem))
    await isUntouched()
  }
})

const zipFile = (name: string | Buffer): ZipMember => ({ name, content: 'some content' })
const hostileZips: [string, ZipMember[], AdapterErrorKind?][] = [
  ['a name that leads out', [zipFile('../x')]],
  ['a name that leads out later', [zipFile('a/../../b')]],
  ['an absolute name', [zipFile('/tmp/x')]],
  ['a backslash', [zipFile('..\\x')]],
  ['a drive', [zipFile('C:x')]],
  ['no name', [zipFile('')]],
  ['NUL in a name', [zipFile('a\0b')]],
  ['a name that is not UTF-8', [zipFile(Buffer.from('\xff', 'latin1'))]],
  ['a link', [{ ...zipFile('l'), content: '../outside', mode: 0o120777 }]],
  ['a device', [{ ...zipFile('d'), mode: 0o020666 }]],
  ['a FIFO', [{ ...zipFile('f'), mode: 0o010666 }]],
  ['a socket', [{ ...zipFile('s'), mode: 0o140666 }]],
  ['a name twice', [zipFile('a'), zipFile('a')]],
  ['a file as a directory', [zipFile('a'), zipFile('a/b')]],
  ['an encrypted file', [{ ...zipFile('a'), flags: 0x801 }]],
  ['strong encryption', [{ ...zipFile('a'), flags: 0x841 }]],
  ['an unknown compression', [{ ...zipFile('a'), method: 99 }]],
  ['a file that is larger than it says', [{ ...zipFile('a'), claimed: { size: 3 } }]],
  ['a file that is smaller than it says', [{ ...zipFile('a'), claimed: { size: 300 } }]],
  ['a wrong checksum', [{ ...zipFile('a'), claimed: { crc: 1 } }]],
  [
    'entries that overlap',
    Array.from({ length: 30 }, (_, index) => ({
      ...zipFile(`a${index}`),
      content: Buffer.alloc(200_000),
      claimed: { offset: 0 }
    }))
  ],
  ['a protected name', [zipFile('a/.env')], 'path-protected']
]

test.each(hostileZips)('rejects a zip with %s', async (_, members, problem = 'archive-invalid') => {
  const { extract, isUntouched } = await treeWith(madeZip([zipFile('before'), ...members]))
  await expect(extract()).rejects.toEqual(refusal(problem))
  await isUntouched()
})

function withTime(tar: Buffer, time: string): Buffer {
  tar.write(time, 136)
  tar.fill(' ', 148, 156)
  const sum = tar.subarray(0, 512).reduce((total, byte) => total + byte, 0)
  tar.write(sum.toString(8).padStart(6, '0'), 148)
  return tar
}

const bomb = () => Buffer.alloc(30_000_000)
test.each<[string, () => Promise<Buffer>, Partial<ArchiveLimits>, AdapterErrorKind]>([
  [
    'a ratio, tar.gz',
    async () => gzipSync(await madeTar([{ name: 'a', content: bomb() }])),
    { maxRatio: 100 },
    'archive-invalid'
  ],
  ['a ratio, zip', async () => madeZip([{ name: 'a', content: bomb() }]), { maxRatio: 100 }, 'archive-invalid'],
  ['a ratio outside of files', async () => gzipSync(bomb()), { maxRatio: 100 }, 'archive-invalid'],
  [
    'headers',
    async () =>
      madeTar(
        Array.from({ length: 4 }, (_, index) => ({ ...file(`a${index}`), pax: { comment: 'x'.repeat(3_000_000) } }))
      ),
    {},
    'archive-invalid'
  ],
  [
    'bytes, tar.gz',
    async () => gzipSync(await madeTar([{ name: 'a', content: bomb() }])),
    { maxBytes: 1e7, maxRatio: 1e9 },
    'too-large'
  ],
  ['bytes, zip', async () => madeZip([{ name: 'a', content: bomb() }]), { maxBytes: 1e7, maxRatio: 1e9 }, 'too-large'],
  [
    'entries',
    async () => madeTar(Array.from({ length: 21 }, (_, index) => file(`a${index}`))),
    { maxEntries: 20 },
    'too-large'
  ],
  [
    'entries that are only parts of a path',
    async () => madeTar([file('d/'.repeat(100) + 'x')]),
    { maxEntries: 20 },
    'too-large'
  ]
])('a bomb is defused: too many %s', async (_, archive, limits, problem) => {
  const { extract, isUntouched } = await treeWith(await archive())
  await expect(extract(limits)).rejects.toEqual(refusal(problem))
  await isUntouched()
})

test.each([
  ['nothing', async () => Buffer.alloc(0)],
  ['text', async () => Buffer.from('no archive at all')],
  ['a gzip of something else', async () => gzipSync('no archive at all'.repeat(100))],
  ['a tar.gz that is cut off', async () => gzipSync(await plainTar()).subarray(0, -20)],
  ['a tar.gz without its checksum', async () => gzipSync(await plainTar()).subarray(0, -8)],
  ['a tar.gz with something after it', async () => Buffer.concat([gzipSync(await plainTar()), Buffer.from('garbage')])],
  ['a tar that is cut off', async () => (await plainTar()).subarray(0, 1100)],
  ['a tar with a time that is none', async () => withTime(await madeTar([file('a')]), 'z'.repeat(11))],
  ['a zip that is cut off', async () => plainZip().subarray(0, -30)],
  ['a zip with something after it', async () => Buffer.concat([plainZip(), Buffer.from('garbage')])]
])('%s is no archive', async (_, archive) => {
  const { extract, isUntouched } = await treeWith(await archive())
  await expect(extract()).rejects.toEqual(refusal('archive-invalid'))
  await isUntouched()
})

test('reports any damage without crashing', { timeout: 120_000 }, async () => {
  const { extract, root, leftovers } = await treeWith(Buffer.alloc(0))
  const content = 'some content '.repeat(300)
  const tar = await madeTar([{ name: 'a/b', content }, file('c')])
  const archives = [tar, gzipSync(tar), madeZip([{ name: 'a/b', content }, zipFile('c')])]
  let state = 1
  const random = (below: number) => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) % below
  for (let round = 0; round < 300; round++) {
    const damaged = Buffer.from(archives[round % archives.length]!)
    for (let count = 0; count <= round % 4; count++) damaged[random(damaged.length)] = random(256)
    await writeFile(join(root, 'archive'), round % 10 === 0 ? damaged.subarray(0, random(damaged.length)) : damaged)
    const problem: unknown = await extract().then(
      () => undefined,
      (error: unknown) => error
    )
    if (problem !== undefined) expect(problem).toEqual(refusal('archive-invalid'))
    for (const name of await readdir(join(root, 'into'))) await rm(join(root, 'into', name), { recursive: true })
    expect(await leftovers()).toEqual([])
  }
})

test('replaces nothing and adds nothing on conflict', async () => {
  const { extract, root, leftovers } = await treeWith(await madeTar([file('a'), file('b/c'), file('d')]))
  await symlink('nowhere', join(root, 'into/b'))
  await expect(extract()).rejects.toEqual(refusal('file-exists'))
  expect(await readdir(join(root, 'into'))).toEqual(['b'])
  expect(await leftovers()).toEqual([])
})

test('distinguishes a missing archive, a directory and a missing target', async () => {
  const { tree, extract } = await treeWith(await plainTar())
  await expect(tree.extract('none', 'into', generousLimits)).rejects.toEqual(refusal('file-not-found'))
  await expect(tree.extract('into', 'into', generousLimits)).rejects.toEqual(refusal('not-a-file'))
  await expect(tree.extract('archive', 'none', generousLimits)).rejects.toEqual(refusal('file-not-found'))
  await expect(tree.extract('archive', 'archive', generousLimits)).rejects.toEqual(refusal('not-a-directory'))
  await extract()
})

test('unpacks outside of a tree', async () => {
  const { store, root } = await treeWith(await plainTar())
  const into = join(root, 'into')
  const options = { uid: tenantUid }
  expect(await store.unpack(join(root, 'archive'), into, generousLimits, options)).toMatchObject({ files: 3 })
  expect((await stat(join(into, 'dir/file'))).uid).toBe(tenantUid)
})

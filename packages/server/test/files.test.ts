import { execFile } from 'node:child_process'
import { stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { FileList, FileNode } from '@panel/contract/files'
import { codeOf, type FilesClient, filesOf, tarOf } from './support/files.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

const execute = promisify(execFile)

let panel: TestPanel
let ann: Client
let bob: Client
let files: FilesClient
beforeAll(async () => {
  panel = await createTestPanel()
  ann = await panel.signUp('ann')
  bob = await panel.signUp('bob')
})
beforeEach(async () => {
  files = await filesOf(panel, ann)
})
afterAll(() => panel.close())

const names = (answer: { json(): FileList }) => answer.json().nodes.map((node) => node.path)

describe('list', () => {
  test('a new project is empty', async () => {
    const answer = await files.get('list')
    expect([answer.statusCode, answer.json()]).toEqual([200, { nodes: [], next: null }])
  })

  test('entries with all members, sorted by name', async () => {
    await files.put({ 'b.TXT': 'hello', 'a/deep/file.tar.gz': '', c: '', '.env': 'A=1', Z: '' })
    await utimes(join(files.root, 'b.TXT'), 1, 1_700_000_000)
    const { nodes } = (await files.get('list')).json<FileList>()
    expect(nodes.map((node) => node.name)).toEqual(['.env', 'Z', 'a', 'b.TXT', 'c'])
    expect(nodes[3]).toEqual({
      name: 'b.TXT',
      path: 'b.TXT',
      type: 'file',
      size: 5,
      mtime: '2023-11-14T22:13:20.000Z',
      extension: 'txt',
      mode: '0644'
    })
    expect(nodes[2]).toMatchObject({ type: 'dir', extension: '', path: 'a' })
    expect(nodes[0]).toMatchObject({ extension: '' })
  })

  test('a long page is complete', async () => {
    const names_ = Array.from({ length: 450 }, (_, index) => `file-${index}`).sort()
    await files.put(Object.fromEntries(names_.map((name) => [name, ''])))
    const answer = await files.get('list')
    expect(names(answer)).toEqual(names_)
    expect(answer.json<FileList>().next).toBeNull()
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  })

  test.each(['..', 'a//b', 'a\0', './a'])('after %j, which is not a name, is 400', async (after) => {
    expect(codeOf(await files.get('list', { after }))).toEqual([400, 'PATH_INVALID'])
  })

  test('to the requested depth', async () => {
    await files.put({ 'a/b/c/d/e': '' })
    expect(names(await files.get('list', { depth: '1' }))).toEqual(['a'])
    expect(names(await files.get('list', { depth: '2' }))).toEqual(['a', 'a/b'])
    expect(names(await files.get('list', { depth: '3' }))).toEqual(['a', 'a/b', 'a/b/c'])
    expect(names(await files.get('list', { depth: '3', path: 'a/b' }))).toEqual(['a/b/c', 'a/b/c/d', 'a/b/c/d/e'])
  })

  test('pagination', async () => {
    await files.put({ a: '', b: '', c: '', d: '', e: '' })
    const pages: string[][] = []
    let after: string | null = ''
    while (after !== null) {
      const page: FileList = (
        await files.get('list', { limit: '2', ...(after === '' ? {} : { after }) })
      ).json<FileList>()
      pages.push(page.nodes.map((node) => node.name))
      after = page.next
    }
    expect(pages).toEqual([['a', 'b'], ['c', 'd'], ['e']])
  })

  test('an out-of-range timestamp is handled', async () => {
    await files.put({ old: '' })
    await execute('touch', ['-d', '@99999999999999', join(files.root, 'old')]).catch(() => {}) // Not supported by every file system.
    expect((await files.get('list')).statusCode).toBe(200)
  })

  test.each([
    [{ depth: '0' }, 400, 'VALIDATION_ERROR'],
    [{ depth: '4' }, 400, 'VALIDATION_ERROR'],
    [{ depth: 'x' }, 400, 'VALIDATION_ERROR'],
    [{ limit: '0' }, 400, 'VALIDATION_ERROR'],
    [{ limit: '10001' }, 400, 'VALIDATION_ERROR'],
    [{ after: 'a', depth: '2' }, 400, 'VALIDATION_ERROR'],
    [{ path: 'none' }, 404, 'NOT_FOUND'],
    [{ path: 'file' }, 409, 'NOT_A_DIRECTORY'],
    [{ path: 'file/x' }, 409, 'NOT_A_DIRECTORY'],
    [{ path: 'out' }, 403, 'PATH_FORBIDDEN']
  ])('%j is refused', async (query, status, code) => {
    await files.put({ file: '', out: '-> /etc' })
    expect(codeOf(await files.get('list', query as Record<string, string>))).toEqual([status, code])
  })
})

describe('read', () => {
  test.each([
    ['plain', 'hello\n'],
    ['empty', ''],
    ['of any language', 'Grüße, 世界 👩‍👩‍👧‍👦\n'],
    ['with a byte order mark', '\ufeffx'],
    ['with control characters', '\0\u0001\u001b[31m\r\n'],
    ['of 2 MiB', 'x'.repeat(2 * 1024 * 1024)]
  ])('%s', async (_name, content) => {
    await files.put({ 'a/file.txt': content })
    const answer = await files.get('read', { path: 'a/file.txt' })
    expect(answer.statusCode).toBe(200)
    expect(answer.json().content === content).toBe(true)
  })

  test('protected files can be read', async () => {
    await files.put({ '.env': 'A=1' })
    expect((await files.get('read', { path: '.env' })).json()).toMatchObject({ content: 'A=1' })
  })

  test('more than 2 MiB is 413', async () => {
    await files.put({ big: 'x'.repeat(2 * 1024 * 1024 + 1) })
    expect(codeOf(await files.get('read', { path: 'big' }))).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  })

  test('binary files are refused', async () => {
    await files.put({ picture: '' })
    await execute('sh', ['-c', String.raw`printf 'PNG\377\376' > "$1"`, 'sh', join(files.root, 'picture')])
    expect(codeOf(await files.get('read', { path: 'picture' }))).toEqual([409, 'NOT_TEXT'])
  })

  test('directories are refused', async () => {
    await files.put({ 'd/x': '', out: '-> /etc/passwd', gone: '-> nowhere', loop: '-> loop' })
    await execute('mkfifo', [join(files.root, 'pipe')])
    const code = async (path: string) => codeOf(await files.get('read', { path }))
    expect(await code('d')).toEqual([409, 'NOT_A_FILE'])
    expect(await code('')).toEqual([409, 'NOT_A_FILE'])
    expect(await code('pipe')).toEqual([409, 'NOT_A_FILE'])
    expect(await code('none')).toEqual([404, 'NOT_FOUND'])
    expect(await code('gone')).toEqual([404, 'NOT_FOUND'])
    expect(await code('out')).toEqual([403, 'PATH_FORBIDDEN'])
    expect((await code('loop'))[0]).toBeLessThan(500)
    expect(codeOf(await files.get('read'))).toEqual([400, 'VALIDATION_ERROR'])
  })
})

describe('create and write', () => {
  test('create makes a file once', async () => {
    const answer = await files.post('create', { path: 'a.txt', content: 'one' })
    expect(answer.statusCode).toBe(201)
    expect(answer.json<FileNode>()).toMatchObject({ name: 'a.txt', path: 'a.txt', type: 'file', size: 3, mode: '0644' })
    expect(codeOf(await files.post('create', { path: 'a.txt', content: 'two' }))).toEqual([409, 'FILE_ALREADY_EXISTS'])
    expect(await files.text('a.txt')).toBe('one')
  })

  test('create never replaces a directory or link', async () => {
    await files.put({ 'd/x': '', link: '-> d/x', broken: '-> none', out: '-> /tmp/none' })
    for (const path of ['d', 'd/', 'link', 'broken', 'out'])
      expect([path, ...codeOf(await files.post('create', { path, content: '' }))]).toEqual([
        path,
        409,
        'FILE_ALREADY_EXISTS'
      ])
  })

  test('write creates, replaces and keeps the mode', async () => {
    expect(codeOf(await files.post('write', { path: 'a', content: 'one' }))).toEqual([200, undefined])
    await files.post('chmod', { path: 'a', mode: '600' })
    const answer = await files.post('write', { path: 'a', content: 'two' })
    expect(answer.json()).toMatchObject({ path: 'a', size: 3, mode: '0600' })
    expect(await files.text('a')).toBe('two')
    expect(await files.all()).toEqual(['a'])
  })

  test('write replaces only the version that was read', async () => {
    await files.put({ 'd/a': 'one' })
    const { etag } = (await files.get('read', { path: 'd/a' })).json<{ etag: string }>()
    const written = await files.post('write', { path: 'd/a', content: 'two', ifMatch: etag })
    expect([written.statusCode, await files.text('d/a')]).toEqual([200, 'two'])
    const next = written.json<{ etag: string }>().etag
    expect((await files.get('read', { path: 'd/a' })).json()).toEqual({ content: 'two', etag: next })
    const write = async (content: string, ifMatch: string) =>
      codeOf(await files.post('write', { path: 'd/a', content, ifMatch }))
    expect(await write('three', etag)).toEqual([409, 'FILE_CHANGED'])
    // Changed by the site with the same timestamp and size.
    const { atime, mtime } = await stat(join(files.root, 'd/a'))
    await writeFile(join(files.root, 'd/a'), 'TWO')
    await utimes(join(files.root, 'd/a'), atime, mtime)
    expect(await write('three', next)).toEqual([409, 'FILE_CHANGED'])
    expect(await files.text('d/a')).toBe('TWO')
    await files.remove('d/a')
    expect(await write('three', next)).toEqual([409, 'FILE_CHANGED'])
    await files.remove('d')
    expect(await write('three', next)).toEqual([409, 'FILE_CHANGED'])
    expect(await files.all()).toEqual([])
  })

  test('of several writers with the same version one succeeds', async () => {
    await files.put({ a: 'one' })
    const { etag } = (await files.get('read', { path: 'a' })).json<{ etag: string }>()
    const writers = Array.from({ length: 12 }, (_, index) => `by ${index}`)
    const answers = await Promise.all(
      writers.map((content) => files.post('write', { path: 'a', content, ifMatch: etag }))
    )
    const won = writers.filter((_, index) => answers[index]!.statusCode === 200)
    expect(won).toEqual([await files.text('a')])
    expect(answers.filter((answer) => codeOf(answer)[1] === 'FILE_CHANGED')).toHaveLength(11)
  })

  test('2 MiB of any characters, not more', async () => {
    const escaped = '\u0001'.repeat(2 * 1024 * 1024)
    expect((await files.post('write', { path: 'a', content: escaped })).statusCode).toBe(200)
    expect((await files.get('read', { path: 'a' })).json().content === escaped).toBe(true)
    expect(codeOf(await files.post('write', { path: 'b', content: `${escaped}x` }))).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    const wide = 'ü'.repeat(1024 * 1024) + 'x'
    expect(codeOf(await files.post('write', { path: 'b', content: wide }))).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    expect(await files.all()).toEqual(['a'])
  })

  test.each(['create', 'write'])('%s refuses invalid targets', async (operation) => {
    await files.put({ 'd/x': '', file: '', out: '-> /tmp' })
    const code = async (body: unknown) => codeOf(await files.post(operation, body))
    expect((await code({ path: 'file/a', content: '' }))[0]).toBeGreaterThanOrEqual(404)
    expect(await code({ path: 'out/a', content: '' })).toEqual([403, 'PATH_FORBIDDEN'])
    expect(await code({ path: '', content: '' })).toEqual([400, 'PATH_INVALID'])
    expect(await code({ path: 'half', content: '\ud800' })).toEqual([400, 'VALIDATION_ERROR'])
    expect(await code({ path: 'a' })).toEqual([400, 'VALIDATION_ERROR'])
    expect(await code({ content: 'a' })).toEqual([400, 'VALIDATION_ERROR'])
    expect(await code({ path: ['a'], content: 'a' })).toEqual([400, 'VALIDATION_ERROR'])
    expect(await code({ path: 'a'.repeat(4097), content: 'a' })).toEqual([400, 'VALIDATION_ERROR'])
    expect(await files.all()).toEqual(['d/', 'd/x', 'file', 'out'])
  })

  test('write refuses a directory', async () => {
    await files.put({ 'd/x': '' })
    expect(codeOf(await files.post('write', { path: 'd', content: '' }))).toEqual([409, 'NOT_A_FILE'])
  })
})

describe('directories, moves and copies', () => {
  test('mkdir creates one directory', async () => {
    expect((await files.post('mkdir', { path: 'd' })).json()).toMatchObject({ path: 'd', type: 'dir', mode: '0755' })
    expect((await files.post('mkdir', { path: 'd/e' })).statusCode).toBe(201)
    expect(codeOf(await files.post('mkdir', { path: 'd' }))).toEqual([409, 'FILE_ALREADY_EXISTS'])
    expect(codeOf(await files.post('mkdir', { path: '' }))).toEqual([400, 'PATH_INVALID'])
    expect(await files.all()).toEqual(['d/', 'd/e/'])
  })

  test('a path of 2,000 missing directories is refused completely', async () => {
    const path = `${'a/'.repeat(2_000)}b`
    const ways = [
      files.post('create', { path, content: '' }),
      files.post('write', { path, content: '' }),
      files.post('mkdir', { path }),
      files.upload({ name: 'b', content: '' }, 'a/'.repeat(65))
    ]
    for (const answer of await Promise.all(ways)) expect(codeOf(answer)).toEqual([400, 'PATH_INVALID'])
    expect(await files.all()).toEqual([])
  })

  test('missing parents are created', async () => {
    await files.put({ file: '', out: '-> /tmp' })
    expect((await files.post('mkdir', { path: 'x/y/z' })).json()).toMatchObject({ path: 'x/y/z', type: 'dir' })
    expect(codeOf(await files.post('mkdir', { path: 'x/y/z' }))).toEqual([409, 'FILE_ALREADY_EXISTS'])
    expect((await files.post('create', { path: 'x/new/file', content: '' })).statusCode).toBe(201)
    expect((await files.post('write', { path: 'not/there', content: 'a' })).json()).toMatchObject({ path: 'not/there' })
    expect(await files.text('not/there')).toBe('a')
    expect(codeOf(await files.post('mkdir', { path: 'file/below/it' }))).toEqual([409, 'NOT_A_DIRECTORY'])
    expect(codeOf(await files.post('mkdir', { path: 'out/of/it' }))).toEqual([403, 'PATH_FORBIDDEN'])
    expect(codeOf(await files.post('mkdir', { path: 'v/.env/w' }))).toEqual([403, 'PATH_PROTECTED'])
    expect(await files.all()).toEqual([
      'file',
      'not/',
      'not/there',
      'out',
      'x/',
      'x/new/',
      'x/new/file',
      'x/y/',
      'x/y/z/'
    ])
    const made = (await panel.audited({ action: 'file.directory_created', targetId: files.project.id })).map(
      ({ metadata }) => metadata
    )
    expect(made).toEqual(['x', 'x/y', 'x/y/z', 'x/new', 'not'].map((path) => ({ path })))
  })

  test('a protected file can be copied to another name, not vice versa', async () => {
    await files.put({ '.env': 'A=1', plain: '', 'd/.env': '' })
    expect((await files.post('copy', { from: '.env', to: 'env.txt' })).statusCode).toBe(201)
    expect(await files.text('env.txt')).toBe('A=1')
    expect(codeOf(await files.post('copy', { from: 'plain', to: '.env.local' }))).toEqual([403, 'PATH_PROTECTED'])
    expect(codeOf(await files.post('copy', { from: 'd', to: 'e' }))).toEqual([403, 'PATH_PROTECTED'])
    expect(codeOf(await files.post('rename', { from: '.env', to: 'gone' }))).toEqual([403, 'PATH_PROTECTED'])
  })

  test.each([
    ['rename', 200],
    ['move', 200],
    ['copy', 201]
  ])('%s', async (operation, status) => {
    await files.put({ 'a/x': '1', 'a/y/z': '2', file: '3', taken: '4', 'd/e': '' })
    const to = async (from: string, target: string) => codeOf(await files.post(operation, { from, to: target }))
    const answer = await files.post(operation, { from: 'a', to: 'd/a' })
    expect([answer.statusCode, answer.json()]).toMatchObject([status, { path: 'd/a', name: 'a', type: 'dir' }])
    expect(await files.text('d/a/y/z')).toBe('2')
    expect((await files.all()).includes('a/x')).toBe(operation === 'copy')
    expect(await to('file', 'd/a/file')).toEqual([status, undefined])
    expect(await to('none', 'x')).toEqual([404, 'NOT_FOUND'])
    expect(await to('d', 'none/d')).toEqual([404, 'NOT_FOUND'])
    expect(await to('d', 'taken')).toEqual([409, 'FILE_ALREADY_EXISTS'])
    expect(await to('d', 'd/a/d')).toEqual([400, 'VALIDATION_ERROR'])
    expect(await to('d', '')).toEqual([400, 'PATH_INVALID'])
    expect(await to('', 'x')).toEqual([400, 'PATH_INVALID'])
    expect(codeOf(await files.post(operation, { from: 'd' }))).toEqual([400, 'VALIDATION_ERROR'])
    expect(await files.text('taken')).toBe('4')
  })

  test('delete removes a file, a link itself, and a directory recursively', async () => {
    await files.put({ 'd/e/f': '', file: '', link: '-> d' })
    const answer = await files.remove('d/e')
    expect([answer.statusCode, answer.json()]).toEqual([200, { message: 'Deleted d/e' }])
    expect((await files.remove('link')).statusCode).toBe(200)
    expect((await files.remove('./file')).statusCode).toBe(200)
    expect(await files.all()).toEqual(['d/'])
    expect(codeOf(await files.remove('file'))).toEqual([404, 'NOT_FOUND'])
    expect(codeOf(await files.remove(''))).toEqual([400, 'PATH_INVALID'])
    expect(codeOf(await files.remove('d/..'))).toEqual([400, 'PATH_INVALID'])
    expect(codeOf(await ann.request('DELETE', `/api/files/${files.project.id}/delete`))).toEqual([
      400,
      'VALIDATION_ERROR'
    ])
    expect(await files.all()).toEqual(['d/'])
  })
})

describe('chmod', () => {
  test.each([
    ['755', 0o755],
    ['0640', 0o640],
    ['000', 0]
  ])('%s', async (mode, bits) => {
    await files.put({ a: '' })
    const answer = await files.post('chmod', { path: 'a', mode })
    expect([answer.statusCode, answer.json().mode]).toEqual([200, bits.toString(8).padStart(4, '0')])
    expect((await stat(join(files.root, 'a'))).mode & 0o7777).toBe(bits)
  })

  test.each(['4755', '1777', '02755', '888', '75', 'u+x', '', '+755', 0o755])('not %s', async (mode) => {
    await files.put({ a: '' })
    expect(codeOf(await files.post('chmod', { path: 'a', mode }))).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('a missing file', async () => {
    expect(codeOf(await files.post('chmod', { path: 'a', mode: '644' }))).toEqual([404, 'NOT_FOUND'])
    expect(codeOf(await files.post('chmod', { path: '', mode: '000' }))).toEqual([400, 'PATH_INVALID'])
  })
})

describe('search', () => {
  test('matches parts of names case-insensitively at any depth', async () => {
    await files.put({ 'a/Config.json': '', 'a/b/my-CONFIG': '', 'config/x': '', other: '' })
    const answer = await files.get('search', { name: 'config' })
    expect(answer.statusCode).toBe(200)
    expect(names(answer).sort()).toEqual(['a/Config.json', 'a/b/my-CONFIG', 'config'])
    expect(answer.json().isComplete).toBe(true)
    expect(names(await files.get('search', { name: 'config', path: 'a/b' }))).toEqual(['a/b/my-CONFIG'])
  })

  test('reports that there are more', async () => {
    await files.put({ a1: '', a2: '', a3: '' })
    const answer = await files.get('search', { name: 'a', limit: '2' })
    expect(answer.json()).toMatchObject({ isComplete: false })
    expect(names(answer)).toHaveLength(2)
  })

  test.each([
    [{}, 400, 'VALIDATION_ERROR'],
    [{ name: '' }, 400, 'VALIDATION_ERROR'],
    [{ name: 'x', limit: '1001' }, 400, 'VALIDATION_ERROR'],
    [{ name: 'x', path: 'none' }, 404, 'NOT_FOUND'],
    [{ name: 'x', path: 'out' }, 403, 'PATH_FORBIDDEN']
  ])('%j is refused', async (query, status, code) => {
    await files.put({ out: '-> /etc' })
    expect(codeOf(await files.get('search', query as Record<string, string>))).toEqual([status, code])
  })
})

describe('extract', () => {
  const put = (name: string, bytes: Buffer) => writeFile(join(files.root, name), bytes)

  test('unpacks beside existing files', async () => {
    await files.put({ 'site/old': '1' })
    await put(
      'a.tar.gz',
      gzipSync(
        await tarOf([
          ['x', '1'],
          ['d/y', '22']
        ])
      )
    )
    const answer = await files.post('extract', { path: 'a.tar.gz', to: 'site' })
    expect([answer.statusCode, answer.json()]).toEqual([200, expect.objectContaining({ files: 2, bytes: 3 })])
    expect(await files.all()).toEqual(['a.tar.gz', 'site/', 'site/d/', 'site/d/y', 'site/old', 'site/x'])
  })

  test.each([
    [
      'leads out',
      [
        ['ok', ''],
        ['../x', '']
      ],
      [403, 422]
    ],
    [
      'is absolute',
      [
        ['ok', ''],
        ['/tmp/x', '']
      ],
      [403, 422]
    ],
    [
      'is protected',
      [
        ['ok', ''],
        ['d/.env', '']
      ],
      [403]
    ],
    [
      'is protected in disguise',
      [
        ['ok', ''],
        ['d/WP-CONFIG.php', '']
      ],
      [403]
    ]
  ] as const)('an entry that %s refuses everything', async (_name, entries, statuses) => {
    await put('a.tar', await tarOf(entries))
    const answer = await files.post('extract', { path: 'a.tar' })
    expect(statuses).toContain(answer.statusCode)
    expect(await files.all()).toEqual(['a.tar'])
  })

  test('invalid, missing or oversized archives', async () => {
    await files.put({ 'no.zip': 'no zip', 'no.txt': 'x', 'd/e': '' })
    await put('big.tar.gz', gzipSync(await tarOf([['zeros', '\0'.repeat(8 * 1024 * 1024)]])))
    const code = async (path: string, to = '') => codeOf(await files.post('extract', { path, to }))
    expect(await code('no.zip')).toEqual([422, 'ARCHIVE_INVALID'])
    expect(await code('no.txt')).toEqual([422, 'ARCHIVE_INVALID'])
    expect(await code('none.zip')).toEqual([404, 'NOT_FOUND'])
    expect(await code('d')).toEqual([409, 'NOT_A_FILE'])
    expect(await code('no.zip', 'none')).toEqual([404, 'NOT_FOUND'])
    expect((await code('big.tar.gz'))[0]).toBeGreaterThanOrEqual(413)
    expect(await files.all()).toEqual(['big.tar.gz', 'd/', 'd/e', 'no.txt', 'no.zip'])
  })
})

describe('access', () => {
  const calls = (id: string): [method: 'GET' | 'POST' | 'DELETE', url: string, body?: object][] => [
    ...['list', 'read', 'download', 'archive', 'search'].map((operation): ['GET', string] => [
      'GET',
      `/api/files/${id}/${operation}?path=a&name=a`
    ]),
    ['DELETE', `/api/files/${id}/delete`, { path: 'a' }],
    ['POST', `/api/files/${id}/create`, { path: 'b', content: '' }],
    ['POST', `/api/files/${id}/write`, { path: 'a', content: 'hers' }],
    ['POST', `/api/files/${id}/mkdir`, { path: 'd' }],
    ['POST', `/api/files/${id}/chmod`, { path: 'a', mode: '777' }],
    ['POST', `/api/files/${id}/extract`, { path: 'a' }],
    ...['rename', 'move', 'copy'].map((operation): ['POST', string, object] => [
      'POST',
      `/api/files/${id}/${operation}`,
      { from: 'a', to: 'b' }
    ])
  ]

  test('another’s project is 404 for every operation, also for administrators', async () => {
    await files.put({ a: 'ours' })
    for (const who of [bob, await panel.createUser(ann)]) {
      for (const [method, url, body] of calls(files.project.id))
        expect([url, ...codeOf(await who.request(method, url, body))]).toEqual([url, 404, 'NOT_FOUND'])
    }
    const theirs = await filesOf(panel, bob)
    await theirs.put({ a: 'bob’s' })
    expect(ann.user.role).toBe('ADMIN')
    for (const [method, url, body] of calls(theirs.project.id))
      expect([url, ...codeOf(await ann.request(method, url, body))]).toEqual([url, 404, 'NOT_FOUND'])
    expect([await files.all(), await theirs.all()]).toEqual([['a'], ['a']])
    expect([await files.text('a'), await theirs.text('a')]).toEqual(['ours', 'bob’s'])
  })

  test('also with an invalid path', async () => {
    for (const path of ['..', '/', 'a\0', '.env'])
      expect(codeOf(await bob.request('POST', `/api/files/${files.project.id}/write`, { path, content: '' }))).toEqual([
        404,
        'NOT_FOUND'
      ])
  })

  test('so are missing and deleted projects', async () => {
    await files.put({ a: '' })
    expect((await ann.request('DELETE', `/api/projects/${files.project.id}`)).statusCode).toBe(204)
    for (const id of [files.project.id, 'none'])
      for (const [method, url, body] of calls(id))
        expect([url, ...codeOf(await ann.request(method, url, body))]).toEqual([url, 404, 'NOT_FOUND'])
  })

  test('deploy and read tokens can list but not read contents or write', async () => {
    await files.put({ a: '1' })
    const tokenOf = async (scope: string) => {
      const body = { name: scope, scope, password: 'correct horse battery' }
      return (await ann.request('POST', '/api/auth/tokens', body)).json<{ token: string }>().token
    }
    for (const [scope, status] of [
      ['read', 403],
      ['deploy', 403],
      ['full', 200]
    ] as const) {
      const headers = { authorization: `Bearer ${await tokenOf(scope)}` }
      const url = `/api/files/${files.project.id}`
      const write = { method: 'POST', url: `${url}/write`, headers, payload: { path: 'a', content: scope } } as const
      expect([scope, (await panel.app.inject(write)).statusCode]).toEqual([scope, status])
      expect((await panel.app.inject({ url: `${url}/list`, headers })).statusCode).toBe(200)
      for (const path of ['read?path=a', 'download?path=a', 'archive'])
        expect([path, (await panel.app.inject({ url: `${url}/${path}`, headers })).statusCode]).toEqual([path, status])
    }
  })
})

describe('the project directory', () => {
  test('is created and renamed with the project', async () => {
    await files.put({ a: 'kept' })
    const name = `renamed-${files.project.id.slice(-6).toLowerCase()}`
    expect((await ann.request('PUT', `/api/projects/${files.project.id}`, { name })).statusCode).toBe(200)
    const uid = (await stat(join(panel.deps.config.PROJECTS_DIR, 'u'))).isDirectory()
    expect(uid).toBe(true)
    expect((await execute('readlink', [files.root])).stdout.trim().endsWith(`/${name}`)).toBe(true)
    expect((await files.get('read', { path: 'a' })).json()).toMatchObject({ content: 'kept' })
  })

  test('is created later if it could not be at first', async () => {
    const helper = panel.deps.hostHelper as import('./fakes/memory-host-helper.ts').MemoryHostHelper
    helper.problem = new Error('no root here')
    try {
      files = await filesOf(panel, ann)
    } finally {
      helper.problem = undefined
    }
    expect((await files.get('list')).statusCode).toBe(200)
    expect((await files.post('create', { path: 'a', content: '' })).statusCode).toBe(201)
  })
})

import { createHash, randomBytes } from 'node:crypto'
import { appendFile, open, readdir, truncate, utimes } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { extract } from 'tar-stream'
import { codeOf, type FilesClient, filesOf, formOf, tarOf } from './support/files.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

const mebibyte = 1024 * 1024

let panel: TestPanel
let ann: Client
let files: FilesClient
let url: string
beforeAll(async () => {
  panel = await createTestPanel({ FILE_UPLOAD_MAX_MB: '3' })
  ann = await panel.signUp('ann')
  await panel.app.listen({ port: 0, host: '127.0.0.1' })
  url = `http://127.0.0.1:${(panel.app.server.address() as AddressInfo).port}`
})
beforeEach(async () => {
  files = await filesOf(panel, ann)
})
afterAll(() => panel.close())

const address = (operation: string) => `${url}/api/files/${files.project.id}/${operation}`
const fetchFile = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${address('download')}?path=${encodeURIComponent(path)}`, {
    method,
    headers: { cookie: ann.cookie, ...headers }
  })
const send = (...parts: Parameters<typeof formOf>[0]) => {
  const { type, body } = formOf(parts)
  return files.raw('upload', body, { 'content-type': type })
}
const staged = () => readdir(join(panel.deps.config.PROJECTS_DIR, 'staging/files')).catch(() => [])
/** Polls, because aborted requests are cleaned up a moment later. */
const eventually = async (holds: () => Promise<boolean>) => {
  for (let n = 0; n < 200; n++, await sleep(25)) if (await holds()) return true
  return false
}

describe('upload', () => {
  test('with a real form', async () => {
    const form = new FormData()
    form.set('path', 'd')
    form.set('file', new Blob(['hello']), 'Grüße 世界.txt')
    await files.put({ 'd/x': '' })
    const answer = await fetch(address('upload'), { method: 'POST', body: form, headers: { cookie: ann.cookie } })
    expect(answer.status).toBe(201)
    expect(await answer.json()).toMatchObject({ path: 'd/Grüße 世界.txt', size: 5, type: 'file', extension: 'txt' })
    expect(await files.text('d/Grüße 世界.txt')).toBe('hello')
  })

  test('a nearly full disk accepts nothing but can be cleaned up', async () => {
    await files.put({ 'a.tar': (await tarOf([['x', 'y']])).toString('latin1'), b: 'b' })
    const { freeDiskBytes } = panel.deps
    panel.deps.freeDiskBytes = async () => panel.deps.config.MIN_FREE_DISK - 1
    try {
      expect(codeOf(await files.upload({ name: 'c', content: 'c' }))).toEqual([507, 'DISK_FULL'])
      expect(codeOf(await files.post('copy', { from: 'b', to: 'd' }))).toEqual([507, 'DISK_FULL'])
      expect(codeOf(await files.post('extract', { path: 'a.tar', to: '' }))).toEqual([507, 'DISK_FULL'])
      expect(await files.all()).toEqual(['a.tar', 'b'])
      expect((await files.remove('b')).statusCode).toBe(200)
    } finally {
      panel.deps.freeDiskBytes = freeDiskBytes
    }
  })

  test('the directory field before or after the file, or omitted', async () => {
    await files.put({ 'd/x': '' })
    const content = randomBytes(300_000)
    expect((await send(['path', 'd'], ['file', content, 'before'])).json()).toMatchObject({ path: 'd/before' })
    expect((await send(['file', content, 'behind'], ['path', 'd'])).json()).toMatchObject({ path: 'd/behind' })
    expect((await send(['file', content, 'root'])).json()).toMatchObject({ path: 'root' })
    expect((await send(['path', ''], ['file', content, 'root2'])).json()).toMatchObject({ path: 'root2' })
    expect((await send(['other', 'x'], ['path', './d//'], ['file', '', 'empty'])).json()).toMatchObject({
      path: 'd/empty',
      size: 0
    })
    for (const path of ['d/before', 'd/behind', 'root'])
      expect(Buffer.from(await (await fetchFile(path)).arrayBuffer()).equals(content)).toBe(true)
    expect(await staged()).toEqual([])
  })

  test('replaces a file keeping its mode, but not a directory', async () => {
    await files.put({ a: 'old', 'd/x': '' })
    await files.post('chmod', { path: 'a', mode: '600' })
    expect((await files.upload({ name: 'a', content: 'new' })).json()).toMatchObject({ mode: '0600' })
    expect(await files.text('a')).toBe('new')
    expect(codeOf(await files.upload({ name: 'd', content: 'new' }))).toEqual([409, 'NOT_A_FILE'])
  })

  test('only the name after the last slash or backslash counts', async () => {
    for (const name of ['C:/Users/ann/a.txt', '../../a.txt', '/etc/a.txt', '..\\\\..\\\\a.txt'])
      expect((await files.upload({ name, content: name })).json()).toMatchObject({ path: 'a.txt' })
    expect(await files.all()).toEqual(['a.txt'])
  })

  test.each<[string, Parameters<typeof formOf>[0]]>([
    ['the name of the file', [['file', 'x', 'a\xed\xa0\x80']]],
    ['the name of the field', [['fi\xed\xa0\x80', 'x', 'a']]],
    [
      'the path',
      [
        ['path', 'a\xed\xa0\x80'],
        ['file', 'x', 'a']
      ]
    ],
    [
      'the path behind the file',
      [
        ['file', 'x', 'a'],
        ['path', '\xed\xa0\x80']
      ]
    ],
    ['bytes that are nothing in UTF-8', [['file', 'x', 'a\xff']]]
  ])('a lone surrogate is refused: %s', async (_, parts) => {
    const { type, body } = formOf(parts)
    const bytes = Buffer.from(body.toString(), 'latin1')
    const answer = await files.raw('upload', bytes, { 'content-type': type })
    expect(codeOf(answer)).toEqual([400, 'VALIDATION_ERROR'])
    expect(await files.all()).toEqual([])
  })

  test.each([
    [
      'no form',
      () => files.raw('upload', Buffer.from('{}'), { 'content-type': 'application/json' }),
      415,
      'UNSUPPORTED_MEDIA_TYPE'
    ],
    [
      'a form without a boundary',
      () => files.raw('upload', Buffer.from('x'), { 'content-type': 'multipart/form-data' }),
      400,
      'VALIDATION_ERROR'
    ],
    ['a form that ends too early', () => sendCut(), 400, 'VALIDATION_ERROR'],
    ['an empty form', () => send(), 400, 'VALIDATION_ERROR'],
    ['no file', () => send(['path', 'd']), 400, 'VALIDATION_ERROR'],
    ['a file of another field', () => send(['other', 'x', 'a']), 400, 'VALIDATION_ERROR'],
    ['a file without a name', () => send(['file', 'x', '']), 400, 'VALIDATION_ERROR'],
    ['a file named ..', () => send(['file', 'x', '..']), 400, 'VALIDATION_ERROR'],
    ['a file with a name too long', () => send(['file', 'x', 'x'.repeat(256)]), 400, 'PATH_INVALID'],
    ['a file whose name has a null byte', () => send(['file', 'x', 'a\0b']), 400, 'PATH_INVALID'],
    ['two files', () => send(['path', ''], ['file', 'x', 'a'], ['file', 'y', 'b']), 400, 'VALIDATION_ERROR'],
    [
      'two files, and the path behind them',
      () => send(['file', 'x', 'a'], ['file', 'y', 'b'], ['path', '']),
      400,
      'VALIDATION_ERROR'
    ],
    ['two paths', () => send(['path', 'd'], ['path', ''], ['file', 'x', 'a']), 400, 'VALIDATION_ERROR'],
    ['two paths, one behind', () => send(['path', 'd'], ['file', 'x', 'a'], ['path', '']), 400, 'VALIDATION_ERROR'],
    ['a path too long', () => send(['path', 'x'.repeat(4097)], ['file', 'x', 'a']), 400, 'VALIDATION_ERROR'],
    ['a path of 20 KiB', () => send(['path', 'x'.repeat(20 * 1024)], ['file', 'x', 'a']), 400, 'VALIDATION_ERROR'],
    ['a field of the prototype', () => send(['__proto__', 'x'], ['file', 'x', 'a']), 400, 'VALIDATION_ERROR'],
    [
      'a hundred fields',
      () => send(...Array.from({ length: 100 }, (_, n) => [`f${n}`, 'x'] as const), ['file', 'x', 'a']),
      400,
      'VALIDATION_ERROR'
    ],
    ['one that is a file', () => send(['path', 'file'], ['file', 'x', 'a']), 409, 'NOT_A_DIRECTORY'],
    ['one outside', () => send(['file', 'x', 'a'], ['path', '../..']), 403, 'PATH_FORBIDDEN'],
    [
      'a byte too much',
      () => send(['path', ''], ['file', Buffer.alloc(3 * mebibyte + 1), 'a']),
      413,
      'PAYLOAD_TOO_LARGE'
    ],
    [
      'a byte too much, and the path behind it',
      () => send(['file', Buffer.alloc(3 * mebibyte + 1), 'a'], ['path', '']),
      413,
      'PAYLOAD_TOO_LARGE'
    ]
  ])('%s is refused and leaves nothing', async (_name, operation, status, code) => {
    await files.put({ 'd/x': '', file: '' })
    const [found, foundCode] = codeOf(await operation())
    expect([found, foundCode]).toEqual([status, code])
    expect(await files.all()).toEqual(['d/', 'd/x', 'file'])
    expect(await eventually(async () => (await staged()).length === 0)).toBe(true)
  })
  test('a missing directory is created', async () => {
    expect((await send(['path', 'none/yet'], ['file', 'x', 'a'])).statusCode).toBe(201)
    expect(await files.all()).toEqual(['none/', 'none/yet/', 'none/yet/a'])
  })
  const sendCut = () => {
    const { type, body } = formOf([
      ['path', ''],
      ['file', 'x'.repeat(100), 'a']
    ])
    return files.raw('upload', body.subarray(0, -60), { 'content-type': type })
  }

  test('exactly the maximum is accepted', async () => {
    expect((await send(['path', ''], ['file', Buffer.alloc(3 * mebibyte), 'a'])).json()).toMatchObject({
      size: 3 * mebibyte
    })
  })

  test('an announced excess is refused before the upload', async () => {
    const answer = await new Promise<{ status: number; body: string }>((resolve, reject) => {
      const call = httpRequest(address('upload'), {
        method: 'POST',
        headers: {
          cookie: ann.cookie,
          'content-type': 'multipart/form-data; boundary=x',
          'content-length': 100 * mebibyte
        }
      })
      call.on('error', reject)
      call.on('response', (response) => {
        let body = ''
        response.on('data', (chunk: Buffer) => (body += chunk.toString()))
        response.on('end', () => {
          call.destroy()
          resolve({ status: response.statusCode!, body })
        })
      })
      call.flushHeaders()
    })
    expect(answer).toMatchObject({ status: 413, body: expect.stringContaining('PAYLOAD_TOO_LARGE') })
  })

  test('a connection with an aborted upload serves the next request', async () => {
    const socket = connect((panel.app.server.address() as AddressInfo).port, '127.0.0.1')
    let answers = ''
    socket.setEncoding('utf8').on('data', (text: string) => (answers += text))
    const { type, body } = formOf([
      ['path', '.env'],
      ['file', randomBytes(2 * mebibyte), 'a']
    ])
    const head = (method: string, operation: string) =>
      `${method} /api/files/${files.project.id}/${operation} HTTP/1.1\r\nhost: x\r\ncookie: ${ann.cookie}\r\n`
    socket.write(`${head('POST', 'upload')}content-type: ${type}\r\ncontent-length: ${body.length}\r\n\r\n`)
    socket.write(body)
    socket.write(`${head('GET', 'list')}\r\n`)
    expect(await eventually(async () => answers.includes('"nodes":[]'))).toBe(true)
    socket.destroy()
    expect(answers).toMatch(/^HTTP\/1.1 403 [^]*PATH_PROTECTED[^]*HTTP\/1.1 200 /)
  })

  test.each([
    ['before the file', ['path', '']],
    ['behind it', undefined]
  ] as const)('an aborted client leaves nothing, with the path %s', async (_name, first) => {
    await files.put({ a: 'old' })
    const { type, body } = formOf([...(first ? [first] : []), ['file', randomBytes(2 * mebibyte), 'a']])
    for (const sent of [200, mebibyte, body.length - 10]) {
      const socket = connect((panel.app.server.address() as AddressInfo).port, '127.0.0.1')
      const head = `POST /api/files/${files.project.id}/upload HTTP/1.1\r\nhost: x\r\ncookie: ${ann.cookie}\r\ncontent-type: ${type}\r\ncontent-length: ${body.length}\r\n\r\n`
      socket.write(head)
      await new Promise((resolve) => socket.write(body.subarray(0, sent), resolve))
      await sleep(100)
      socket.destroy()
      expect(await eventually(async () => (await staged()).length === 0)).toBe(true)
      expect(await files.all()).toEqual(['a'])
      expect(await files.text('a')).toBe('old')
    }
  })

  test('two concurrent uploads to one name: one of them, complete', async () => {
    const contents = Array.from({ length: 8 }, (_, n) => Buffer.alloc(mebibyte, String(n)))
    const answers = await Promise.all(contents.map((content) => send(['path', ''], ['file', content, 'a'])))
    expect(answers.map((answer) => answer.statusCode)).toEqual(Array(8).fill(201))
    const found = await files.text('a')
    expect(contents.some((content) => content.toString() === found)).toBe(true)
    expect(await files.all()).toEqual(['a'])
  })

  test('another’s project is 404 without reading the body', async () => {
    const bob = await panel.createUser(ann)
    const { type, body } = formOf([
      ['path', '../..'],
      ['file', 'x', '.env']
    ])
    const answer = await bob.request('POST', `/api/files/${files.project.id}/upload`, body, { 'content-type': type })
    expect(codeOf(answer)).toEqual([404, 'NOT_FOUND'])
    const stranger = await fetch(address('upload'), { method: 'POST', body, headers: { 'content-type': type } })
    expect(stranger.status).toBe(401)
  })
})

describe('download', () => {
  const content = Buffer.from(Array.from({ length: 1000 }, (_, n) => n % 251))
  beforeEach(async () => {
    await files.put({ 'd/bytes': '' })
    await appendFile(join(files.root, 'd/bytes'), content)
    await utimes(join(files.root, 'd/bytes'), 1_700_000_000, 1_700_000_000)
  })
  const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer())

  test('the whole file with the right headers', async () => {
    const answer = await fetchFile('d/bytes')
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': '1000',
      'content-disposition': 'attachment; filename="bytes"',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'last-modified': 'Tue, 14 Nov 2023 22:13:20 GMT',
      etag: expect.stringMatching(/^"[^"]+"$/)
    })
    expect((await bytesOf(answer)).equals(content)).toBe(true)
  })

  test('an empty file and unusual names', async () => {
    await files.put({ 'say "hi"\n世界.html': '' })
    const answer = await fetchFile('say "hi"\n世界.html')
    expect([answer.status, answer.headers.get('content-length'), (await bytesOf(answer)).length]).toEqual([200, '0', 0])
    expect(answer.headers.get('content-type')).toBe('application/octet-stream')
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="say _hi____.html"; filename*=UTF-8''say%20%22hi%22%0A%E4%B8%96%E7%95%8C.html`
    )
    expect((await fetchFile('say "hi"\n世界.html', { range: 'bytes=0-' })).status).toBe(416)
  })

  test.each([
    ['bytes=0-0', 0, 0],
    ['bytes=10-19', 10, 19],
    ['bytes=990-', 990, 999],
    ['bytes=990-5000', 990, 999],
    ['bytes=-1', 999, 999],
    ['bytes=-5000', 0, 999]
  ])('%s is a partial response', async (range, start, end) => {
    const answer = await fetchFile('d/bytes', { range })
    expect(answer.status).toBe(206)
    expect(answer.headers.get('content-range')).toBe(`bytes ${start}-${end}/1000`)
    expect(answer.headers.get('content-length')).toBe(String(end - start + 1))
    expect((await bytesOf(answer)).equals(content.subarray(start, end + 1))).toBe(true)
  })

  test.each(['bytes=1000-', 'bytes=-0'])('%s is not satisfiable', async (range) => {
    const answer = await fetchFile('d/bytes', { range })
    expect([answer.status, answer.headers.get('content-range')]).toEqual([416, 'bytes */1000'])
    expect(await answer.json()).toMatchObject({ code: 'RANGE_NOT_SATISFIABLE' })
  })

  test.each(['bytes=0-1,3-4', 'bytes=9-1', 'lines=1-2', 'nonsense'])('%s is the whole file', async (range) => {
    const answer = await fetchFile('d/bytes', { range })
    expect([answer.status, (await bytesOf(answer)).length]).toEqual([200, 1000])
  })

  test('a cached file is not sent', async () => {
    const etag = (await fetchFile('d/bytes')).headers.get('etag')!
    for (const held of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const answer = await fetchFile('d/bytes', { 'if-none-match': held, range: 'bytes=0-1' })
      expect([held, answer.status, answer.headers.get('etag'), await answer.text()]).toEqual([held, 304, etag, ''])
    }
    expect((await fetchFile('d/bytes', { 'if-none-match': '"x"' })).status).toBe(200)
  })

  test('a range continues only for the same file', async () => {
    const etag = (await fetchFile('d/bytes')).headers.get('etag')!
    const range = 'bytes=500-'
    expect((await fetchFile('d/bytes', { range, 'if-range': etag })).status).toBe(206)
    expect((await fetchFile('d/bytes', { range, 'if-range': '"other"' })).status).toBe(200)
    await appendFile(join(files.root, 'd/bytes'), 'x')
    const answer = await fetchFile('d/bytes', { range, 'if-range': etag })
    expect([answer.status, (await bytesOf(answer)).length]).toEqual([200, 1001])
    expect(answer.headers.get('etag')).toMatch(/^W\//)
  })

  test('HEAD has the same headers', async () => {
    const answer = await fetchFile('d/bytes', { range: 'bytes=0-1' }, 'HEAD')
    expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([200, '1000', ''])
    const archive = await fetch(`${address('archive')}?path=d`, { method: 'HEAD', headers: { cookie: ann.cookie } })
    expect([archive.status, archive.headers.get('content-disposition')]).toEqual([
      200,
      'attachment; filename="d.tar.gz"'
    ])
  })

  test('directories and missing files', async () => {
    await files.put({ out: '-> /etc/passwd' })
    for (const [path, status, code] of [
      ['d', 409, 'NOT_A_FILE'],
      ['', 409, 'NOT_A_FILE'],
      ['none', 404, 'NOT_FOUND'],
      ['out', 403, 'PATH_FORBIDDEN']
    ] as const) {
      const answer = await fetchFile(path)
      expect([path, answer.status, ((await answer.json()) as { code: string }).code]).toEqual([path, status, code])
      expect(answer.headers.get('content-disposition')).toBeNull()
    }
  })

  test('an aborted client leaves no open file', async () => {
    const large = await open(join(files.root, 'large'), 'w')
    await large.truncate(200 * mebibyte)
    await large.close()
    const openFiles = async () => {
      const { readlink } = await import('node:fs/promises')
      const links = (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ''))
      return (await Promise.all(links)).filter((target) => target.endsWith('/large')).length
    }
    for (let n = 0; n < 5; n++) {
      const gone = new AbortController()
      const answer = await fetch(`${address('download')}?path=large`, {
        headers: { cookie: ann.cookie },
        signal: gone.signal
      })
      await answer.body!.getReader().read()
      expect(await openFiles()).toBeGreaterThan(0)
      gone.abort()
    }
    expect(await eventually(async () => (await openFiles()) === 0)).toBe(true)
  })

  test('a file truncated while sent fails visibly', async () => {
    const large = await open(join(files.root, 'large'), 'w')
    await large.truncate(200 * mebibyte)
    await large.close()
    const answer = await fetch(`${address('download')}?path=large`, { headers: { cookie: ann.cookie } })
    const reader = answer.body!.getReader()
    await reader.read()
    await truncate(join(files.root, 'large'), 1000)
    const readAll = async () => {
      while (!(await reader.read()).done);
    }
    await expect(readAll()).rejects.toThrow()
  })
})

describe('archive', () => {
  test('contains the directory and nothing from outside', async () => {
    await files.put({ 'd/a.txt': 'one', 'd/e/b': 'two', 'd/in': '-> a.txt', 'd/out': '-> /etc/passwd', other: 'x' })
    const answer = await fetch(`${address('archive')}?path=d`, { headers: { cookie: ann.cookie } })
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('content-disposition')]).toEqual([
      200,
      'application/gzip',
      'attachment; filename="d.tar.gz"'
    ])
    const entries = await entriesOf(gunzipSync(Buffer.from(await answer.arrayBuffer())))
    expect(entries['a.txt']).toBe('one')
    expect(entries['e/b']).toBe('two')
    expect(Object.keys(entries)).not.toContain('out')
    expect(Object.keys(entries)).not.toContain('other')
  })

  test('of the whole project has its name', async () => {
    await files.put({ a: 'one' })
    const answer = await fetch(address('archive'), { headers: { cookie: ann.cookie } })
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${files.project.name}.tar.gz"`)
    expect((await entriesOf(gunzipSync(Buffer.from(await answer.arrayBuffer())))).a).toBe('one')
  })

  test('files are refused', async () => {
    await files.put({ file: '' })
    expect(codeOf(await files.get('archive', { path: 'file' }))).toEqual([409, 'NOT_A_DIRECTORY'])
    expect(codeOf(await files.get('archive', { path: 'none' }))).toEqual([404, 'NOT_FOUND'])
  })

  test('two at a time, and an aborted one frees its place', async () => {
    await files.put({ 'd/x': '' })
    const large = await open(join(files.root, 'd/large'), 'w')
    // Random, so that it does not compress.
    for (let n = 0; n < 64; n++) await large.write(randomBytes(mebibyte))
    await large.close()
    const gone = new AbortController()
    const ask = () => fetch(`${address('archive')}?path=d`, { headers: { cookie: ann.cookie }, signal: gone.signal })
    const first = [await ask(), await ask()]
    expect(first.map((answer) => answer.status)).toEqual([200, 200])
    const third = await ask()
    expect([third.status, ((await third.json()) as { code: string }).code]).toEqual([409, 'CONFLICT'])
    gone.abort()
    expect(await eventually(async () => (await files.get('archive', { path: 'd/none' })).statusCode === 404)).toBe(true)
  })

  async function entriesOf(tar: Buffer): Promise<Record<string, string>> {
    const entries: Record<string, string> = {}
    const reader = extract()
    reader.end(tar)
    for await (const entry of reader) {
      let text = ''
      for await (const chunk of entry) text += String(chunk)
      entries[entry.header.name] = text
    }
    return entries
  }
})

test('3 MiB survive upload and download', async () => {
  const content = randomBytes(3 * mebibyte)
  await send(['path', ''], ['file', content, 'random'])
  const sha = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
  expect(sha(Buffer.from(await (await fetchFile('random')).arrayBuffer()))).toBe(sha(content))
})

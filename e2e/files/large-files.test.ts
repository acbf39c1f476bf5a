import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chown, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FileList } from '@panel/contract/files'
import { growthDuring } from '../support/memory.ts'
import { type Client, type RunningPanel, startPanel } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { bytesOf, digest, download, upload, zeros } from '../support/transfer.ts'

const mebibyte = 1024 * 1024
// Far more than a stream needs, far less than is sent.
const maxGrowth = 250 * mebibyte

let panel: RunningPanel
let user: Client
let projectId: string
let root: string
beforeAll(async () => {
  panel = await startPanel({ FILE_UPLOAD_MAX_MB: '2100' })
  user = await panel.signUp()
  projectId = (await user.createProject({ type: 'NODEJS' })).id
  root = join(panel.dataDir, 'workspaces/projects/by-id', projectId)
})
afterAll(() => panel?.dispose())

const staging = () => readdir(join(panel.dataDir, 'workspaces/projects/staging/files')).catch(() => [])
const entries = async (path: string) =>
  (await user.call<FileList>('GET', `/files/${projectId}/list?path=${path}`)).nodes.map((node) => node.name)

test('a 100 MB file survives upload and download', async () => {
  const chunk = randomBytes(mebibyte - 1)
  const size = 100 * mebibyte
  const { result, growth } = await growthDuring(panel.pid(), async () => {
    const sent = await upload(panel, user, projectId, { name: '100.bin', size, content: bytesOf(size, chunk) })
    return { sent, got: await download(panel, user, projectId, '100.bin') }
  })
  expect(result.sent).toMatchObject({ status: 201, body: { path: '100.bin', size } })
  expect(result.got).toEqual({ status: 200, size, sha256: digest(bytesOf(size, chunk)) })
  expect(growth).toBeLessThan(maxGrowth)
  const { uid, mode } = await stat(join(root, '100.bin'))
  expect([uid >= 20_000, mode & 0o777]).toEqual([true, 0o644])
  expect(await staging()).toEqual([])
})

test('2 GB need no more memory', async () => {
  const size = 2048 * mebibyte
  const { result, growth } = await growthDuring(panel.pid(), async () => {
    const sent = await upload(panel, user, projectId, { name: '2048.bin', size, content: bytesOf(size, zeros) })
    return { sent, got: await download(panel, user, projectId, '2048.bin') }
  })
  expect(result.sent).toMatchObject({ status: 201, body: { size } })
  expect(result.got).toMatchObject({ status: 200, size })
  expect(growth).toBeLessThan(maxGrowth)
  await user.call('DELETE', `/files/${projectId}/delete`, { path: '2048.bin' })
})

test('an upload over the limit is aborted and leaves nothing', async () => {
  const size = 2101 * mebibyte
  // Chunked, so that no length is announced.
  const call = request(`${panel.url}/api/files/${projectId}/upload`, {
    method: 'POST',
    headers: { cookie: user.cookie, 'content-type': 'multipart/form-data; boundary=b' }
  })
  const answered = once(call, 'response') as Promise<[import('node:http').IncomingMessage]>
  call.write('--b\r\nContent-Disposition: form-data; name="file"; filename="large"\r\n\r\n')
  let isAnswered = false
  void answered.then(() => (isAnswered = true))
  for (const chunk of bytesOf(size, zeros)) {
    if (isAnswered) break
    if (!call.write(chunk)) await Promise.race([once(call, 'drain'), answered])
  }
  call.end('\r\n--b--\r\n')
  const [response] = await answered
  expect(response.statusCode).toBe(413)
  response.resume()
  call.on('error', () => {})
  call.destroy()
  expect(await entries('')).toEqual(['100.bin'])
  await until(staging, (left) => left.length === 0)
})

test('a directory with 100,000 files is paginated', async () => {
  await mkdir(join(root, 'many'))
  for (let n = 0; n < 100_000; n += 1000)
    await Promise.all(
      Array.from({ length: 1000 }, (_, k) => writeFile(join(root, 'many', `f${String(n + k).padStart(6, '0')}`), ''))
    )
  const { result, growth } = await growthDuring(panel.pid(), async () => {
    const names: string[] = []
    for (let after: string | null = ''; after !== null;) {
      const query: string = after === '' ? '' : `&after=${after}`
      const page: FileList = await user.call<FileList>('GET', `/files/${projectId}/list?path=many${query}`)
      names.push(...page.nodes.map(({ name }) => name))
      after = page.next
    }
    return names
  })
  expect(result).toHaveLength(100_000)
  expect(result.every((name, n) => name === `f${String(n).padStart(6, '0')}`)).toBe(true)
  expect(growth).toBeLessThan(maxGrowth)
  const page = await user.call<FileList>('GET', `/files/${projectId}/list?path=many&limit=10&after=f049999`)
  expect(page.nodes.map((node) => node.name)).toEqual(Array.from({ length: 10 }, (_, n) => `f0${50_000 + n}`))
  expect(page.next).toBe('f050009')
  await user.call('DELETE', `/files/${projectId}/delete`, { path: 'many' })
})

describe('while a tenant program swaps a directory for a symlink', () => {
  test('nothing gets in or out', async () => {
    const outside = join(panel.dataDir, 'outside')
    await mkdir(outside)
    await writeFile(join(outside, 'secret'), 'secret')
    const { uid } = await stat(join(root, '100.bin'))
    await mkdir(join(root, 'd'))
    await chown(join(root, 'd'), uid, uid)
    await writeFile(join(root, 'd', 'secret'), 'own')
    await chown(join(root, 'd', 'secret'), uid, uid)
    const swap = `while (1) { rename "d", "e"; symlink $ARGV[0], "d"; unlink "d"; rename "e", "d" }`
    const tenant = spawn('perl', ['-e', swap, outside], { cwd: root, uid, gid: uid, stdio: 'ignore' })
    const answers = new Set<string>()
    try {
      await once(tenant, 'spawn')
      const operations = [
        () => user.request('GET', `/files/${projectId}/read?path=d/secret`),
        () => user.request('GET', `/files/${projectId}/list?path=d`),
        () => user.request('GET', `/files/${projectId}/search?path=d&name=secret`),
        () => user.request('POST', `/files/${projectId}/write`, { path: 'd/new', content: 'x' }),
        () =>
          user.request('POST', `/files/${projectId}/create`, {
            path: `d/${randomBytes(4).toString('hex')}`,
            content: 'x'
          }),
        () => user.request('POST', `/files/${projectId}/mkdir`, { path: `d/${randomBytes(4).toString('hex')}` }),
        () => user.request('POST', `/files/${projectId}/chmod`, { path: 'd/secret', mode: '777' }),
        () =>
          user.request('POST', `/files/${projectId}/copy`, {
            from: 'd/secret',
            to: `copy-${randomBytes(4).toString('hex')}`
          }),
        () => user.request('DELETE', `/files/${projectId}/delete`, { path: 'd/new' })
      ]
      for (let round = 0; round < 100; round++)
        for (const answer of await Promise.all(operations.map((operation) => operation()))) {
          answers.add(String(answer.status))
          expect((answer.body as { content?: string }).content ?? 'own').toBe('own')
        }
    } finally {
      const ended = once(tenant, 'exit')
      tenant.kill('SIGKILL')
      await ended
    }
    expect([...answers]).toContain('200')
    expect(answers.size).toBeGreaterThan(2)
    expect([...answers].filter((status) => Number(status) >= 500 && status !== '503')).toEqual([])
    expect(await readdir(outside)).toEqual(['secret'])
    expect(await readFile(join(outside, 'secret'), 'utf8')).toBe('secret')
    expect((await stat(join(outside, 'secret'))).mode & 0o777).not.toBe(0o777)
    for (const name of (await readdir(root)).filter((each) => each.startsWith('copy-')))
      expect(await readFile(join(root, name), 'utf8')).toBe('own')
    for (const name of ['d', 'e']) await rm(join(root, name), { recursive: true, force: true })
  })
})

test('kill -9 during an upload keeps the old file only', async () => {
  const before = (await stat(join(root, '100.bin'))).size
  async function* endless() {
    for (;;) {
      yield zeros
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  const cutOff = upload(panel, user, projectId, { name: '100.bin', size: 1000 * mebibyte, content: endless() }).catch(
    (error: unknown) => error
  )
  const written = async () => {
    const names = await staging()
    const sizes = await Promise.all(
      names.map((name) =>
        stat(join(panel.dataDir, 'workspaces/projects/staging/files', name)).then((found) => found.size)
      )
    )
    return Math.max(0, ...sizes)
  }
  await until(written, (size) => size > mebibyte)
  await panel.kill()
  expect(await cutOff).toBeInstanceOf(Error)
  expect((await staging()).length).toBeGreaterThan(0)
  await panel.start()
  await until(staging, (left) => left.length === 0)
  expect((await stat(join(root, '100.bin'))).size).toBe(before)
  expect((await entries('')).filter((name) => !name.startsWith('copy-'))).toEqual(['100.bin'])
  expect((await user.request('POST', `/files/${projectId}/create`, { path: 'after', content: '' })).status).toBe(201)
})

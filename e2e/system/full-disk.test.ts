import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { DiskCleanup, DiskCleanupPreview, ServerDisk } from '@panel/contract/server-disk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exists } from '../../packages/server/src/infra/disk/exists.ts'
import { type LoopDisk, mountLoopDisk } from '../support/loop-disk.ts'
import { type Client, type RunningPanel, startPanel } from '../support/panel.ts'
import { until } from '../support/poll.ts'

const execute = promisify(execFile)
const panelCommand = fileURLToPath(new URL('../../panel', import.meta.url))

let disk: LoopDisk
let panel: RunningPanel
let admin: Client
let projectId: string
beforeAll(async () => {
  // Without blocks for root: not a single one is left.
  disk = await mountLoopDisk(900, { reservedPercent: 0 })
  const { TMPDIR } = process.env
  process.env.TMPDIR = disk.directory // startPanel puts DATA_DIR below it.
  try {
    panel = await startPanel({ STORE_RESERVE: '64m', MIN_FREE_DISK: '96m' })
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
  }
  admin = await panel.signUp('admin')
  projectId = (await admin.createProject({ name: 'site', type: 'STATIC' })).id
})
afterAll(async () => {
  await panel?.dispose()
  await disk?.unmount()
})

const free = async () => {
  const { bfree, bsize } = await statfs(disk.directory)
  return bfree * bsize
}
const hasReserve = () => exists(join(panel.dataDir, 'store.reserve'))
const signIn = async () => {
  const answer = await fetch(`${panel.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'admin@example.com', password: 'correct horse battery' })
  })
  expect(answer.status).toBe(200)
  return answer.headers.get('set-cookie')!.split(';')[0]!
}
async function call<T>(
  cookie: string,
  method: string,
  path: string,
  body?: object
): Promise<{ status: number; body: T }> {
  const headers = { cookie, ...(body && { 'content-type': 'application/json' }) }
  const answer = await fetch(`${panel.url}/api${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) })
  })
  return { status: answer.status, body: (await answer.json().catch(() => null)) as T }
}
const disks = async (cookie: string) => (await call<ServerDisk>(cookie, 'GET', '/system/disk')).body

test('with every block taken, an administrator starts the panel, signs in, deletes a project and cleans up', async () => {
  await writeFile(join(panel.dataDir, 'old.log'), randomBytes(40 * 2 ** 20))
  await disk.fill()
  // The panel deletes its reserve.
  await until(free, (bytes) => bytes > 0)
  await panel.kill()
  expect(await free()).toBeLessThan(96 * 2 ** 20)

  await panel.start()
  const cookie = await signIn()
  expect((await call(cookie, 'POST', '/projects', { name: 'next', type: 'STATIC' })).status).toBe(507)
  expect((await call(cookie, 'DELETE', `/projects/${projectId}`)).status).toBe(204)
  const preview = await call<DiskCleanupPreview>(cookie, 'GET', '/system/disk/cleanup')
  expect(preview.body.groups.find(({ kind }) => kind === 'LOGS')!.bytes).toBeGreaterThan(40 * 2 ** 20 - 1)

  const before = await free()
  const started = await call<DiskCleanup>(cookie, 'POST', '/system/disk/cleanup', {
    kinds: ['LOGS', 'BUILD_CACHE', 'RELEASES']
  })
  expect(started.status).toBe(202)
  const { cleanup } = await until(
    () => disks(cookie),
    (found) => found.cleanup?.endedAt != null
  )
  expect(cleanup).toMatchObject({
    status: 'COMPLETED',
    results: [{ kind: 'LOGS' }, { kind: 'BUILD_CACHE' }, { kind: 'RELEASES' }]
  })
  expect(await free()).toBeGreaterThan(before + 30 * 2 ** 20)
})

test('./panel disk clean frees space on a full disk while the panel is stopped', async () => {
  await writeFile(join(panel.dataDir, 'old.log'), randomBytes(20 * 2 ** 20))
  await disk.empty()
  await until(hasReserve, (has) => has)
  await panel.stop()
  await disk.fill()
  const env = { ...process.env, DATA_DIR: panel.dataDir, PANEL_NODE: process.execPath }
  const shown = await execute(panelCommand, ['disk', 'clean'], { env })
  expect(shown.stdout).toContain('Nothing was removed')
  const before = await free()
  await execute(panelCommand, ['disk', 'clean', '--yes'], { env })
  expect(await free()).toBeGreaterThan(before + 15 * 2 ** 20)
  await disk.empty()
  await panel.start()
  expect((await disks(await signIn())).disks.find(({ isPanels }) => isPanels)?.path).toBe(disk.directory)
})

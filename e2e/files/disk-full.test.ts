import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { copyFile, chmod, chown, readFile, stat, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MetricSnapshot, ServerMetrics } from '@panel/contract/monitoring'
import type { NotificationList } from '@panel/contract/notifications'
import type { DiskCleanup, DiskCleanupPreview, ServerDisk } from '@panel/contract/server-disk'
import { type LoopDisk, mountLoopDisk } from '../support/loop-disk.ts'
import { type Client, type RunningPanel, startPanel } from '../support/panel.ts'
import { until } from '../support/poll.ts'

const execute = promisify(execFile)
const panelCommand = fileURLToPath(new URL('../../panel', import.meta.url))
const mebibyte = 2 ** 20
const reserve = 64 * mebibyte
const minFree = 96 * mebibyte

let disk: LoopDisk
let projectsDisk: LoopDisk
let panel: RunningPanel
let admin: Client
let ann: Client
let id: string
let carl: string
let spare: string
beforeAll(async () => {
  // Without blocks for root: not a single one is left.
  disk = await mountLoopDisk(900, { reservedPercent: 0 })
  projectsDisk = await mountLoopDisk(300)
  const { TMPDIR } = process.env
  process.env.TMPDIR = disk.directory // startPanel puts DATA_DIR below it.
  try {
    panel = await startPanel({
      STORE_RESERVE: '64m',
      MIN_FREE_DISK: '96m',
      PROJECTS_DIR: projectsDisk.directory,
      ALERT_DISK_PERCENT: '80'
    })
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
  }
  admin = await panel.signUp('admin')
  ann = await panel.signUp('ann')
  carl = (await (await panel.signUp('carl')).call<{ id: string }>('GET', '/auth/me')).id
  id = (await ann.createProject({ name: 'site', type: 'STATIC' })).id
  spare = (await admin.createProject({ name: 'spare', type: 'STATIC' })).id
})
afterAll(async () => {
  await panel?.dispose()
  await disk?.unmount()
  await projectsDisk?.unmount()
})

const free = async () => {
  const { bavail, bsize } = await statfs(disk.directory)
  return bavail * bsize
}
const hasReserve = () =>
  stat(join(panel.dataDir, 'store.reserve')).then(
    ({ blocks }) => blocks * 512 >= reserve,
    () => false
  )
async function call<T>(client: Pick<Client, 'cookie'>, method: string, path: string, body?: object) {
  const headers = { cookie: client.cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
  const answer = await fetch(`${panel.url}/api${path}`, init)
  return { status: answer.status, body: (await answer.json().catch(() => null)) as T }
}
const codeOf = async (...args: Parameters<typeof call>) => {
  const { status, body } = await call<{ code?: string }>(...args)
  return status < 300 ? status : [status, body.code]
}
const diskOf = async (client: Pick<Client, 'cookie'>) => (await call<ServerDisk>(client, 'GET', '/system/disk')).body
const signIn = async (name: string) => {
  const answer = await fetch(`${panel.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: `${name}@example.com`, password: 'correct horse battery' })
  })
  expect(answer.status).toBe(200)
  return { cookie: answer.headers.get('set-cookie')!.split(';')[0]! }
}

async function recordMinute() {
  const [job] = await panel.query<{ id: string }>(
    `insert into pgboss.job (name, data) values ('metrics.record', '{}') returning id`
  )
  await panel.query(`select pg_notify('panel_jobs', 'metrics.record')`)
  await until(
    () => panel.query<{ state: string }>(`select state from pgboss.job where id = '${job!.id}'`),
    ([row]) => row?.state === 'completed'
  )
}

test('a project directory on its own file system ignores set-uid bits and devices', async () => {
  const line = (await readFile('/proc/self/mountinfo', 'utf8'))
    .split('\n')
    .find((each) => each.includes(projectsDisk.directory))
  expect(line).toMatch(/ rw,nosuid,nodev/)
  const program = join(projectsDisk.directory, 'id')
  await copyFile('/usr/bin/id', program)
  await chown(program, 20_000, 20_000)
  await chmod(program, 0o4755)
  await chmod(projectsDisk.directory, 0o711)
  const { stdout } = await execute('setpriv', ['--reuid', '65534', '--clear-groups', '--', program, '-u'])
  await chmod(projectsDisk.directory, 0o700)
  expect(stdout.trim()).toBe('65534')
})

test('on a full disk, accounts cannot write and the database uses its reserve', async () => {
  await until(hasReserve, (has) => has)
  await writeFile(join(panel.dataDir, 'old.log'), randomBytes(40 * mebibyte))
  await disk.fill()
  await until(hasReserve, (has) => !has)
  expect(await free()).toBeLessThan(reserve * 1.25)

  // Regression test H8: write a file of nearly 2 MB repeatedly, then another account's variable.
  const content = randomBytes(995_000).toString('hex')
  const before = await free()
  for (let i = 0; i < 65; i++)
    expect(await codeOf(ann, 'POST', `/files/${id}/write`, { path: `f${i}`, content })).toEqual([507, 'DISK_FULL'])
  expect(await codeOf(ann, 'POST', `/projects/${id}/env`, { key: 'A', value: 'b' })).toEqual([507, 'DISK_FULL'])
  expect(await free()).toBeGreaterThan(before - 2 ** 24)

  for (let i = 0; i < 20; i++) {
    expect(await codeOf(admin, 'POST', `/users/${carl}/suspend`)).toBe(200)
    expect(await codeOf(admin, 'POST', `/users/${carl}/resume`)).toBe(200)
  }
  const { parts } = (await (await fetch(`${panel.url}/api/health`)).json()) as {
    parts: Record<string, { status: string; remedy?: string }>
  }
  expect([parts.store!.status, parts.disk]).toEqual(['ok', expect.objectContaining({ status: 'unreachable' })])
})

test('on a full disk, metrics are recorded and administrators notified', async () => {
  const { blocks, bsize } = await statfs(disk.directory)
  const server = await admin.call<ServerMetrics>('GET', '/monitoring/server')
  expect(server.diskTotal).toBe(blocks * bsize)
  expect(server.diskUsed! / server.diskTotal!).toBeGreaterThan(0.8)
  for (let minute = 0; minute < 3; minute++) await recordMinute()
  const { notifications } = await admin.call<NotificationList>('GET', '/notifications')
  expect(notifications.filter(({ kind }) => kind === 'disk-nearly-full')).toMatchObject([{ state: 'problem' }])
  expect((await admin.call<MetricSnapshot[]>('GET', '/monitoring/history?range=1h')).at(-1)!.disk_used).toBeGreaterThan(
    0.85 * blocks * bsize
  )
})

test('with every block taken, an administrator starts the panel, signs in, deletes a project and cleans up', async () => {
  await panel.kill()
  expect(await free()).toBeLessThan(minFree)
  await panel.start()
  const again = await signIn('admin')
  expect(await codeOf(again, 'POST', '/projects', { name: 'next', type: 'STATIC' })).toEqual([507, 'DISK_FULL'])
  expect(await codeOf(again, 'DELETE', `/projects/${spare}`)).toBe(204)
  const preview = await call<DiskCleanupPreview>(again, 'GET', '/system/disk/cleanup')
  expect(preview.body.groups.find(({ kind }) => kind === 'LOGS')!.bytes).toBeGreaterThan(40 * mebibyte - 1)

  const before = await free()
  const kinds = ['LOGS', 'BUILD_CACHE', 'RELEASES']
  expect((await call<DiskCleanup>(again, 'POST', '/system/disk/cleanup', { kinds })).status).toBe(202)
  const { cleanup } = await until(
    () => diskOf(again),
    (found) => found.cleanup?.endedAt != null
  )
  expect(cleanup).toMatchObject({ status: 'COMPLETED', results: kinds.map((kind) => ({ kind })) })
  expect(await free()).toBeGreaterThan(before + 30 * mebibyte)
})

test('with free space the reserve returns and accounts can write', async () => {
  await disk.empty()
  await until(hasReserve, (has) => has)
  const again = await signIn('ann')
  expect(await codeOf(again, 'POST', `/projects/${id}/env`, { key: 'A', value: 'b' })).toBe(200)
  expect(await codeOf(again, 'DELETE', `/projects/${id}`)).toBe(204)
  await recordMinute()
  const history = await fetch(`${panel.url}/api/monitoring/history?range=1h`, { headers: await signIn('admin') })
  const last = ((await history.json()) as MetricSnapshot[]).at(-1)!
  expect(last.disk_used! / last.disk_total!).toBeLessThan(0.8)
})

test('./panel disk clean frees space on a full disk while the panel is stopped', async () => {
  await writeFile(join(panel.dataDir, 'old.log'), randomBytes(20 * mebibyte))
  await until(hasReserve, (has) => has)
  await panel.stop()
  await disk.fill()
  const env = { ...process.env, DATA_DIR: panel.dataDir, PROJECTS_DIR: projectsDisk.directory, PANEL_NODE: process.execPath } // oxfmt-ignore
  const shown = await execute(panelCommand, ['disk', 'clean'], { env })
  expect(shown.stdout).toContain('Nothing was removed')
  const before = await free()
  await execute(panelCommand, ['disk', 'clean', '--yes'], { env })
  expect(await free()).toBeGreaterThan(before + 15 * mebibyte)
  await disk.empty()
  await panel.start()
  const { disks } = await diskOf(await signIn('admin'))
  expect(disks.find(({ isPanels }) => isPanels)?.path).toBe(disk.directory)
})

import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'dotenv'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { BackupSchedule } from '@panel/contract/backup-schedule'
import type { Backup, NewBackupTarget, Restore } from '@panel/contract/backups'
import type { Database } from '@panel/contract/databases'
import { backups, backupTargets, restores } from '../src/db/schema/backups.ts'
import { users } from '../src/db/schema/users.ts'
import { runBackups } from '../src/features/backups/backups.jobs.ts'
import { recoverBackups } from '../src/features/backups/backups.reconcile.ts'
import { removeExpired, runRestore } from '../src/features/backups/restore.jobs.ts'
import { queueDueBackups } from '../src/features/backups/schedule.service.ts'
import { AdapterError } from '../src/infra/adapter-error.ts'
import { PanelManifest } from '../src/features/backups/panel-manifest.ts'
import { panelState, projectDirectory } from '../src/process/paths.ts'
import type { MemoryBackupRepository } from './fakes/memory-backup-repository.ts'
import type { MemoryDnsServer } from './fakes/memory-dns-server.ts'
import type { MemoryDatabaseDump } from './fakes/memory-database-dump.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

let panel: TestPanel
let admin: Client
let ann: Client
let repository: MemoryBackupRepository
let dump: MemoryDatabaseDump
/** Offset of the panel clock in milliseconds. */
let later = 0
const day = 24 * 3600_000
beforeAll(async () => {
  panel = await createTestPanel({}, { now: () => new Date(Date.now() + later) })
  repository = panel.deps.backupRepository as MemoryBackupRepository
  dump = panel.deps.databaseDump as MemoryDatabaseDump
  admin = await panel.signUp('admin')
  ann = await panel.signUp('ann')
})
afterAll(async () => {
  const { mail } = panelState(panel.deps.config)
  await panel.close()
  await rm(join(mail, '../..'), { recursive: true, force: true })
})
beforeEach(async () => {
  for (const table of [restores, backups, backupTargets]) await panel.deps.db.delete(table)
  repository.before = async () => {}
  dump.before = async () => {}
  later = 0
})

const nobodyDead = { workerId: 1, findDead: async () => [] }
const signal = new AbortController().signal
const work = () => runBackups(panel.deps, { lease: { ...nobodyDead }, signal })

let count = 0
async function newTarget({ isConfirmed = true, by = admin } = {}): Promise<NewBackupTarget> {
  const answer = await by.request('POST', '/api/backups/targets', {
    kind: 'FOLDER',
    name: `Disk ${++count}`,
    path: '/mnt/backup'
  })
  expect(answer.statusCode).toBe(201)
  const target = answer.json<NewBackupTarget>()
  if (isConfirmed) {
    const { key } = target
    expect((await admin.request('POST', `/api/backups/targets/${target.id}/confirm`, { key })).statusCode).toBe(200)
  }
  return target
}

async function newSite(owner = ann, text = 'first'): Promise<string> {
  const { id } = await owner.createProject()
  await write(id, 'index.html', text, owner)
  return id
}
const at = (projectId: string, path = '') => join(projectDirectory(panel.deps.config, projectId), path)
async function write(projectId: string, name: string, content: string, owner = ann): Promise<void> {
  // The first request creates the directory.
  expect((await owner.request('GET', `/api/files/${projectId}/list`)).statusCode).toBe(200)
  await mkdir(at(projectId), { recursive: true })
  await writeFile(at(projectId, name), content)
}
const list = async (projectId: string, by = ann) =>
  (await by.request('GET', `/api/projects/${projectId}/backups`)).json<{ backups: Backup[] }>().backups
const start = (projectId: string, by = ann, body = {}) => by.request('POST', `/api/projects/${projectId}/backups`, body)
async function backedUp(projectId: string): Promise<Backup> {
  expect((await start(projectId)).statusCode).toBe(202)
  await work()
  const [latest] = await list(projectId)
  expect(latest).toMatchObject({ status: 'GOOD' })
  return latest!
}

describe('targets', () => {
  test('the key is shown once, and backups need it confirmed', async () => {
    const { id, key } = await newTarget({ isConfirmed: false })
    const project = await newSite()
    expect((await start(project)).json()).toMatchObject({ code: 'CONFLICT' })
    const shown = await admin.request('GET', '/api/backups/targets')
    expect(shown.json()).toMatchObject({ targets: [{ id, isKeyConfirmed: false, location: '/mnt/backup' }] })
    expect(shown.body).not.toContain(key)
    const confirm = (value: string) => admin.request('POST', `/api/backups/targets/${id}/confirm`, { key: value })
    expect((await confirm(`${key.slice(0, -1)}x`)).statusCode).toBe(400)
    expect((await confirm(` ${key} `)).json()).toMatchObject({ isKeyConfirmed: true })
    expect((await start(project)).json()).toEqual({ queued: 1 })
  })

  test('one that cannot be reached is not added', async () => {
    repository.before = () => Promise.reject(new AdapterError('backup-target-unavailable', 'The backup target is unavailable.')) // oxfmt-ignore
    const target = { kind: 'REST', name: 'Away', url: 'https://backup.example.net/panel', password: 'a secret of ours' }
    const answer = await admin.request('POST', '/api/backups/targets', target)
    expect(answer.json()).toMatchObject({ code: 'BACKUP_TARGET_UNREACHABLE' })
    expect((await admin.request('GET', '/api/backups/targets')).json()).toEqual({ targets: [] })
  })

  test.each([
    ['a relative folder', { kind: 'FOLDER', path: 'backup' }],
    ['an SSH user that is an option', { kind: 'SFTP', host: 'x.example', username: '-oProxyCommand=x', path: '/x' }],
    ['a host with spaces', { kind: 'SFTP', host: 'x y', username: 'u', path: '/x' }],
    ['a URL with a password', { kind: 'REST', url: 'https://u:p@backup.example.net/' }]
  ])('%s is refused', async (_name, values) => {
    const answer = await admin.request('POST', '/api/backups/targets', { name: 'x', ...values })
    expect(answer.json()).toMatchObject({ code: 'VALIDATION_ERROR' })
  })

  test('are for administrators and holders of the permission', async () => {
    expect((await ann.request('GET', '/api/backups/targets')).json()).toMatchObject({ code: 'FORBIDDEN_ROLE' })
    const operator = await panel.signUp()
    await panel.deps.db
      .update(users)
      .set({ permissions: ['canManageBackups'] })
      .where(eq(users.id, operator.user.id))
    expect((await operator.request('GET', '/api/backups/targets')).statusCode).toBe(200)
  })

  test('receive the panel and its keys only if an administrator added them', async () => {
    const operator = await panel.signUp()
    const permissions: ['canManageBackups'] = ['canManageBackups']
    await panel.deps.db.update(users).set({ permissions }).where(eq(users.id, operator.user.id))
    await newTarget({ by: operator })
    expect((await operator.request('POST', '/api/backups', { subject: 'PANEL' })).json()).toEqual({ queued: 0 })
    await newTarget()
    expect((await operator.request('POST', '/api/backups', { subject: 'PANEL' })).json()).toEqual({ queued: 1 })
  })
})

describe('a backup', () => {
  test('has the files and the linked databases, and is good once it was read back', async () => {
    await newTarget()
    const project = await newSite()
    const created = await ann.request('POST', '/api/databases', {
      name: 'shop',
      type: 'POSTGRESQL',
      projectId: project
    })
    dump.contents.set('shop', 'rows of the shop')
    const { id } = created.json<Database>()
    const backup = await backedUp(project)
    expect(backup).toMatchObject({ trigger: 'MANUAL', databases: [{ id, name: 'shop', tables: 1, bytes: 16 }], problem: null }) // oxfmt-ignore
    const [{ files } = { files: new Map<string, Buffer>() }] = [...repository.snapshots.values()].slice(-1)
    expect(files.get('/files/index.html')?.toString()).toBe('first')
    expect(files.get(`/databases/${id}.sql`)?.toString()).toBe('rows of the shop')
    await ann.request('DELETE', `/api/databases/${id}`)
  })

  test.each([
    ['a dump that fails', () => (dump.before = () => Promise.reject(new AdapterError('database-dump-failed', 'The dump failed.')))], // oxfmt-ignore
    ['files that are not listed', () => (repository.before = async (operation) => { if (operation === 'count') [...repository.snapshots.values()].at(-1)!.files.delete('/files/index.html') })], // oxfmt-ignore
    ['content that differs', () => (repository.before = async (operation) => { if (operation === 'count') [...repository.snapshots.values()].at(-1)!.files.set('/manifest.json', Buffer.from('{}')) })] // oxfmt-ignore
  ])('is no backup with %s', async (_name, breakIt) => {
    await newTarget()
    const project = await newSite()
    await ann.request('POST', '/api/databases', { name: `db${++count}`, type: 'MYSQL', projectId: project })
    const before = repository.snapshots.size
    breakIt()
    await start(project)
    await work()
    expect(await list(project)).toMatchObject([{ status: 'FAILED', problem: expect.stringMatching(/./) }])
    expect(repository.snapshots.size).toBe(before)
  })

  test('to a failing target does not stop those to another one, and administrators are notified once', async () => {
    const [bad, good] = [await newTarget(), await newTarget()]
    const projects = [await newSite(), await newSite()]
    repository.before = async (_operation, { id }) => {
      if (id === bad.id) throw new AdapterError('backup-target-unavailable', 'The backup target is unavailable.', { reason: 'no route' }) // oxfmt-ignore
    }
    expect((await admin.request('POST', '/api/backups', {})).statusCode).toBe(202)
    await work()
    for (const project of projects) {
      const found = await list(project)
      expect(found.find(({ targetId }) => targetId === bad.id)).toMatchObject({ status: 'FAILED' })
      expect(found.find(({ targetId }) => targetId === good.id)).toMatchObject({ status: 'GOOD' })
    }
    const { notifications } = (await admin.request('GET', '/api/notifications')).json<{ notifications: { kind: string; text: string }[] }>() // oxfmt-ignore
    expect(notifications.filter(({ kind, text }) => kind === 'backup-failed' && text.includes(bad.name))).toHaveLength(1) // oxfmt-ignore
    const { items } = (await admin.request('GET', '/api/overview')).json<{ items: { code: string; targetId: string }[] }>() // oxfmt-ignore
    expect(items).toContainEqual(expect.objectContaining({ code: 'BACKUP_FAILED', targetId: bad.id }))
  })

  test('leaves out what the owner excluded, and says so', async () => {
    await newTarget()
    const project = await newSite()
    await mkdir(at(project, 'cache'))
    await write(project, 'cache/page', 'not needed')
    const settings = { isEnabled: false, hour: 12, minute: 0, weekdays: [], excluded: ['cache'] }
    expect((await ann.request('PUT', `/api/projects/${project}/backup-settings`, settings)).statusCode).toBe(200)
    expect(await backedUp(project)).toMatchObject({ excluded: ['cache'] })
    const { files } = [...repository.snapshots.values()].at(-1)!
    expect([...files.keys()].filter((path) => path.startsWith('/files/'))).toEqual(['/files/index.html'])
  })

  test.each(['..', 'a/../b', './a', '*', '/', '**/*', 'a\nb', ''])('cannot leave out %j', async (pattern) => {
    const project = await newSite()
    const settings = { isEnabled: false, hour: 12, minute: 0, weekdays: [], excluded: [pattern] }
    expect((await ann.request('PUT', `/api/projects/${project}/backup-settings`, settings)).statusCode).toBe(400)
  })

  test('of a worker that died is made again, and given up after three times', async () => {
    await newTarget()
    const project = await newSite()
    await start(project)
    for (let attempt = 1; attempt <= 3; attempt++) {
      const stop = new AbortController()
      let fail!: (error: Error) => void
      const started = new Promise<void>((resolve) => {
        repository.before = () => new Promise((_resolve, reject) => { fail = reject; resolve() }) // oxfmt-ignore
      })
      const running = runBackups(panel.deps, { lease: { ...nobodyDead, workerId: attempt + 10 }, signal: stop.signal })
      await started
      await recoverBackups(panel.deps, { findDead: async (ids) => ids.filter((id) => id === attempt + 10) })
      expect(await list(project)).toMatchObject([{ status: attempt < 3 ? 'QUEUED' : 'FAILED' }])
      stop.abort()
      fail(new Error('a dead worker reports nothing'))
      await running
    }
  })

  test('of another project is 404', async () => {
    await newTarget()
    const project = await newSite()
    const backup = await backedUp(project)
    const eve = await panel.signUp()
    const own = await newSite(eve)
    for (const [method, path] of [
      ['GET', `/api/projects/${own}/backups/${backup.id}`],
      ['GET', `/api/projects/${own}/backups/${backup.id}/files`],
      ['POST', `/api/projects/${own}/backups/${backup.id}/restore`]
    ] as const) {
      const answer = await eve.request(method, path, method === 'POST' ? { kind: 'FILES' } : undefined)
      expect([path, answer.statusCode]).toEqual([path, 404])
    }
  })
})

describe('a backup of the panel', () => {
  const latest = async () =>
    (await admin.request('GET', '/api/backups'))
      .json<{ backups: Backup[] }>()
      .backups.find(({ subject }) => subject === 'PANEL')!
  async function panelBackedUp(): Promise<Backup> {
    expect((await admin.request('POST', '/api/backups', { subject: 'PANEL' })).json()).toEqual({ queued: 1 })
    await work()
    return latest()
  }

  test('has store, keys, settings, mail, name server, and the databases without a project', async () => {
    await newTarget()
    const { config } = panel.deps
    const state = panelState(config)
    await mkdir(join(state.mail, 'shop.example/ann/Maildir/new'), { recursive: true })
    await writeFile(join(state.mail, 'shop.example/ann/Maildir/new/1'), 'a message')
    await mkdir(state.sftpServer, { recursive: true })
    await writeFile(join(state.sftpServer, 'ssh_host_ed25519_key'), 'a host key')
    await writeFile(join(state.sftpServer, 'sshd.log'), 'no part of it')
    await panel.deps.dnsServer.setZones([{ name: 'a.test', isSigned: true }])
    const { id } = (await ann.request('POST', '/api/databases', { name: 'alone', type: 'MYSQL' })).json<Database>()
    dump.contents.set('alone', 'rows of no project')
    const backup = await panelBackedUp()
    expect(backup).toMatchObject({ status: 'GOOD', projectId: null, projectName: null, problem: null, databases: [{ id, name: 'alone' }] }) // oxfmt-ignore
    const { files, tags } = [...repository.snapshots.values()].at(-1)!
    expect(tags).toEqual(['panel', 'installation:test'])
    const text = (path: string) => files.get(path)?.toString()
    expect(parse(text('/panel/settings/panel.env')!)).toEqual({ SESSION_SECRET: config.SESSION_SECRET, ENCRYPTION_KEY: config.ENCRYPTION_KEY }) // oxfmt-ignore
    expect(text('/panel/store/public.users.copy')).toContain('ann@example.com')
    expect(text(`/panel/databases/${id}.sql`)).toBe('rows of no project')
    expect(text('/panel/name-server/keys')).toBe('["a.test"]')
    expect(text('/panel/sftp-host-keys/ssh_host_ed25519_key')).toBe('a host key')
    expect(text('/mail/shop.example/ann/Maildir/new/1')).toBe('a message')
    expect([...files.keys()].filter((path) => path.includes('sshd.log'))).toEqual([])
    const manifest = PanelManifest.parse(JSON.parse(text('/manifest.json')!))
    expect(manifest.store.tables.find(({ name }) => name === 'users')!.rows).toBeGreaterThan(1)
    await ann.request('DELETE', `/api/databases/${id}`)
    await panel.deps.dnsServer.setZones([])
  })

  test.each([
    ['a table that differs', async () => [...repository.snapshots.values()].at(-1)!.files.set('/panel/store/public.users.copy', Buffer.from('x'))], // oxfmt-ignore
    ['keys that are missing', async () => [...repository.snapshots.values()].at(-1)!.files.delete('/panel/settings/panel.env')] // oxfmt-ignore
  ])('is no backup with %s', async (_name, breakIt) => {
    const target = await newTarget()
    const before = repository.snapshots.size
    repository.before = async (operation) => { if (operation === 'checksums') await breakIt() } // oxfmt-ignore
    expect(await panelBackedUp()).toMatchObject({ status: 'FAILED', problem: expect.stringMatching(/./) })
    expect(repository.snapshots.size).toBe(before)
    const { notifications } = (await admin.request('GET', '/api/notifications')).json<{ notifications: { text: string }[] }>() // oxfmt-ignore
    expect(notifications.some(({ text }) => text.includes('panel') && text.includes(target.name))).toBe(true)
  })

  test('comes after the projects, and a name server that is unavailable fails it alone', async () => {
    await newTarget()
    const project = await newSite()
    await panel.deps.dnsServer.setZones([{ name: 'a.test', isSigned: true }])
    const dns = panel.deps.dnsServer as MemoryDnsServer
    dns.fail = true
    await admin.request('POST', '/api/backups', {})
    await work()
    dns.fail = false
    expect(await latest()).toMatchObject({ status: 'FAILED' })
    expect(await list(project)).toMatchObject([{ status: 'GOOD' }])
    await panel.deps.dnsServer.setZones([])
  })
})

describe('the schedule', () => {
  const change = (values: Partial<BackupSchedule>) => admin.request('PUT', '/api/backups/schedule', { isEnabled: true, hour: 3, minute: 20, weekdays: [], drills: 'WEEKLY', keepDaily: 7, keepWeekly: 4, keepMonthly: 6, uploadLimitKib: null, windowFromHour: null, windowUntilHour: null, ...values }) // oxfmt-ignore

  test('queues each project once per time, also one that passed while nothing ran', async () => {
    await newTarget()
    const project = await newSite()
    expect((await change({})).statusCode).toBe(200)
    await queueDueBackups(panel.deps)
    expect(await list(project)).toEqual([])
    later = 3 * day
    await queueDueBackups(panel.deps)
    await work()
    await queueDueBackups(panel.deps)
    expect(await list(project)).toMatchObject([{ trigger: 'SCHEDULE', status: 'GOOD' }])
    later = 4 * day
    await queueDueBackups(panel.deps)
    expect(await list(project)).toHaveLength(2)
    // A clock that goes back a day starts nothing and does not stop the schedule.
    later = 3 * day
    await queueDueBackups(panel.deps)
    expect(await list(project)).toHaveLength(2)
  })

  test('of the server starts backups only in its time window, but those that a person started at once', async () => {
    await newTarget()
    const [planned, wanted] = [await newSite(), await newSite()]
    const timeZone = panel.deps.settings.timezone()
    const hour = Number(new Intl.DateTimeFormat('en-GB', { hour: '2-digit', timeZone }).format(new Date()))
    const [windowFromHour, windowUntilHour] = [(hour + 3) % 24, (hour + 5) % 24]
    expect((await change({ windowFromHour, windowUntilHour: windowFromHour })).statusCode).toBe(400)
    expect((await change({ windowFromHour, windowUntilHour })).statusCode).toBe(200)
    later = 10 * day
    await queueDueBackups(panel.deps)
    // Skips those that the schedule has queued.
    await panel.deps.db.delete(backups).where(eq(backups.projectId, wanted))
    await start(wanted)
    await work()
    expect(await list(planned)).toMatchObject([{ status: 'QUEUED' }])
    expect(await list(wanted)).toMatchObject([{ status: 'GOOD' }])
    later += 4 * 3600_000
    await work()
    expect(await list(planned)).toMatchObject([{ status: 'GOOD' }])
    await change({})
  })

  test('of a project adds backups of that project alone', async () => {
    await newTarget()
    const [project, other] = [await newSite(), await newSite()]
    await admin.request('PUT', '/api/backups/schedule', { ...(await admin.request('GET', '/api/backups/schedule')).json<BackupSchedule>(), isEnabled: false }) // oxfmt-ignore
    const settings = { isEnabled: true, hour: 12, minute: 0, weekdays: [], excluded: [] }
    const save = (by: Client) => by.request('PUT', `/api/projects/${project}/backup-settings`, settings)
    expect((await save(await panel.signUp())).statusCode).toBe(403)
    expect((await save(ann)).json()).toEqual(settings)
    await queueDueBackups(panel.deps)
    expect(await list(project)).toEqual([])
    later = 2 * day
    await queueDueBackups(panel.deps)
    await queueDueBackups(panel.deps)
    expect(await list(project)).toMatchObject([{ trigger: 'SCHEDULE', status: 'QUEUED' }])
    expect(await list(other)).toEqual([])
    await change({})
  })

  test('must keep something', async () => {
    expect((await change({ keepDaily: 0, keepWeekly: 0, keepMonthly: 0 })).statusCode).toBe(400)
  })
})

describe('a restore', () => {
  const restore = (projectId: string, backupId: string, body: object) =>
    ann.request('POST', `/api/projects/${projectId}/backups/${backupId}/restore`, body)
  async function restored(projectId: string, backupId: string, body: object): Promise<Restore> {
    const answer = await restore(projectId, backupId, body)
    expect(answer.statusCode).toBe(202)
    await runRestore(panel.deps, 1, answer.json<Restore>().id, signal)
    return (await ann.request('GET', `/api/projects/${projectId}/restores`)).json<{ restores: Restore[] }>()
      .restores[0]!
  }
  const read = (projectId: string, name = 'index.html') => readFile(at(projectId, name), 'utf8')

  test('of all files exchanges them, and can be undone for 7 days', async () => {
    await newTarget()
    const project = await newSite()
    const backup = await backedUp(project)
    await write(project, 'index.html', 'second')
    const done = await restored(project, backup.id, { kind: 'FILES' })
    expect(done).toMatchObject({ status: 'COMPLETED', undoUntil: expect.any(String) })
    expect(await read(project)).toBe('first')
    const undo = () => ann.request('POST', `/api/projects/${project}/restores/${done.id}/undo`)
    expect((await undo()).json()).toMatchObject({ status: 'UNDONE', undoUntil: null })
    expect(await read(project)).toBe('second')
    expect((await undo()).statusCode).toBe(409)

    const again = await restored(project, backup.id, { kind: 'FILES' })
    // Retention may remove the backup meanwhile.
    await panel.deps.db.delete(backups)
    expect((await ann.request('POST', `/api/projects/${project}/restores/${again.id}/undo`)).statusCode).toBe(200)
    expect(await read(project)).toBe('second')
  })

  test('is final after 7 days', async () => {
    await newTarget()
    const project = await newSite()
    const backup = await backedUp(project)
    await write(project, 'index.html', 'second')
    const again = await restored(project, backup.id, { kind: 'FILES' })
    later = 8 * day
    await removeExpired(panel.deps)
    expect((await ann.request('POST', `/api/projects/${project}/restores/${again.id}/undo`)).statusCode).toBe(409)
    expect(await read(project)).toBe('first')
  })

  test('interrupted after the exchange keeps the previous files', async () => {
    await newTarget()
    const project = await newSite()
    const backup = await backedUp(project)
    await write(project, 'index.html', 'second')
    const { id } = (await restore(project, backup.id, { kind: 'FILES' })).json<Restore>()
    const { replaceProject } = panel.deps.hostHelper
    panel.deps.hostHelper.replaceProject = async (...args) => {
      await replaceProject(...args)
      throw new Error('killed')
    }
    await runRestore(panel.deps, 1, id, signal)
    panel.deps.hostHelper.replaceProject = replaceProject
    await runRestore(panel.deps, 1, id, signal)
    expect(await read(project)).toBe('first')
    expect((await ann.request('POST', `/api/projects/${project}/restores/${id}/undo`)).statusCode).toBe(200)
    expect(await read(project)).toBe('second')
  })

  test('onto a disk that is too small changes nothing', async () => {
    await newTarget()
    const project = await newSite()
    const backup = await backedUp(project)
    await write(project, 'index.html', 'second')
    await panel.deps.db
      .update(backups)
      .set({ bytes: 2 ** 50 })
      .where(eq(backups.id, backup.id))
    const { freeDiskBytes } = panel.deps
    panel.deps.freeDiskBytes = async () => 2 ** 40
    const { status, problem } = await restored(project, backup.id, { kind: 'FILES' })
    panel.deps.freeDiskBytes = freeDiskBytes
    expect([status, problem]).toEqual(['FAILED', expect.stringContaining('MiB')])
    expect(await read(project)).toBe('second')
  })

  test('of one file puts it beside', async () => {
    await newTarget()
    const project = await newSite()
    const backup = await backedUp(project)
    await write(project, 'index.html', 'second')
    const { id, status } = await restored(project, backup.id, { kind: 'FILES', path: 'index.html' })
    expect(status).toBe('COMPLETED')
    expect(await read(project)).toBe('second')
    expect(await read(project, `restored-${id.slice(-8).toLowerCase()}/index.html`)).toBe('first')
  })

  test('of a database makes a new one beside it', async () => {
    await newTarget()
    const project = await newSite()
    await ann.request('POST', '/api/databases', { name: 'books', type: 'MYSQL', projectId: project })
    dump.contents.set('books', 'old rows')
    const backup = await backedUp(project)
    dump.contents.set('books', 'new rows')
    const databaseId = backup.databases[0]!.id
    const { status, databaseName } = await restored(project, backup.id, { kind: 'DATABASE', databaseId })
    expect([status, dump.contents.get('books'), dump.contents.get(databaseName!)]).toEqual(['COMPLETED', 'new rows', 'old rows']) // oxfmt-ignore
    dump.before = () => Promise.reject(new AdapterError('database-dump-failed', 'The load failed.'))
    const failed = await restored(project, backup.id, { kind: 'DATABASE', databaseId })
    expect(failed.status).toBe('FAILED')
    const { databases } = (await ann.request('GET', '/api/databases')).json<{ databases: Database[] }>()
    expect(databases.map(({ name }) => name)).not.toContain(failed.databaseName)
  })

  test('waits for another one of the project, and needs a good backup', async () => {
    await newTarget()
    const project = await newSite()
    const backup = await backedUp(project)
    expect((await restore(project, backup.id, { kind: 'FILES' })).statusCode).toBe(202)
    expect((await restore(project, backup.id, { kind: 'FILES' })).json()).toMatchObject({ code: 'CONFLICT' })
    repository.before = () => Promise.reject(new AdapterError('backup-target-unavailable', 'The backup target is unavailable.')) // oxfmt-ignore
    await start(project)
    await work()
    const [failed] = await list(project)
    expect((await restore(project, failed!.id, { kind: 'FILES' })).json()).toMatchObject({ code: 'CONFLICT' })
    expect((await restore(project, backup.id, { kind: 'FILES', path: '../other' })).statusCode).toBe(400)
  })
})

import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AccountRestore, AccountRestoreItem } from '@panel/contract/account-restores'
import type { Backup, NewBackupTarget } from '@panel/contract/backups'
import type { Database } from '@panel/contract/databases'
import { accountRestores } from '../src/db/schema/account-restores.ts'
import { restores } from '../src/db/schema/backups.ts'
import { deployments } from '../src/db/schema/deployments.ts'
import { dkimKeys } from '../src/db/schema/dkim-keys.ts'
import { projectRules } from '../src/db/schema/domain-rules.ts'
import { domains } from '../src/db/schema/domains.ts'
import { dnsZones } from '../src/db/schema/dns-zones.ts'
import { projects } from '../src/db/schema/projects.ts'
import { sftpUsers } from '../src/db/schema/sftp-users.ts'
import { users } from '../src/db/schema/users.ts'
import { wordpressSites } from '../src/db/schema/wordpress-care.ts'
import { runAccountRestore } from '../src/features/account-restores/account-restore.jobs.ts'
import { recoverAccountRestores } from '../src/features/account-restores/account-restores.reconcile.ts'
import { scratchStoreOf } from '../src/features/account-restores/account-snapshot.service.ts'
import { runBackups } from '../src/features/backups/backups.jobs.ts'
import { runRestore } from '../src/features/backups/restore.jobs.ts'
import { reconcileDatabases } from '../src/features/databases/database-recovery.reconcile.ts'
import { uploadRepository, uploadsDirectory } from '../src/features/git/workspace.service.ts'
import { reconcileMail } from '../src/features/mailboxes/mail.reconcile.ts'
import { purgeProject } from '../src/features/projects/purge.jobs.ts'
import { removeStrayUploads } from '../src/features/source-uploads/stray-uploads.reconcile.ts'
import { panelState, projectDirectory, stagingRoot } from '../src/process/paths.ts'
import type { MemoryBackupRepository } from './fakes/memory-backup-repository.ts'
import type { MemoryDatabaseDump } from './fakes/memory-database-dump.ts'
import { addManagedDomain, addVerifiedDomain, dnsServerOf } from './support/domains.ts'
import { mailServerOf, newMailbox } from './support/mail.ts'
import { madeTar } from './fixtures/archive.fixture.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

let panel: TestPanel
let admin: Client
let repository: MemoryBackupRepository
let dump: MemoryDatabaseDump
let count = 0
const { signal } = new AbortController()
beforeAll(async () => {
  panel = await createTestPanel()
  repository = panel.deps.backupRepository as MemoryBackupRepository
  dump = panel.deps.databaseDump as MemoryDatabaseDump
  admin = await panel.signUp('admin')
  const target = { kind: 'FOLDER', name: 'Disk', path: '/mnt/backup' }
  const { id, key } = (await admin.request('POST', '/api/backups/targets', target)).json<NewBackupTarget>()
  await admin.request('POST', `/api/backups/targets/${id}/confirm`, { key })
})
afterAll(async () => {
  const { mail } = panelState(panel.deps.config)
  await panel.close()
  await rm(join(mail, '../..'), { recursive: true, force: true })
})
beforeEach(() => {
  repository.before = async () => {}
  dump.before = async () => {}
})

const at = (projectId: string, path = '') => join(projectDirectory(panel.deps.config, projectId), path)
async function write(owner: Client, id: string, content: string): Promise<void> {
  // The first request creates the directory.
  expect((await owner.request('GET', `/api/files/${id}/list`)).statusCode).toBe(200)
  await mkdir(at(id), { recursive: true })
  await writeFile(at(id, 'index.html'), content)
}
const inMailbox = (address: string) =>
  join(panelState(panel.deps.config).mail, ...address.split('@').reverse(), 'Maildir/new/1')

/** An account with one thing of each kind. */
async function newAccount() {
  const owner = await panel.signUp()
  const n = ++count
  const project = (await owner.createProject({ name: `shop${n}` })).id
  await write(owner, project, 'first')
  await owner.request('POST', `/api/projects/${project}/env`, { key: 'GREETING', value: 'hello' })
  const database = async (name: string, projectId?: string) => {
    const body = { name, type: 'MYSQL', ...(projectId === undefined ? {} : { projectId, autoInjectEnv: true }) }
    const made = (await owner.request('POST', '/api/databases', body)).json<Database>()
    dump.contents.set(name, `rows of ${name}`)
    return made
  }
  const linked = await database(`linked${n}`, project)
  const alone = await database(`alone${n}`)
  const domain = await addManagedDomain(owner, `account${n}.test`)
  await owner.request('PATCH', `/api/domains/${domain.id}`, { projectId: project })
  await owner.request('PUT', `/api/domains/${domain.id}/dnssec`, { enabled: true })
  const mailbox = await newMailbox(owner, domain.id)
  await mkdir(join(inMailbox(mailbox.address), '..'), { recursive: true })
  await writeFile(inMailbox(mailbox.address), 'old')
  mailServerOf(panel).mail.set(mailbox.address, ['old'])
  expect((await owner.request('POST', '/api/sftp/provision')).statusCode).toBe(201)
  return { owner, project, linked, alone, domain, mailbox }
}

async function backUp(): Promise<string> {
  expect((await admin.request('POST', '/api/backups', {})).statusCode).toBe(202)
  await runBackups(panel.deps, { lease: { workerId: 1, findDead: async () => [] }, signal })
  const { backups } = (await admin.request('GET', '/api/backups')).json<{ backups: Backup[] }>()
  const found = backups.find(({ subject }) => subject === 'PANEL')!
  expect([found.status, found.problem]).toEqual(['GOOD', null])
  return found.id
}

const show = async (id: string) => (await admin.request('GET', `/api/backups/account-restores/${id}`)).json<AccountRestore>() // oxfmt-ignore
async function plan(backupId: string, email: string): Promise<AccountRestore> {
  const answer = await admin.request('POST', '/api/backups/account-restores', { backupId, email })
  expect([answer.statusCode, answer.json<AccountRestore>().status]).toEqual([202, 'PLANNING'])
  const { id } = answer.json<AccountRestore>()
  await runAccountRestore(panel.deps, 1, id, signal)
  return show(id)
}
const start = (id: string, skip: string[] = []) =>
  admin.request('POST', `/api/backups/account-restores/${id}/start`, { skip })
const runParts = async (id: string) => {
  // Mailboxes that came back first get the mail that was kept.
  await reconcileMail(panel.deps)
  const parts = await panel.deps.db.select().from(restores).where(eq(restores.accountRestoreId, id))
  for (const part of parts) await runRestore(panel.deps, 1, part.id, signal)
}
const recover = () => recoverAccountRestores(panel.deps, { findDead: async (ids) => [...ids] })
const finish = (id: string) => runAccountRestore(panel.deps, 1, id, signal)
async function restored(id: string, skip: string[] = []): Promise<AccountRestore> {
  expect((await start(id, skip)).json()).toMatchObject({ status: 'STARTING' })
  await runAccountRestore(panel.deps, 1, id, signal)
  await runParts(id)
  await finish(id)
  return show(id)
}
const changes = (items: readonly AccountRestoreItem[]) => items.map(({ kind, change, reason }) => [kind, change, reason]) // oxfmt-ignore
async function remove(owner: Client): Promise<void> {
  const answer = await admin.request('DELETE', `/api/users/${owner.user.id}?projects=delete`)
  expect(answer.statusCode).toBeLessThan(300)
  await reconcileDatabases(panel.deps)
  await reconcileMail(panel.deps)
  const { rows } = await panel.deps.db.$client.query<{ data: { projectId: string } }>(`delete from pgboss.job where name = 'projects.purge' returning data`) // oxfmt-ignore
  for (const { data } of rows) await purgeProject(panel.deps, data.projectId, data)
}

const everything = ['ACCOUNT', 'PROJECT', 'DATABASE', 'DOMAIN', 'MAILBOX', 'SFTP']
/** Without the host names that the panel itself adds to a domain with mail. */
const withoutHosts = (items: readonly AccountRestoreItem[]) =>
  items.filter(({ kind, name }) => kind !== 'DOMAIN' || name === `account${count}.test`)

test('a deleted account comes back with everything that it had', async () => {
  const { owner, project, linked, alone, domain, mailbox } = await newAccount()
  const { email, id } = owner.user
  // As a staging copy of WordPress has them.
  const rule = { id: 'r1', kind: 'MAINTENANCE', enabled: true, match: 'PREFIX', path: '/', note: '' } as const
  await panel.deps.db.insert(projectRules).values({ projectId: project, rules: [rule] })
  await panel.deps.db.insert(wordpressSites).values({ projectId: project, encryptedPassword: 'sealed' })
  const keysBefore = await panel.deps.db.select().from(dkimKeys).where(eq(dkimKeys.userId, id))
  const backup = await backUp()
  const built = await panel.deps.db.$count(deployments)
  for (const value of ['192.0.2.1', '192.0.2.2'])
    await owner.request('POST', `/api/domains/${domain.id}/dns`, { type: 'A', name: 'www', value, ttl: 300 })
  const zoneRow = async () => (await panel.deps.db.select().from(dnsZones).where(eq(dnsZones.domainId, domain.id)))[0]!
  const { serial } = await zoneRow()
  await remove(owner)
  for (const { name } of [linked, alone]) dump.contents.delete(name)
  await rm(at(project), { recursive: true, force: true })

  const planned = await plan(backup, email)
  expect([planned.status, planned.problem, planned.userId]).toEqual(['PLANNED', null, id])
  expect([...new Set(planned.items.map(({ kind }) => kind))]).toEqual(everything)
  expect(planned.items.filter(({ change }) => change !== 'RETURNS')).toEqual([])
  expect((await panel.deps.db.select().from(projects).where(eq(projects.id, project)))[0]!.deletedAt).not.toBe(null)

  const done = await restored(planned.id)
  expect([done.status, done.problem, done.items.flatMap(({ problem }) => problem ?? [])]).toEqual(['COMPLETED', null, []]) // oxfmt-ignore
  const again = await panel.signIn(email)
  expect(await readFile(at(project, 'index.html'), 'utf8')).toBe('first')
  expect(await panel.deps.db.select().from(projectRules)).toMatchObject([{ projectId: project, rules: [rule] }])
  expect(await panel.deps.db.select().from(wordpressSites)).toMatchObject([{ projectId: project, encryptedPassword: 'sealed' }]) // oxfmt-ignore
  const { databases } = (await again.request('GET', '/api/databases')).json<{ databases: Database[] }>()
  expect(databases.map(({ id, name, projectId }) => [id, name, projectId]).sort()).toEqual([[linked.id, linked.name, project], [alone.id, alone.name, null]].sort()) // oxfmt-ignore
  for (const { name } of databases) expect(dump.contents.get(name)).toBe(`rows of ${name}`)
  const variables = (await again.request('GET', `/api/projects/${project}/env`)).body
  for (const key of ['GREETING', 'DB_PASSWORD']) expect(variables).toContain(key)
  expect((await again.request('GET', `/api/domains/${domain.id}`)).json()).toMatchObject({ status: 'ACTIVE', dnsMode: 'MANAGED', projectId: project }) // oxfmt-ignore
  expect(await panel.deps.db.select().from(dkimKeys).where(eq(dkimKeys.userId, id))).toEqual(keysBefore)
  expect([...dnsServerOf(panel).restoredKeys.keys()]).toEqual([domain.hostname])
  const zone = await zoneRow()
  expect(zone.isSigned).toBe(true)
  // Higher than any that secondaries have seen, though the backup has a lower one.
  expect(zone.serial).toBeGreaterThan(serial)
  expect((await again.request('GET', `/api/mailboxes/${mailbox.id}`)).json()).toMatchObject({ address: mailbox.address }) // oxfmt-ignore
  expect(mailServerOf(panel).mail.get(mailbox.address)).toEqual(['old'])
  expect(await panel.deps.db.select().from(sftpUsers).where(eq(sftpUsers.userId, id))).toMatchObject([{ removedAt: null, appliedRevision: 0 }]) // oxfmt-ignore
  expect((await panel.deps.db.select().from(users).where(eq(users.id, id)))[0]).toMatchObject({ projectCount: 1, deletedAt: null }) // oxfmt-ignore
  // It was never deployed.
  expect(await panel.deps.db.$count(deployments)).toBe(built)
  const actions = (await panel.audited({ targetId: id })).map(({ action }) => action)
  for (const step of ['requested', 'started', 'ended']) expect(actions).toContain(`account_restore.${step}`)
})

describe('a site that ran from an uploaded folder', () => {
  async function deleted() {
    const { owner, project } = await newAccount()
    const archive = gzipSync(await madeTar([{ name: './index.html', content: 'hello' }]))
    const path = `/api/projects/${project}/uploads?folder=shop`
    const answer = await owner.request('POST', path, archive, { 'content-type': 'application/gzip' })
    const { id } = answer.json<{ id: string }>()
    const [built] = await panel.deps.db.update(deployments).set({ status: 'RUNNING' }).where(eq(deployments.id, id)).returning() // oxfmt-ignore
    await panel.deps.db.update(projects).set({ liveDeploymentId: id }).where(eq(projects.id, project))
    const repositoryOf = uploadRepository(panel.deps.config, project, built!.upload!.id)
    await writeFile(join(repositoryOf, 'HEAD'), 'a commit')
    const backup = await backUp()
    await remove(owner)
    await rm(uploadsDirectory(panel.deps.config, project), { recursive: true, force: true })
    const planned = await plan(backup, owner.user.email)
    const builds = async () => {
      const rows = await panel.deps.db.select().from(deployments).where(eq(deployments.projectId, project))
      return rows.flatMap(({ id: each, trigger, upload }) => (each === id ? [] : [[trigger, upload?.id]]))
    }
    return { id: planned.id, repositoryOf, uploadId: built!.upload!.id, builds }
  }

  test('is built from it again', async () => {
    const { id, repositoryOf, uploadId, builds } = await deleted()
    expect((await restored(id)).problem).toBe(null)
    expect(await readFile(join(repositoryOf, 'HEAD'), 'utf8')).toBe('a commit')
    expect(await builds()).toEqual([['UPLOAD', uploadId]])
    await removeStrayUploads({ ...panel.deps, now: () => new Date(Date.now() + 86_400_000) })
    expect(await readFile(join(repositoryOf, 'HEAD'), 'utf8')).toBe('a commit')
  })

  test('is not built if the backup does not have the folder, which is said', async () => {
    const { id, builds } = await deleted()
    const { files } = [...repository.snapshots.values()].findLast(({ tags }) => tags.includes('panel'))!
    for (const path of files.keys()) if (path.startsWith('/uploads/')) files.delete(path)
    const name = `shop${count}`
    expect(await restored(id)).toMatchObject({ status: 'FAILED', problem: expect.stringContaining(name) })
    expect(await builds()).toEqual([])
  })
})

describe('an account that exists', () => {
  test('gets back what was deleted, its content is exchanged, and the exchange can be undone', async () => {
    const { owner, project, linked, domain, mailbox } = await newAccount()
    const backup = await backUp()
    await writeFile(at(project, 'index.html'), 'second')
    mailServerOf(panel).mail.set(mailbox.address, ['new'])
    expect((await owner.request('DELETE', `/api/projects/${project}/env/GREETING`)).statusCode).toBeLessThan(300)
    await owner.request('DELETE', `/api/databases/${linked.id}`)
    const added = (await owner.createProject()).id
    const { id, items } = await plan(backup, owner.user.email)
    expect(changes(withoutHosts(items))).toEqual([
      ['ACCOUNT', 'STAYS', null],
      ['PROJECT', 'EXCHANGED', null],
      ['DATABASE', 'BESIDE', null],
      ['DATABASE', 'RETURNS', null],
      ['DOMAIN', 'STAYS', null],
      ['MAILBOX', 'EXCHANGED', null],
      ['SFTP', 'STAYS', null],
      ['VARIABLES', 'RETURNS', null],
      ['PROJECT', 'STAYS', 'NOT_IN_BACKUP']
    ])
    const done = await restored(id)
    expect([done.status, done.problem, done.undoUntil]).toEqual(['COMPLETED', null, expect.any(String)])
    expect(await readFile(at(project, 'index.html'), 'utf8')).toBe('first')
    expect(mailServerOf(panel).mail.get(mailbox.address)).toEqual(['old'])
    expect((await owner.request('GET', `/api/projects/${project}/env`)).body).toContain('GREETING')
    expect((await owner.request('GET', `/api/domains/${domain.id}`)).statusCode).toBe(200)
    expect((await owner.request('GET', `/api/projects/${added}`)).statusCode).toBe(200)
    const names = (await owner.request('GET', '/api/databases')).json<{ databases: Database[] }>().databases.map(({ name }) => name) // oxfmt-ignore
    expect(names).toHaveLength(3)

    const undo = () => admin.request('POST', `/api/backups/account-restores/${id}/undo`)
    expect((await undo()).json()).toMatchObject({ status: 'UNDONE', undoUntil: null })
    expect(await readFile(at(project, 'index.html'), 'utf8')).toBe('second')
    expect(mailServerOf(panel).mail.get(mailbox.address)).toEqual(['new'])
    expect((await undo()).statusCode).toBe(409)
  })

  test('keeps nothing from before once the restore is confirmed', async () => {
    const { owner, project } = await newAccount()
    const backup = await backUp()
    await writeFile(at(project, 'index.html'), 'second')
    const { id } = await restored((await plan(backup, owner.user.email)).id)
    expect((await admin.request('POST', `/api/backups/account-restores/${id}/keep`)).json()).toMatchObject({ undoUntil: null }) // oxfmt-ignore
    expect((await admin.request('POST', `/api/backups/account-restores/${id}/undo`)).statusCode).toBe(409)
    expect(await readFile(at(project, 'index.html'), 'utf8')).toBe('first')
  })
})

test('a name that was taken meanwhile refuses the start, until it is skipped', async () => {
  const { owner, domain, project } = await newAccount()
  const backup = await backUp()
  await remove(owner)
  const eve = await panel.signUp()
  const { hostname } = domain
  await addVerifiedDomain(eve, hostname)
  const { id, items } = await plan(backup, owner.user.email)
  const refused = items.filter(({ change }) => change === 'REFUSED')
  expect(refused.map(({ kind, name, reason }) => [kind, name, reason])).toEqual([['DOMAIN', hostname, 'NAME_TAKEN']])
  expect((await start(id)).json()).toMatchObject({ code: 'CONFLICT', error: expect.stringContaining(hostname) })
  expect((await panel.deps.db.select().from(projects).where(eq(projects.id, project)))[0]!.deletedAt).not.toBe(null)

  const done = await restored(id, [refused[0]!.key])
  expect(done.status).toBe('COMPLETED')
  expect(done.items.find(({ kind }) => kind === 'MAILBOX')).toMatchObject({ change: 'SKIPPED', reason: 'NEEDS_SKIPPED' }) // oxfmt-ignore
  expect(await readFile(at(project, 'index.html'), 'utf8')).toBe('first')
  const holders = await panel.deps.db.select().from(domains).where(eq(domains.hostname, hostname))
  expect(holders.map(({ userId }) => userId)).toEqual([eve.user.id])
})

test('a name that is taken between preview and start changes nothing', async () => {
  const { owner, project } = await newAccount()
  const backup = await backUp()
  await remove(owner)
  const { id } = await plan(backup, owner.user.email)
  await addVerifiedDomain(await panel.signUp(), `account${count}.test`)
  expect((await start(id)).statusCode).toBe(202)
  await runAccountRestore(panel.deps, 1, id, signal)
  expect(await show(id)).toMatchObject({ status: 'FAILED', problem: expect.stringContaining(`account${count}.test`) })
  expect((await panel.deps.db.select().from(projects).where(eq(projects.id, project)))[0]!.deletedAt).not.toBe(null)
})

describe('a worker that dies', () => {
  const dying = async (id: string) => {
    const stop = new AbortController()
    repository.before = () => {
      stop.abort()
      return Promise.reject(new Error('killed'))
    }
    await runAccountRestore(panel.deps, 7, id, stop.signal)
    repository.before = async () => {}
  }

  test('while it reads the backup is replaced by another one', async () => {
    const { owner, project } = await newAccount()
    const backup = await backUp()
    await remove(owner)
    const { id } = (await admin.request('POST', '/api/backups/account-restores', { backupId: backup, email: owner.user.email })).json<AccountRestore>() // oxfmt-ignore
    await dying(id)
    // Never released, as after kill -9.
    await panel.deps.db.update(accountRestores).set({ workerId: 7 }).where(eq(accountRestores.id, id))
    await recover()
    await runAccountRestore(panel.deps, 8, id, signal)
    expect(await show(id)).toMatchObject({ status: 'PLANNED' })
    expect((await start(id)).statusCode).toBe(202)
    await dying(id)
    await runAccountRestore(panel.deps, 9, id, signal)
    await runParts(id)
    await recover()
    await finish(id)
    expect(await show(id)).toMatchObject({ status: 'COMPLETED', problem: null })
    expect(await readFile(at(project, 'index.html'), 'utf8')).toBe('first')
    const scratch = await panel.deps.db.$client.query(`select datname from pg_database where datname like 'panel_restore_%'`) // oxfmt-ignore
    expect(scratch.rows).toEqual([])
  })
})

test('what a killed worker left of the backup is removed', async () => {
  const { owner } = await newAccount()
  const { id } = await plan(await backUp(), owner.user.email)
  const directory = join(stagingRoot(panel.deps.config), `account-restore-${id}`)
  const left = async () => {
    const { rows } = await panel.deps.db.$client.query(`select datname from pg_database where datname like 'panel_restore_%'`) // oxfmt-ignore
    return [rows.length, existsSync(directory)]
  }
  expect(await left()).toEqual([0, false])
  await panel.deps.db.$client.query(`create database ${scratchStoreOf(panel.deps, id)}`)
  await mkdir(directory)
  // Its worker may still be at it.
  await recover()
  expect(await left()).toEqual([1, true])
  await recoverAccountRestores(
    { ...panel.deps, now: () => new Date(Date.now() + 120_000) },
    { findDead: async () => [] }
  )
  expect(await left()).toEqual([0, false])
})

test('a part that fails is named, and the others are restored', async () => {
  const { owner, project, alone } = await newAccount()
  const backup = await backUp()
  await remove(owner)
  const { id } = await plan(backup, owner.user.email)
  await start(id)
  await runAccountRestore(panel.deps, 1, id, signal)
  dump.before = (operation) => (operation === 'load' ? Promise.reject(new Error('no')) : Promise.resolve())
  await runParts(id)
  await finish(id)
  const ended = await show(id)
  expect(ended).toMatchObject({ status: 'FAILED', problem: expect.stringContaining('2 of 4') })
  expect(ended.items.filter(({ status }) => status === 'FAILED').map(({ kind }) => kind)).toEqual(['DATABASE', 'DATABASE']) // oxfmt-ignore
  expect(await readFile(at(project, 'index.html'), 'utf8')).toBe('first')
  expect(dump.contents.get(alone.name)).toBe(`rows of ${alone.name}`)
})

describe('nothing is restored', () => {
  async function brokenBy(change: (files: Map<string, Buffer>) => void): Promise<AccountRestore> {
    const { owner } = await newAccount()
    const backup = await backUp()
    change([...repository.snapshots.values()].findLast(({ tags }) => tags.includes('panel'))!.files)
    return plan(backup, owner.user.email)
  }
  const ofManifest = (change: (manifest: Record<string, unknown>) => object) => (files: Map<string, Buffer>) => {
    const manifest = JSON.parse(files.get('/manifest.json')!.toString()) as Record<string, unknown>
    files.set('/manifest.json', Buffer.from(JSON.stringify(change(manifest))))
  }

  test.each([
    [
      'another installation',
      ofManifest((manifest) => ({ ...manifest, installation: 'other' })),
      'another installation'
    ],
    ['a newer version', ofManifest((manifest) => ({ ...manifest, version: 2 })), 'newer version'],
    ['a damaged store', (files: Map<string, Buffer>) => void files.set('/panel/store/public.users.copy', Buffer.from('')), 'damaged'] // oxfmt-ignore
  ])('from a backup of %s', async (_name, change, problem) => {
    expect(await brokenBy(change)).toMatchObject({ status: 'FAILED', problem: expect.stringContaining(problem), items: [] }) // oxfmt-ignore
  })

  test('of an account that the backup does not have, or of a project’s backup', async () => {
    const backup = await backUp()
    expect(await plan(backup, 'nobody@example.com')).toMatchObject({ status: 'FAILED', problem: expect.stringContaining('nobody@example.com') }) // oxfmt-ignore
    const { owner, project } = await newAccount()
    await backUp()
    const { backups } = (await owner.request('GET', `/api/projects/${project}/backups`)).json<{ backups: Backup[] }>()
    const body = { backupId: backups[0]!.id, email: owner.user.email }
    expect((await admin.request('POST', '/api/backups/account-restores', body)).statusCode).toBe(404)
  })

  test('on a disk that is too small', async () => {
    const { owner, project } = await newAccount()
    await backUp()
    const backup = await backUp()
    await remove(owner)
    const { id } = await plan(backup, owner.user.email)
    await panel.deps.db.execute(`update backups set bytes = 9e15 where project_id = '${project}'`)
    expect((await start(id)).statusCode).toBe(202)
    const { freeDiskBytes } = panel.deps
    panel.deps.freeDiskBytes = async () => 2 ** 40
    await runAccountRestore(panel.deps, 1, id, signal)
    panel.deps.freeDiskBytes = freeDiskBytes
    expect(await show(id)).toMatchObject({ status: 'FAILED', problem: expect.stringContaining('MiB') })
    expect((await panel.deps.db.select().from(projects).where(eq(projects.id, project)))[0]!.deletedAt).not.toBe(null)
  })
})

test('restores of accounts are for administrators, not for holders of canManageBackups', async () => {
  const operator = await panel.signUp()
  await panel.deps.db
    .update(users)
    .set({ permissions: ['canManageBackups'] })
    .where(eq(users.id, operator.user.id))
  expect((await operator.request('GET', '/api/backups/account-restores')).json()).toMatchObject({ code: 'FORBIDDEN_ROLE' }) // oxfmt-ignore
})

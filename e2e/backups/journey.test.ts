import { chmod, mkdir, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Schema, unwrap } from '@panel/client'
import { databaseTypes, type DatabaseType } from '@panel/contract/databases'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask } from '../databases/clients.harness.ts'
import { type BackupServers, startBackupServers } from '../support/backup-servers.ts'
import { at, type Client, type Site } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { sharedWorld, type World } from '../support/shared-world.ts'
import { nodeSite } from '../support/sites.ts'
import { treeOf } from '../support/tree.ts'

type Backup = Schema<'Backup'>

let world: World
let admin: Client
let user: Client
let site: Site
let servers: BackupServers
const databases = new Map<DatabaseType, Schema<'Database'>>()
const targets = new Map<string, Schema<'NewBackupTarget'>>()
beforeAll(async () => {
  world = await sharedWorld()
  servers = await startBackupServers()
  admin = await world.panel.signUp()
  await world.panel.query(`update users set role = 'ADMIN' where id = $1`, [
    (await unwrap(admin.api.GET('/api/auth/me'))).id
  ])
  user = await world.panel.signUp()
  const files = nodeSite('to keep')
  site = await user.createSite(world.git, { ...files, 'server.js': String(files['server.js']).replace(`'/built'`, `'/note'`).replace(`'built.json'`, `'/data/note.txt'`) }) // oxfmt-ignore
  await user.mustRun(site.id)
  for (const type of databaseTypes) {
    const made = await unwrap(user.api.POST('/api/databases', { body: { name: `kept_${type.toLowerCase()}`, type, projectId: site.id } })) // oxfmt-ignore
    await ask(made.hostUri, 'create table goods (name varchar(40))')
    await ask(made.hostUri, "insert into goods values ('tea; -- Dump completed')")
    databases.set(type, made)
  }
})
afterAll(() => servers?.stop())

const directory = () => join(world.projects, 'by-id', site.id)
const latest = async (targetId: string): Promise<Backup | undefined> =>
  (await unwrap(user.api.GET('/api/projects/{id}/backups', at(site.id)))).backups.find((backup) => backup.targetId === targetId) // oxfmt-ignore

async function backUp(targetId: string): Promise<Backup> {
  const before = (await latest(targetId))?.id
  await unwrap(user.api.POST('/api/projects/{id}/backups', { ...at(site.id), body: { targetId } }))
  const done = await until(
    () => latest(targetId),
    (backup) => backup !== undefined && backup.id !== before && ['GOOD', 'FAILED'].includes(backup.status)
  )
  return done!
}

async function restore(backupId: string, body: Schema<'StartRestore'>): Promise<Schema<'Restore'>> {
  const started = await unwrap(
    user.api.POST('/api/projects/{id}/backups/{backupId}/restore', {
      params: { path: { id: site.id, backupId } },
      body
    })
  )
  const list = async () => (await unwrap(user.api.GET('/api/projects/{id}/restores', at(site.id)))).restores
  const ended = await until(list, (restores) =>
    restores.some(({ id, endedAt }) => id === started.id && endedAt !== null)
  )
  return ended.find(({ id }) => id === started.id)!
}

test('targets of each kind are added, and their keys confirmed', async () => {
  for (const target of Object.values(servers.targets)) {
    const made = await unwrap(admin.api.POST('/api/backups/targets', { body: target }))
    const confirmed = await unwrap(admin.api.POST('/api/backups/targets/{id}/confirm', { ...at(made.id), body: { key: made.key } })) // oxfmt-ignore
    expect(confirmed.isKeyConfirmed).toBe(true)
    targets.set(target.kind, made)
  }
  // One target shows that old backups are removed and the repository is checked after a backup; restic needs seconds for it.
  await world.panel.query(`update backup_targets set last_checked_at = now() where kind <> 'FOLDER'`)
})

test('files, links and databases are backed up to each target and read back, and again with only what changed', async () => {
  await mkdir(join(directory(), 'shop/private'), { recursive: true })
  await writeFile(join(directory(), 'note.txt'), 'first')
  await writeFile(join(directory(), 'shop/private/key'), 'secret')
  await chmod(join(directory(), 'shop/private/key'), 0o600)
  await writeFile(join(directory(), 'shop/[a]* name'), 'odd')
  await symlink('/etc/shadow', join(directory(), 'shop/out'))
  await utimes(join(directory(), 'note.txt'), 1_600_000_000, 1_600_000_000)
  for (const [kind, { id }] of targets) {
    const first = await backUp(id)
    expect([kind, first.problem, first.status]).toEqual([kind, null, 'GOOD'])
    expect(first.databases.map(({ type, tables }) => [type, tables])).toEqual(databaseTypes.map((type) => [type, 1]))
    if (kind !== 'FOLDER') continue
    const again = await backUp(id)
    expect([again.problem, again.status]).toEqual([null, 'GOOD'])
    expect(again.bytesAdded!).toBeLessThan(first.bytesAdded! / 2)
    const checked = () => world.panel.query('select last_checked_at from backup_targets where id = $1', [id])
    await until(checked, ([row]) => row!.last_checked_at !== null)
  }
})

test('all files are restored as they were, deployed, and the restore undone', async () => {
  const before = await treeOf(directory())
  const backup = (await latest(targets.get('SFTP')!.id))!
  await writeFile(join(directory(), 'note.txt'), 'second')
  await rm(join(directory(), 'shop'), { recursive: true })
  const restored = await restore(backup.id, { kind: 'FILES', path: '' })
  expect(restored).toMatchObject({ status: 'COMPLETED', problem: null })
  expect(await treeOf(directory())).toEqual(before)
  await until(
    () => world.panel.visit(site.hostname, '/note'),
    ({ body }) => body === 'first'
  )
  await unwrap(user.api.POST('/api/projects/{id}/restores/{restoreId}/undo', { params: { path: { id: site.id, restoreId: restored.id } } })) // oxfmt-ignore
  expect(await readFile(join(directory(), 'note.txt'), 'utf8')).toBe('second')
})

test('a backup is browsed, and a directory with any name restored beside', async () => {
  const backup = (await latest(targets.get('REST')!.id))!
  const { entries } = await unwrap(
    user.api.GET('/api/projects/{id}/backups/{backupId}/files', { params: { path: { id: site.id, backupId: backup.id }, query: { path: 'shop' } } }) // oxfmt-ignore
  )
  expect(entries.map(({ name, type }) => [name, type]).sort()).toEqual([
    ['[a]* name', 'FILE'],
    ['out', 'LINK'],
    ['private', 'DIRECTORY']
  ])
  const { id, status } = await restore(backup.id, { kind: 'FILES', path: 'shop/[a]* name' })
  expect(status).toBe('COMPLETED')
  const beside = join(directory(), `restored-${id.slice(-8).toLowerCase()}`)
  expect([await readdir(beside), await readFile(join(beside, '[a]* name'), 'utf8')]).toEqual([['[a]* name'], 'odd'])
})

test('a database of each engine is restored into a new one, row by row', async () => {
  const backup = (await latest(targets.get('S3')!.id))!
  for (const { id, type } of backup.databases) {
    await ask(databases.get(type)!.hostUri, 'delete from goods')
    const restored = await restore(backup.id, { kind: 'DATABASE', databaseId: id })
    expect([type, restored.problem, restored.status]).toEqual([type, null, 'COMPLETED'])
    const { databases: all } = await unwrap(user.api.GET('/api/databases', { params: { query: { limit: 100 } } }))
    const made = all.find(({ name }) => name === restored.databaseName)!
    const { hostUri } = await unwrap(user.api.POST('/api/databases/{id}/rotate-password', at(made.id)))
    expect(await ask(hostUri, 'select name from goods')).toBe('tea; -- Dump completed')
  }
})

test('a backup to an unavailable target fails, and secrets are not in the log', async () => {
  await servers.stopRest()
  const failed = await backUp(targets.get('REST')!.id)
  expect(failed).toMatchObject({ status: 'FAILED', problem: expect.stringContaining('unavailable') })
  const secrets = [...targets.values()].map(({ key }) => key).concat('rest password')
  expect(secrets.filter((secret) => world.panel.output().includes(secret) || failed.problem!.includes(secret))).toEqual([]) // oxfmt-ignore
})

import { access, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { eq } from 'drizzle-orm'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Backup, NewBackupTarget } from '@panel/contract/backups'
import { deployments } from '../src/db/schema/deployments.ts'
import { sourceUploads } from '../src/db/schema/source-uploads.ts'
import { uploadRepository } from '../src/features/git/workspace.service.ts'
import { startEmbeddedPostgres } from '../src/db/embedded-postgres.ts'
import { openDatabase } from '../src/db/database.ts'
import { runBackups } from '../src/features/backups/backups.jobs.ts'
import { PanelManifest } from '../src/features/backups/panel-manifest.ts'
import { run } from '../src/infra/process/run.ts'
import { panelState, programState, projectDirectory } from '../src/process/paths.ts'
import { type RestoreOptions, restorePanel } from '../src/restore/restore-panel.ts'
import { refuseUnfinishedRestore } from '../src/restore/swap.ts'
import { madeTar } from './fixtures/archive.fixture.ts'
import type { MemoryBackupRepository } from './fakes/memory-backup-repository.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

let panel: TestPanel
let admin: Client
let repository: MemoryBackupRepository
let project: string
let dataDirectory: string
let uploadId: string
const { signal } = new AbortController()

async function uploadFolder() {
  const archive = gzipSync(await madeTar([{ name: './index.html', content: 'hello' }]))
  const headers = { 'content-type': 'application/gzip' }
  const answer = await admin.request('POST', `/api/projects/${project}/uploads?folder=shop`, archive, headers)
  const { id } = answer.json<{ id: string }>()
  const [row] = await panel.deps.db.select().from(deployments).where(eq(deployments.id, id))
  await writeFile(join(uploadRepository(panel.deps.config, project, row!.upload!.id), 'HEAD'), 'a commit')
  return row!
}

beforeAll(async () => {
  panel = await createTestPanel()
  repository = panel.deps.backupRepository as MemoryBackupRepository
  admin = await panel.signUp('admin')
  project = (await admin.createProject({ name: 'shop' })).id
  await admin.request('GET', `/api/files/${project}/list`)
  await mkdir(projectDirectory(panel.deps.config, project), { recursive: true })
  await writeFile(join(projectDirectory(panel.deps.config, project), 'index.html'), 'a page')
  const { mail, deployKeys } = panelState(panel.deps.config)
  await mkdir(join(mail, 'shop.example/ann/Maildir/new'), { recursive: true })
  await writeFile(join(mail, 'shop.example/ann/Maildir/new/1'), 'a message')
  await mkdir(join(deployKeys, project), { recursive: true })
  await writeFile(join(deployKeys, project, 'key'), 'a deploy key')
  const { upload } = await uploadFolder()
  uploadId = upload!.id
  // Of a folder that is being removed, and of one that no deployment came of.
  for (const [id, isRemoved] of [
    ['removed', true],
    ['stray', false]
  ] as const) {
    await panel.deps.db.insert(sourceUploads).values({ id, projectId: project, isRemoved })
    await mkdir(uploadRepository(panel.deps.config, project, id), { recursive: true })
  }
  const target = { kind: 'FOLDER', name: 'Disk', path: '/mnt/backup' }
  const { id, key } = (await admin.request('POST', '/api/backups/targets', target)).json<NewBackupTarget>()
  await admin.request('POST', `/api/backups/targets/${id}/confirm`, { key })
  expect((await admin.request('POST', '/api/backups', {})).json()).toEqual({ queued: 2 })
  await runBackups(panel.deps, { lease: { workerId: 1, findDead: async () => [] }, signal })
  const { backups } = (await admin.request('GET', '/api/backups')).json<{ backups: Backup[] }>()
  expect(backups.map(({ status }) => status)).toEqual(['GOOD', 'GOOD'])
})
afterAll(async () => {
  await rm(programState(panel.deps.config), { recursive: true, force: true })
  await panel.close()
})
beforeEach(async () => {
  dataDirectory = join(await mkdtemp(join(tmpdir(), 'panel-restore-')), 'data')
  repository.before = async () => {}
})
afterEach(async () => {
  await rm(join(dataDirectory, '..'), { recursive: true, force: true })
  await rm(programState({ DATA_DIR: dataDirectory }), { recursive: true, force: true })
})

const restore = (more: Partial<RestoreOptions> = {}) =>
  restorePanel({
    dataDirectory,
    env: {},
    logger: pino({ level: 'silent' }),
    backups: repository,
    repository: { id: 'restore', place: { kind: 'FOLDER', path: '/mnt/backup' }, key: 'key' },
    snapshot: undefined,
    mayReplace: false,
    install: async () => {},
    confirm: async () => {},
    step() {},
    signal,
    ...more
  })
const placed = (name: string) => readFile(join(dataDirectory, name), 'utf8')

async function storeOf(): Promise<{ names: unknown[]; restoredAt: unknown[] }> {
  const store = await startEmbeddedPostgres(join(dataDirectory, 'postgres'), { run, onRestart() {}, onFailure() {} })
  const db = openDatabase(store.url, () => {})
  try {
    const { rows } = await db.$client.query('select name from users union all select name from projects order by 1')
    const { rows: settings } = await db.$client.query(`select value from settings where key = 'panel_restored_at'`)
    return { names: rows.map(({ name }) => name as unknown), restoredAt: settings }
  } finally {
    await db.$client.end()
    await store.stop()
  }
}

describe('a whole panel', () => {
  test('is restored with store, keys, mail and projects, also after runs that ended in between', async () => {
    let calls = 0
    repository.before = async (operation) => {
      if (operation === 'restore' && ++calls === 4) throw new Error('killed')
    }
    await expect(restore()).rejects.toThrow('killed')
    await refuseUnfinishedRestore(dataDirectory)
    await expect(access(join(dataDirectory, 'panel.env'))).rejects.toThrow('ENOENT')

    repository.before = async () => {}
    expect(await restore()).toEqual([])
    await refuseUnfinishedRestore(dataDirectory)
    expect(await placed('panel.env')).toContain(panel.deps.config.ENCRYPTION_KEY)
    const config = { ...panel.deps.config, DATA_DIR: dataDirectory, PROJECTS_DIR: join(dataDirectory, 'workspaces/projects'), SSH_KEYS_DIR: join(dataDirectory, 'workspaces/keys') } // oxfmt-ignore
    const state = panelState(config)
    expect(await readFile(join(state.mail, 'shop.example/ann/Maildir/new/1'), 'utf8')).toBe('a message')
    expect(await readFile(join(state.deployKeys, project, 'key'), 'utf8')).toBe('a deploy key')
    expect(await readFile(join(projectDirectory(config, project), 'index.html'), 'utf8')).toBe('a page')
    expect(await readFile(join(uploadRepository(config, project, uploadId), 'HEAD'), 'utf8')).toBe('a commit')
    expect(await readdir(join(uploadRepository(config, project, uploadId), '../..'))).toEqual([uploadId])
    expect(await storeOf()).toEqual({ names: ['admin', 'shop'], restoredAt: [expect.anything()] })

    // One that is there is not replaced by mistake, and kept if it is.
    await expect(restore()).rejects.toThrow('already has a panel')
    await writeFile(join(dataDirectory, 'panel.env'), 'the previous one')
    expect(await restore({ mayReplace: true })).toEqual([])
    expect(await placed('before-restore/panel.env')).toBe('the previous one')
    expect(await placed('panel.env')).toContain(panel.deps.config.ENCRYPTION_KEY)
  })

  test('a project without a backup is named, and the others are restored', async () => {
    const [id, snapshot] = [...repository.snapshots].find(([, { tags }]) => tags.includes(`project:${project}`))!
    repository.snapshots.delete(id)
    expect(await restore()).toEqual([expect.stringContaining('shop')])
    repository.snapshots.set(id, snapshot)
  })
})

describe('nothing is restored', () => {
  const panelFiles = () => [...repository.snapshots.values()].find(({ tags }) => tags.includes('panel'))!.files
  async function withFile(path: string, content: string, work: () => Promise<void>) {
    const before = panelFiles().get(path)!
    panelFiles().set(path, Buffer.from(content))
    await work()
    panelFiles().set(path, before)
  }
  const manifest = () => PanelManifest.parse(JSON.parse(panelFiles().get('/manifest.json')!.toString()))

  test('of a newer version', async () => {
    const { store, ...rest } = manifest()
    const newer = JSON.stringify({ ...rest, store: { ...store, migrations: [...store.migrations, 'newer'] } })
    await withFile('/manifest.json', newer, () => expect(restore()).rejects.toThrow('newer version'))
    await withFile('/manifest.json', '{"version":2}', () => expect(restore()).rejects.toThrow('newer version'))
  })

  test('of a damaged backup', () =>
    withFile('/panel/store/public.users.copy', '', () => expect(restore()).rejects.toThrow('damaged')))

  test('that the person does not want, and on a disk that is too small', async () => {
    await expect(restore({ confirm: () => Promise.reject(new Error('no, thanks')) })).rejects.toThrow('no, thanks')
    const huge = { ...repository, restoreSize: async () => Number.MAX_SAFE_INTEGER / 4 }
    await expect(restore({ backups: huge })).rejects.toThrow('Not enough disk space')
    await expect(access(join(dataDirectory, 'panel.env'))).rejects.toThrow('ENOENT')
  })
})

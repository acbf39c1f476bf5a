import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Repository, SaveOptions } from '../../packages/server/src/infra/backup-repository/backup-repository.ts'
import { createRestic } from '../../packages/server/src/infra/backup-repository/restic.ts'
import { run } from '../../packages/server/src/infra/process/run.ts'
import { until } from '../support/poll.ts'

const execute = promisify(execFile)
const { signal } = new AbortController()
let directory: string
let count = 0
let site: string
let repository: Repository
const at = (...names: string[]) => join(directory, ...names)
const restic = () => createRestic({ run, directory: at('cache') })

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'panel-restic-'))
  await mkdir(at('st[a]ge'))
  // The path of DATA_DIR may have special characters and lead through a symbolic link.
  await symlink(at('st[a]ge'), at('stage'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))
beforeEach(async () => {
  count++
  site = at(`site ${count}`)
  await write({ 'index.html': 'a page' })
  repository = { id: String(count), place: { kind: 'FOLDER', path: at(`target-${count}`) }, key: `key ${count}` }
  await restic().create(repository)
})

async function write(files: Record<string, string | Buffer>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(site, path)), { recursive: true })
    await writeFile(join(site, path), content)
  }
}

async function save(excluded: string[] = [], more: Partial<SaveOptions> = {}) {
  await mkdir(at('stage', 'files'), { recursive: true })
  await writeFile(at('stage', 'cache'), 'not part of the project')
  const roots = [{ name: 'files', directory: site, excluded }]
  return restic().save(repository, { stage: at('stage'), roots, tags: ['project:1'], signal, onProgress() {}, ...more })
}

async function restored(snapshotId: string): Promise<string[]> {
  const into = at(`restored-${count}`)
  await restic().restore(repository, snapshotId, { path: '', directory: into, signal })
  const found = await readdir(into, { recursive: true, withFileTypes: true })
  return found.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name).slice(into.length)) // oxfmt-ignore
}

test('patterns leave out what they name in the project, and nothing else', async () => {
  const kept = ['index.html', 'cache/deep/x', 'src/cache/x', '$HOME', '[ab]', '!x', '-x', 'log.txt', 'one/file', 'a']
  const gone = [
    'node_modules/a/b',
    'src/node_modules/a',
    'cache/x',
    'a.log',
    'src/deep/b.log',
    '[a]',
    '#x',
    'two/sub/file'
  ]
  await write(Object.fromEntries([...kept, ...gone].map((path) => [path, path])))
  const { snapshotId, files } = await save(['node_modules', '/cache/x', '*.log', '#x', '/two/**/file', '[a]'])
  const expected = [...kept.map((path) => `/files/${path}`), '/cache'].sort()
  expect((await restored(snapshotId)).sort()).toEqual(expected)
  expect(files).toBe(expected.length)
  expect((await restic().count(repository, snapshotId, signal)).files).toBe(files)
})

test('a symbolic link is saved and restored as a link, and what it points to is not', async () => {
  await symlink('/etc', join(site, 'out'))
  const { snapshotId, files } = await save()
  expect(files).toBe(2)
  expect((await restored(snapshotId)).sort()).toEqual(['/cache', '/files/index.html', '/files/out'])
})

test('a wrong key, a removed target and one that is full are reported, and leave no snapshot', async () => {
  await save()
  const wrong = { ...repository, key: 'another key' }
  await expect(restic().listSnapshots(wrong, signal)).rejects.toMatchObject({ kind: 'backup-target-unavailable', reason: expect.stringContaining('wrong password') }) // oxfmt-ignore
  const removed = { ...repository, place: { kind: 'FOLDER' as const, path: at('gone') } }
  await expect(restic().listSnapshots(removed, signal)).rejects.toMatchObject({ kind: 'backup-target-unavailable' })

  const small = at('small')
  await mkdir(small)
  await execute('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', small])
  try {
    repository = { ...repository, id: 'small', place: { kind: 'FOLDER', path: join(small, 'panel') } }
    await restic().create(repository)
    await write({ large: randomBytes(8 * 1024 * 1024) })
    await expect(save()).rejects.toMatchObject({ kind: 'backup-target-unavailable', reason: expect.stringMatching(/no space left/) }) // oxfmt-ignore
    await execute('mount', ['-o', 'remount,size=64m', small])
    expect(await restic().listSnapshots(repository, signal)).toEqual([])
    expect((await save()).files).toBe(3)
  } finally {
    await execute('umount', [small])
  }
})

test('the lock of a killed restic stops neither backups nor the removal of old ones', async () => {
  const { path } = repository.place as { path: string }
  await write({ large: randomBytes(64 * 1024 * 1024) })
  const env = { PATH: process.env.PATH!, RESTIC_PASSWORD: repository.key, RESTIC_REPOSITORY: path, RESTIC_CACHE_DIR: at('cache/cache') } // oxfmt-ignore
  const killed = spawn('restic', ['backup', '--limit-upload', '256', site], { env, stdio: 'ignore' })
  const ended = new Promise((resolve) => killed.once('exit', resolve))
  await until(() => readdir(join(path, 'locks')), (locks) => locks.length > 0) // oxfmt-ignore
  killed.kill('SIGKILL')
  await ended
  await rm(join(site, 'large'))
  expect(await readdir(join(path, 'locks'))).toHaveLength(1)
  const { snapshotId } = await save()
  await restic().retain(repository, { keepDaily: 1, keepWeekly: 0, keepMonthly: 0 }, signal)
  await restic().maintain(repository, '1/1', signal)
  expect(await readdir(join(path, 'locks'))).toEqual([])
  expect((await restic().listSnapshots(repository, signal)).map(({ id }) => id.slice(0, 8))).toEqual([snapshotId.slice(0, 8)]) // oxfmt-ignore
  expect(await restored(snapshotId)).toContain('/files/index.html')
  expect(await readFile(at(`restored-${count}`, 'files/index.html'), 'utf8')).toBe('a page')
})

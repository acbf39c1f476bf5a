import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Deployment } from '@panel/contract/deployments'
import type { Project } from '@panel/contract/projects'
import { deployments } from '../src/db/schema/deployments.ts'
import { fileSnapshots } from '../src/db/schema/file-snapshots.ts'
import { projects } from '../src/db/schema/projects.ts'
import { users } from '../src/db/schema/users.ts'
import { runQueue } from '../src/features/deployments/deployment-runner.jobs.ts'
import { settlePlacements } from '../src/features/snapshots/placement.service.ts'
import { removeStraySnapshots } from '../src/features/snapshots/snapshot-removal.service.ts'
import { BuildError, type BuildTask, type ImageBuilder } from '../src/infra/image-builder/image-builder.ts'
import { madeTar, madeZip } from './fixtures/archive.fixture.ts'
import { createMemoryEngine, type MemoryContainerEngine } from './fakes/memory-container-engine.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

let engine: MemoryContainerEngine
let panel: TestPanel
let ann: Client
let id: string
let built: BuildTask[]
let aheadMs = 0
beforeAll(async () => {
  engine = createMemoryEngine()
  const builder: ImageBuilder = {
    build: async (task) => {
      built.push(task)
      await engine.pullImage(task.tag, () => {})
      return { imageId: task.tag, port: 8080, readOnlyRoot: true, filesAt: '/srv', servesFiles: true, description: 'x' }
    },
    detect: () => Promise.reject(new Error('not called'))
  }
  panel = await createTestPanel({}, { builder, engine, now: () => new Date(Date.now() + aheadMs) })
  ann = await panel.signUp('ann')
})
afterAll(() => panel.close())
beforeEach(async () => {
  built = []
  aheadMs = 0
  engine.afterStart = () => {}
  id = (await ann.createProject({ type: 'STATIC', source: 'FILES' })).id
})

const worker = {
  lease: { workerId: 1 },
  signal: new AbortController().signal,
  buildNetworks: { acquire: async () => ({ name: 'n', release: async () => {} }) }
}
const work = async () => {
  await runQueue(panel.deps, worker, 'build')
  await runQueue(panel.deps, worker, 'image')
}
const folder = (...names: string[]) => join(panel.deps.config.PROJECTS_DIR, 'by-id', id, ...names)
const put = async (path: string, content: string) => {
  await mkdir(join(folder(path), '..'), { recursive: true })
  await writeFile(folder(path), content)
}
const page = () => readFile(folder('index.html'), 'utf8')
const get = async (deployment: Pick<Deployment, 'id'>) =>
  (await ann.request('GET', `/api/projects/${id}/deployments/${deployment.id}`)).json<Deployment>()
const list = async () =>
  (await ann.request('GET', `/api/projects/${id}/deployments?logs=false`)).json<{ deployments: Deployment[] }>()
    .deployments
async function snapshot(): Promise<Deployment> {
  const { id: deployment } = (await ann.request('POST', `/api/projects/${id}/build`)).json<Deployment>()
  await work()
  return get({ id: deployment })
}
const upload = (archive: Buffer, type = 'application/zip', by = ann) =>
  by.request('POST', `/api/projects/${id}/uploads?folder=site.zip`, archive, { 'content-type': type })
const zip = (files: Record<string, string>) =>
  madeZip(Object.entries(files).map(([name, content]) => ({ name, content })))
const rollBack = async (to: Pick<Deployment, 'id'>) => {
  const answer = await ann.request('POST', `/api/projects/${id}/deployments/${to.id}/rollback`)
  expect(answer.statusCode).toBe(202)
  await work()
  return get(answer.json())
}
const live = async () => (await ann.request('GET', `/api/projects/${id}`)).json<Project>()
const kept = async () => {
  const [row] = await panel.deps.db.select().from(users).where(eq(users.id, ann.user.id))
  return readdir(join(panel.deps.config.PROJECTS_DIR, 'snapshots', String(row!.uid), id)).catch(() => [])
}

describe('the source', () => {
  test('is FILES only for STATIC', async () => {
    const answer = await ann.request('POST', '/api/projects', { name: 'an-app', type: 'NODEJS', source: 'FILES' })
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'INVALID_TARGET'])
    const { id: app } = await ann.createProject()
    expect((await ann.request('PUT', `/api/projects/${app}`, { source: 'FILES' })).statusCode).toBe(400)
  })

  test('changes without touching anything else, and is audited', async () => {
    const gitUrl = 'https://github.com/owner/repository'
    await ann.request('PUT', `/api/projects/${id}`, { gitUrl })
    await put('index.html', 'mine')
    const git = (await ann.request('PUT', `/api/projects/${id}`, { source: 'GIT' })).json<Project>()
    expect(git).toMatchObject({ source: 'GIT', gitUrl })
    expect((await ann.request('POST', `/api/projects/${id}/build`)).json()).toMatchObject({ trigger: 'MANUAL' })
    const files = (await ann.request('PUT', `/api/projects/${id}`, { source: 'FILES' })).json<Project>()
    expect(files).toMatchObject({ source: 'FILES', gitUrl })
    expect(await page()).toBe('mine')
    const entries = await panel.audited({ action: 'project.updated', targetId: id })
    expect(entries.at(-1)).toMatchObject({ metadata: { source: { before: 'GIT', after: 'FILES' } } })
  })

  test('of a project in a list, and of one without it', async () => {
    const { projects: found } = (await ann.request('GET', '/api/projects?limit=1')).json()
    expect(found).toMatchObject([{ id, source: 'FILES' }])
    expect(await ann.createProject()).toMatchObject({ source: 'GIT' })
  })
})

describe('a snapshot', () => {
  test('serves the folder read-only, with the rules in it', async () => {
    await put('index.html', 'one')
    await put('_redirects', '/a /b')
    expect(await snapshot()).toMatchObject({
      status: 'RUNNING',
      trigger: 'SNAPSHOT',
      active: true,
      canRollback: true,
      snapshot: { archive: null, files: 2, bytes: 8 }
    })
    expect(built.at(-1)!.source).toMatchObject({ siteFiles: { redirects: '/a /b', headers: undefined } })
    expect(built.at(-1)!.source.repository).toBeUndefined()
    const { containerId } = await live()
    expect(engine.containers.get(containerId!)!.spec.binds).toEqual([
      { source: folder(), target: '/srv', readOnly: true }
    ])
  })

  test('says if there is no index.html', async () => {
    expect((await snapshot()).buildLogs).toContain('no index.html')
  })

  test('is rolled back to; what was there since is saved first', async () => {
    await put('index.html', 'one')
    const first = await snapshot()
    await put('index.html', 'two')
    await put('new.html', 'new')
    expect(await rollBack(first)).toMatchObject({ status: 'RUNNING', active: true, snapshot: { files: 1 } })
    expect([await page(), await readdir(folder())]).toEqual(['one', ['index.html']])
    const [back, saved, ...more] = await list()
    expect([back!.trigger, saved!.trigger, more.length]).toEqual(['ROLLBACK', 'SNAPSHOT', 1])
    expect(saved).toMatchObject({ status: 'RUNNING', active: false, canRollback: true, snapshot: { files: 2 } })
    await rollBack(saved!)
    expect([await page(), await readdir(folder())]).toEqual(['two', ['index.html', 'new.html']])
  })

  test('of a redeployment there is none', async () => {
    await put('index.html', 'one')
    await snapshot()
    await put('index.html', 'two')
    const deployed = ann.request('POST', `/api/projects/${id}/deploy`)
    await expect.poll(async () => (await list()).length).toBe(2)
    await work()
    expect((await deployed).statusCode).toBe(200)
    expect((await list())[0]).toMatchObject({ trigger: 'DEPLOY', active: true, canRollback: false, snapshot: null })
    expect(await page()).toBe('two')
  })

  test('that does not fit into the disk limit fails, and the site stays', async () => {
    await put('index.html', 'one')
    const first = await snapshot()
    await panel.deps.db.update(users).set({ maxDiskMb: 1 }).where(eq(users.id, ann.user.id))
    await put('big.bin', 'x'.repeat(2 ** 20 + 1))
    const failed = await snapshot()
    await panel.deps.db.update(users).set({ maxDiskMb: null }).where(eq(users.id, ann.user.id))
    expect(failed).toMatchObject({ status: 'FAILED', failure: { phase: 'SOURCE' } })
    expect(failed.failure!.reason).toMatch(/disk limit/)
    expect((await get(first)).active).toBe(true)
  })
})

describe('an archive', () => {
  test('becomes the site, without a folder around everything', async () => {
    const answer = await upload(zip({ 'shop/index.html': 'zip', 'shop/a/b.css': 'css', '__MACOSX/x': 'x' }))
    expect([answer.statusCode, answer.json()]).toMatchObject([
      202,
      { trigger: 'UPLOAD', upload: null, snapshot: { archive: 'site.zip', files: 3, bytes: 7 } }
    ])
    await work()
    expect(await get(answer.json())).toMatchObject({ status: 'RUNNING', active: true })
    expect([await page(), (await readdir(folder())).sort()]).toEqual(['zip', ['a', 'index.html']])
    // Nothing was there to save.
    expect(await list()).toHaveLength(1)
    const entries = await panel.audited({ action: 'deployment.upload_requested', targetId: id })
    expect(entries).toMatchObject([{ metadata: { folder: 'site.zip', files: 3 } }])
  })

  test('may be a gzipped tar, and replaces what was there, which is saved', async () => {
    await put('index.html', 'by hand')
    const tar = gzipSync(await madeTar([{ name: './index.html', content: 'tar' }]))
    const answer = await upload(tar, 'application/gzip')
    await work()
    expect([answer.statusCode, await page()]).toEqual([202, 'tar'])
    const [, saved] = await list()
    expect(saved).toMatchObject({ trigger: 'SNAPSHOT', canRollback: true })
    await rollBack(saved!)
    expect(await page()).toBe('by hand')
  })

  test.each<[string, () => Buffer | Promise<Buffer>, number]>([
    ['a path that leads out', () => zip({ '../x': 'x' }), 422],
    ['an absolute path', () => zip({ '/etc/x': 'x' }), 422],
    ['a link', () => madeZip([{ name: 'x', content: '/etc/passwd', mode: 0o120777 }]), 422],
    ['a link in a tar', async () => gzipSync(await madeTar([{ name: 'x', type: 'symlink', linkname: '/etc' }])), 422],
    ['no files', () => zip({}), 422],
    ['no archive', () => Buffer.from('nothing'), 422]
  ])('with %s is refused, and leaves nothing', async (_, archive, status) => {
    await put('index.html', 'one')
    const answer = await upload(await archive())
    expect([answer.statusCode, answer.json().code]).toEqual([status, 'ARCHIVE_INVALID'])
    expect([await page(), await kept(), await list()]).toEqual(['one', [], []])
    expect(await panel.deps.db.$count(fileSnapshots, eq(fileSnapshots.projectId, id))).toBe(0)
  })

  test('that does not fit is refused in words', async () => {
    await put('index.html', 'one')
    await panel.deps.db.update(users).set({ maxDiskMb: 1 }).where(eq(users.id, ann.user.id))
    const files = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`${at}`, `${Math.random()}`.repeat(4000)]))
    const answer = await upload(zip(files))
    await panel.deps.db.update(users).set({ maxDiskMb: null }).where(eq(users.id, ann.user.id))
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'QUOTA_EXCEEDED'])
    expect(answer.json().error).toMatch(/disk limit leaves.*The site is unchanged/)
    expect([await page(), await kept()]).toEqual(['one', []])
  })

  test('of another account is refused', async () => {
    const bob = await panel.signUp('bob')
    expect((await upload(zip({ 'index.html': 'x' }), 'application/zip', bob)).statusCode).toBe(403)
  })

  test('that does not go live leaves the files as they were', async () => {
    await put('index.html', 'one')
    const first = await snapshot()
    engine.afterStart = ({ state }) => void Object.assign(state, { running: false, status: 'exited', exitCode: 1 })
    const answer = await upload(zip({ 'index.html': 'zip' }))
    await work()
    engine.afterStart = () => {}
    expect(await get(answer.json())).toMatchObject({ status: 'FAILED', failure: { phase: 'START' } })
    expect([await page(), (await get(first)).active]).toEqual(['one', true])
    // Repeated from its snapshot.
    const again = await ann.request('POST', `/api/projects/${id}/build`, { retryOf: answer.json<Deployment>().id })
    expect(again.json()).toMatchObject({ trigger: 'UPLOAD', snapshot: { archive: 'site.zip' } })
    await work()
    expect(await page()).toBe('zip')
  })

  test('does not replace files that could not be saved', async () => {
    await put('index.html', 'one')
    const answer = await upload(zip({ 'index.html': 'zip' }))
    const [, saved] = await list()
    await ann.request('POST', `/api/projects/${id}/deployments/${saved!.id}/cancel`)
    await work()
    expect(await get(answer.json())).toMatchObject({
      status: 'FAILED',
      failure: { sentences: [{ code: 'FILES_NOT_SAVED' }] }
    })
    expect(await page()).toBe('one')
  })
})

test('a deployment that was killed after the exchange gets the previous files back, at any point', async () => {
  await put('index.html', 'one')
  await snapshot()
  engine.afterStart = () => {
    throw new BuildError('killed')
  }
  const { hostHelper } = panel.deps
  const replaced: string[][] = []
  const { replaceProject } = hostHelper
  let calls = 0
  hostHelper.replaceProject = async (uid, project, staged, previous) => {
    replaced.push([staged, previous])
    if (++calls === 2) throw new Error('killed while it is undone')
    await replaceProject(uid, project, staged, previous)
  }
  const answer = await upload(zip({ 'index.html': 'zip' }))
  await work()
  hostHelper.replaceProject = replaceProject
  engine.afterStart = () => {}
  expect([(await get(answer.json())).status, await page()]).toEqual(['FAILED', 'zip'])
  await settlePlacements(panel.deps, id)
  expect([await page(), replaced.length]).toEqual(['one', 2])
  expect(await settlePlacements(panel.deps, id)).toBe(false)
  expect(await page()).toBe('one')
})

test('previous files are removed a minute after a deployment', async () => {
  await put('index.html', 'one')
  const { id: deployment } = (await upload(zip({ 'index.html': 'zip' }))).json<Deployment>()
  await work()
  const staged = async () =>
    (await readdir(join(panel.deps.config.PROJECTS_DIR, 'staging'))).filter((name) => name.includes(deployment))
  expect([await settlePlacements(panel.deps), (await staged()).length]).toEqual([true, 1])
  aheadMs = 120_000
  expect([await settlePlacements(panel.deps), await staged()]).toEqual([false, []])
})

test('snapshots go with their images, and with the project', async () => {
  await put('index.html', 'one')
  const first = await snapshot()
  const second = await snapshot()
  expect(await kept()).toEqual([first.id, second.id])
  await removeStraySnapshots(panel.deps)
  expect(await kept()).toHaveLength(2)
  await panel.deps.db.update(deployments).set({ image: null, imageSpec: null }).where(eq(deployments.id, first.id))
  await removeStraySnapshots(panel.deps)
  expect(await kept()).toEqual([second.id])
  expect((await ann.request('POST', `/api/projects/${id}/deployments/${first.id}/rollback`)).json().code).toBe(
    'IMAGE_NOT_KEPT'
  )
  await panel.deps.db
    .update(projects)
    .set({ status: 'DELETED', deletedAt: sql`now()` })
    .where(eq(projects.id, id))
  await removeStraySnapshots(panel.deps)
  expect(await kept()).toEqual([])
  await rm(folder(), { recursive: true, force: true })
})

test('a push to the repository of a site that is served from its files is ignored', async () => {
  const gitUrl = 'https://github.com/owner/repository'
  const { id: other } = await ann.createProject({ type: 'STATIC', source: 'FILES', gitUrl })
  const hook = await ann.request('POST', `/api/projects/${other}/git/deploy-hook`)
  const { url } = hook.json<{ url: string }>()
  const answer = await ann.request('POST', url.replace(/^https?:\/\/[^/]+/, ''))
  expect(answer.json().code).toBe('GIT_NOT_CONNECTED')
})

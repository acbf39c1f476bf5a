import { readdir } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import type { Deployment } from '@panel/contract/deployments'
import type { Project } from '@panel/contract/projects'
import { fileSnapshots } from '../src/db/schema/file-snapshots.ts'
import { users } from '../src/db/schema/users.ts'
import { madeTar, madeZip } from './fixtures/archive.fixture.ts'
import {
  folder,
  get,
  kept,
  list,
  live,
  page,
  put,
  rollBack,
  snapshot,
  upload,
  useFilesSites,
  work,
  world,
  zip
} from './support/files-site.ts'

useFilesSites()

describe('the source', () => {
  test('is FILES only for STATIC and PHP', async () => {
    expect(await world.ann.createProject({ type: 'PHP', source: 'FILES' })).toMatchObject({ source: 'FILES' })
    const answer = await world.ann.request('POST', '/api/projects', { name: 'an-app', type: 'NODEJS', source: 'FILES' })
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'INVALID_TARGET'])
    const { id: app } = await world.ann.createProject()
    expect((await world.ann.request('PUT', `/api/projects/${app}`, { source: 'FILES' })).statusCode).toBe(400)
  })

  test('changes without touching anything else, and is audited', async () => {
    const gitUrl = 'https://github.com/owner/repository'
    await world.ann.request('PUT', `/api/projects/${world.id}`, { gitUrl })
    await put('index.html', 'mine')
    const git = (await world.ann.request('PUT', `/api/projects/${world.id}`, { source: 'GIT' })).json<Project>()
    expect(git).toMatchObject({ source: 'GIT', gitUrl })
    expect((await world.ann.request('POST', `/api/projects/${world.id}/build`)).json()).toMatchObject({
      trigger: 'MANUAL'
    })
    const files = (await world.ann.request('PUT', `/api/projects/${world.id}`, { source: 'FILES' })).json<Project>()
    expect(files).toMatchObject({ source: 'FILES', gitUrl })
    expect(await page()).toBe('mine')
    const entries = await world.panel.audited({ action: 'project.updated', targetId: world.id })
    expect(entries.at(-1)).toMatchObject({ metadata: { source: { before: 'GIT', after: 'FILES' } } })
  })

  test('of a project in a list, and of one without it', async () => {
    const { projects: found } = (await world.ann.request('GET', '/api/projects?limit=1')).json()
    expect(found).toMatchObject([{ id: world.id, source: 'FILES' }])
    expect(await world.ann.createProject()).toMatchObject({ source: 'GIT' })
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
    expect(world.built.at(-1)!.source).toMatchObject({ siteFiles: { redirects: '/a /b', headers: undefined } })
    expect(world.built.at(-1)!.source.repository).toBeUndefined()
    const { containerId } = await live()
    expect(world.engine.containers.get(containerId!)!.spec.binds[0]).toEqual({
      source: folder(),
      target: '/srv',
      readOnly: true
    })
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
    const deployed = world.ann.request('POST', `/api/projects/${world.id}/deploy`)
    await expect.poll(async () => (await list()).length).toBe(2)
    await work()
    expect((await deployed).statusCode).toBe(200)
    expect((await list())[0]).toMatchObject({ trigger: 'DEPLOY', active: true, canRollback: false, snapshot: null })
    expect(await page()).toBe('two')
  })

  test('that does not fit into the disk limit fails, and the site stays', async () => {
    await put('index.html', 'one')
    const first = await snapshot()
    await world.panel.deps.db.update(users).set({ maxDiskMb: 1 }).where(eq(users.id, world.ann.user.id))
    await put('big.bin', 'x'.repeat(2 ** 20 + 1))
    const failed = await snapshot()
    await world.panel.deps.db.update(users).set({ maxDiskMb: null }).where(eq(users.id, world.ann.user.id))
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
    const entries = await world.panel.audited({ action: 'deployment.upload_requested', targetId: world.id })
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
    expect(await world.panel.deps.db.$count(fileSnapshots, eq(fileSnapshots.projectId, world.id))).toBe(0)
  })

  test('that does not fit is refused in words', async () => {
    await put('index.html', 'one')
    await world.panel.deps.db.update(users).set({ maxDiskMb: 1 }).where(eq(users.id, world.ann.user.id))
    const files = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`${at}`, `${Math.random()}`.repeat(4000)]))
    const answer = await upload(zip(files))
    await world.panel.deps.db.update(users).set({ maxDiskMb: null }).where(eq(users.id, world.ann.user.id))
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'QUOTA_EXCEEDED'])
    expect(answer.json().error).toMatch(/disk limit leaves.*The site is unchanged/)
    expect([await page(), await kept()]).toEqual(['one', []])
  })

  test('of another account is refused', async () => {
    const bob = await world.panel.signUp('bob')
    expect((await upload(zip({ 'index.html': 'x' }), 'application/zip', bob)).statusCode).toBe(403)
  })

  test('that does not go live leaves the files as they were', async () => {
    await put('index.html', 'one')
    const first = await snapshot()
    world.engine.afterStart = ({ state }) =>
      void Object.assign(state, { running: false, status: 'exited', exitCode: 1 })
    const answer = await upload(zip({ 'index.html': 'zip' }))
    await work()
    world.engine.afterStart = () => {}
    expect(await get(answer.json())).toMatchObject({ status: 'FAILED', failure: { phase: 'START' } })
    expect([await page(), (await get(first)).active]).toEqual(['one', true])
    // Repeated from its snapshot.
    const again = await world.ann.request('POST', `/api/projects/${world.id}/build`, {
      retryOf: answer.json<Deployment>().id
    })
    expect(again.json()).toMatchObject({ trigger: 'UPLOAD', snapshot: { archive: 'site.zip' } })
    await work()
    expect(await page()).toBe('zip')
  })

  test('does not replace files that could not be saved', async () => {
    await put('index.html', 'one')
    const answer = await upload(zip({ 'index.html': 'zip' }))
    const [, saved] = await list()
    await world.ann.request('POST', `/api/projects/${world.id}/deployments/${saved!.id}/cancel`)
    await work()
    expect(await get(answer.json())).toMatchObject({
      status: 'FAILED',
      failure: { sentences: [{ code: 'FILES_NOT_SAVED' }] }
    })
    expect(await page()).toBe('one')
  })
})

test('a push to the repository of a site that is served from its files is ignored', async () => {
  const gitUrl = 'https://github.com/owner/repository'
  const { id: other } = await world.ann.createProject({ type: 'STATIC', source: 'FILES', gitUrl })
  const hook = await world.ann.request('POST', `/api/projects/${other}/git/deploy-hook`)
  const { url } = hook.json<{ url: string }>()
  const answer = await world.ann.request('POST', url.replace(/^https?:\/\/[^/]+/, ''))
  expect(answer.json().code).toBe('GIT_NOT_CONNECTED')
})

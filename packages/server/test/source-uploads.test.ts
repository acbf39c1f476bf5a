import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Deployment } from '@panel/contract/deployments'
import { deployments } from '../src/db/schema/deployments.ts'
import { projects } from '../src/db/schema/projects.ts'
import { sourceUploads } from '../src/db/schema/source-uploads.ts'
import { runQueue } from '../src/features/deployments/deployment-runner.jobs.ts'
import { removeStrayUploads } from '../src/features/source-uploads/stray-uploads.reconcile.ts'
import { BuildError, type BuildTask, type ImageBuilder } from '../src/infra/image-builder/image-builder.ts'
import { newId } from '../src/security/ids.ts'
import { madeTar, type TarMember } from './fixtures/archive.fixture.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

let built: BuildTask[]
const builder: ImageBuilder = {
  build(task) {
    built.push(task)
    return Promise.reject(new BuildError('not built here'))
  },
  detect: () => Promise.reject(new Error('nothing asks here'))
}

let panel: TestPanel
let ann: Client
let id: string
beforeAll(async () => {
  panel = await createTestPanel({ GIT_MAX_SIZE: '1m' }, { builder })
  ann = await panel.signUp('ann')
})
afterAll(() => panel.close())
beforeEach(async () => {
  built = []
  id = (await ann.createProject()).id
})

const site: TarMember = { name: './index.html', content: 'hello' }
async function upload(members: readonly TarMember[] = [site], by = ann, project = id) {
  const archive = gzipSync(await madeTar(members))
  return by.request('POST', `/api/projects/${project}/uploads?folder=shop`, archive, {
    'content-type': 'application/gzip'
  })
}
const uploadsOf = (project = id) =>
  panel.deps.db.select().from(sourceUploads).where(eq(sourceUploads.projectId, project)).orderBy(sourceUploads.id)
const directories = () => readdir(join(panel.deps.config.PROJECTS_DIR, id, 'uploads')).catch(() => [])
const end = (deployment: Deployment, values: Partial<typeof deployments.$inferInsert>) =>
  panel.deps.db.update(deployments).set(values).where(eq(deployments.id, deployment.id))
const kept = {
  status: 'RUNNING',
  image: 'panel-x:1',
  imageSpec: { port: 80, readOnlyRoot: true, volumes: [] }
} as const

const runBuilds = () =>
  runQueue(
    panel.deps,
    {
      signal: new AbortController().signal,
      lease: { workerId: 1 },
      buildNetworks: { acquire: async () => ({ name: 'build', release: async () => {} }) }
    },
    'build'
  )

test('deploys the folder without a repository, also once more', async () => {
  expect((await ann.request('POST', `/api/projects/${id}/build`)).json().code).toBe('GIT_NOT_CONNECTED')
  const answer = await upload()
  expect([answer.statusCode, answer.json()]).toMatchObject([
    202,
    {
      status: 'QUEUED',
      trigger: 'UPLOAD',
      commitHash: null,
      upload: { folder: 'shop', by: 'ann@example.com', files: 1, bytes: 5 }
    }
  ])
  await runBuilds()
  const [{ id: uploadId } = { id: '' }] = await uploadsOf()
  const repository = {
    directory: join(panel.deps.config.PROJECTS_DIR, id, 'uploads', uploadId, 'repository.git'),
    commitHash: expect.stringMatching(/^[0-9a-f]{40}$/)
  }
  expect(built).toMatchObject([{ source: { repository } }])
  const again = await ann.request('POST', `/api/projects/${id}/build`)
  expect(again.json()).toMatchObject({ trigger: 'UPLOAD', upload: { folder: 'shop' } })
  await runBuilds()
  expect(built[1]).toMatchObject({ source: { repository } })
  const entries = await panel.audited({ action: 'deployment.upload_requested', targetId: id })
  expect(entries).toMatchObject([{ metadata: { folder: 'shop', files: 1 } }])
})

test('a failed upload of a project with a repository is repeated from its folder, or refused', async () => {
  await panel.deps.db.update(projects).set({ gitUrl: 'https://example.com/shop.git' }).where(eq(projects.id, id))
  const failed: Deployment = (await upload()).json()
  await runBuilds()
  const retry = () => ann.request('POST', `/api/projects/${id}/build`, { retryOf: failed.id })
  expect((await retry()).json()).toMatchObject({ trigger: 'UPLOAD', upload: { folder: 'shop' } })
  await runBuilds()
  expect(built[1]?.source.repository).toEqual(built[0]?.source.repository)
  await upload()
  await runBuilds()
  await removeStrayUploads(panel.deps)
  expect((await retry()).json().code).toBe('UPLOAD_NOT_KEPT')
  expect((await ann.request('POST', `/api/projects/${id}/build`)).json()).toMatchObject({
    trigger: 'MANUAL',
    upload: null
  })
  const bob = await panel.signUp('bob2')
  const { id: other } = await bob.createProject()
  const foreign = await bob.request('POST', `/api/projects/${other}/build`, { retryOf: failed.id })
  expect(foreign.statusCode).toBe(404)
})

test('a refused upload leaves no row and no directory', async () => {
  const bob = await panel.signUp('bob')
  expect((await upload([site], bob)).statusCode).toBe(403)
  const refused = [
    await upload([{ name: '../x', content: 'x' }]),
    await upload([{ name: 'x', content: Buffer.alloc(2 ** 20 + 1) }]),
    await ann.request('POST', `/api/projects/${id}/uploads`, {}),
    await ann.request('POST', `/api/projects/${id}/uploads`, 'no gzip', { 'content-type': 'application/gzip' })
  ]
  expect(refused.map(({ statusCode }) => statusCode)).toEqual([422, 413, 415, 422])
  expect([await uploadsOf(), await directories()]).toEqual([[], []])
  const { id: wordpress } = await ann.createProject({ type: 'WORDPRESS' })
  expect((await upload([site], ann, wordpress)).json().code).toBe('CONFLICT')
})

test('at most three uploads of a project wait', async () => {
  for (let count = 0; count < 3; count += 1) expect((await upload()).statusCode).toBe(202)
  expect((await upload()).json().code).toBe('DEPLOYMENT_IN_PROGRESS')
  expect(await directories()).toHaveLength(3)
  await runBuilds()
})

test('a roll back shows the upload', async () => {
  const deployment: Deployment = (await upload()).json()
  await end(deployment, kept)
  const back = await ann.request('POST', `/api/projects/${id}/deployments/${deployment.id}/rollback`)
  expect(back.json()).toMatchObject({ trigger: 'ROLLBACK', upload: { folder: 'shop' } })
})

test('reconcile keeps uploads of releases and the latest, and removes the others', async () => {
  const released: Deployment = (await upload()).json()
  const failed: Deployment = (await upload()).json()
  const latest: Deployment = (await upload()).json()
  await end(released, kept)
  await end(failed, { status: 'FAILED' })
  await end(latest, { status: 'FAILED' })
  // Killed before the deployment was queued, an hour ago and now.
  const old = { id: newId(), projectId: id, createdAt: new Date(Date.now() - 2 * 3600_000) }
  const young = { id: newId(), projectId: id }
  await panel.deps.db.insert(sourceUploads).values([old, young])
  for (const { id: uploadId } of [old, young])
    await panel.deps.git.importArchive(
      join(panel.deps.config.PROJECTS_DIR, id, 'uploads', uploadId, 'repository.git'),
      Readable.from([gzipSync(await madeTar([site]))]),
      { maxBytes: 100, maxFiles: 1, timeoutMs: 60_000 }
    )
  const [first, , third] = await uploadsOf()
  await removeStrayUploads(panel.deps)
  const left = [first!.id, third!.id, young.id].sort()
  expect([(await uploadsOf()).map((row) => row.id).sort(), (await directories()).sort()]).toEqual([left, left])
  await end(released, { image: null, imageSpec: null })
  await removeStrayUploads(panel.deps)
  expect((await directories()).sort()).toEqual([third!.id, young.id].sort())
  expect((await ann.request('DELETE', `/api/projects/${id}`)).statusCode).toBe(204)
  await removeStrayUploads(panel.deps)
  expect(await uploadsOf()).toEqual([])
})

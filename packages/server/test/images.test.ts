import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Deployment } from '@panel/contract/deployments'
import type { Notification } from '@panel/contract/notifications'
import type { ImageUpdate, Registry } from '@panel/contract/registries'
import { imageChecks } from '../src/db/schema/image-checks.ts'
import { registries } from '../src/db/schema/registries.ts'
import { evictImage } from '../src/features/builds/releases.repository.ts'
import { runQueue } from '../src/features/deployments/deployment-runner.jobs.ts'
import { checkDueImages } from '../src/features/image-updates/check-images.jobs.ts'
import { createBuiltinBuilder } from '../src/infra/image-builder/builtin-builder.ts'
import { RegistryError } from '../src/infra/image-registry/image-registry.ts'
import type { Git } from '../src/infra/git/git.ts'
import { createMemoryEngine, type MemoryContainerEngine } from './fakes/memory-container-engine.ts'
import { createMemoryGit } from './fakes/memory-git.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

const [first, second] = [`sha256:${'a'.repeat(64)}`, `sha256:${'b'.repeat(64)}`] as const
const image = 'ghcr.io/org/app:1'
const secret = 'a-secret-token'

let digest: string
let dockerfile: string
let problem: RegistryError | undefined
let engine: MemoryContainerEngine
let panel: TestPanel
let ann: Client
beforeAll(async () => {
  engine = createMemoryEngine()
  const git: Git = {
    ...createMemoryGit(),
    listFiles: async () => [{ path: 'Dockerfile', kind: 'file', sizeBytes: dockerfile.length }],
    readFile: async () => dockerfile
  }
  const images = { node: 'node:{version}', python: 'python:{version}', static: 'caddy:2', php: 'php:8' }
  const limits = { memoryBytes: 2 ** 30, cpus: 1, pids: 100, contextBytes: 2 ** 20 }
  const imageRegistry = {
    checkLogin: async () => {
      if (problem) throw problem
    },
    findDigest: async (reference: { digest: string | undefined }) => {
      if (problem) throw problem
      return reference.digest ?? digest
    }
  }
  panel = await createTestPanel(
    {},
    { engine, git, imageRegistry, builder: createBuiltinBuilder({ git, engine, images, limits }) }
  )
  ann = await panel.signUp('ann')
})
afterAll(() => panel.close())
beforeEach(() => {
  digest = first
  problem = undefined
  engine.pulls.length = 0
})

const worker = {
  lease: { workerId: 1 },
  signal: new AbortController().signal,
  buildNetworks: { acquire: async () => ({ name: 'n', release: async () => {} }) }
}

async function finish(projectId: string, id: string, by = ann): Promise<Deployment> {
  await runQueue(panel.deps, worker, 'build')
  await runQueue(panel.deps, worker, 'image')
  return (await by.request('GET', `/api/projects/${projectId}/deployments/${id}`)).json<Deployment>()
}
const deploy = async (projectId: string, path = 'build', by = ann) =>
  finish(projectId, (await by.request('POST', `/api/projects/${projectId}/${path}`)).json<Deployment>().id, by)
const projectOf = (body: object = {}) => ann.createProject({ type: 'IMAGE', image, ...body })

test('a deployment runs the digest that the tag has, and names it', async () => {
  const { id } = await projectOf({ startCmd: 'serve --port $PORT' })
  const deployed = await deploy(id)
  expect(deployed).toMatchObject({ status: 'RUNNING', sourceImage: { reference: image, digest: first } })
  expect(engine.pulls).toEqual([{ reference: `ghcr.io/org/app@${first}`, login: undefined }])
  expect(deployed.buildLogs).toContain(first)
  // Only the built image stays: by its digest, another account could use a private one.
  expect(await engine.findImage(`ghcr.io/org/app@${first}`)).toBeUndefined()
})

test('a rollback runs the earlier digest, also after its image was removed', async () => {
  const { id } = await projectOf()
  const old = await deploy(id)
  digest = second
  expect((await deploy(id)).sourceImage?.digest).toBe(second)
  for (const { tags, labels } of [...engine.images.values()])
    if (labels['panel.deployment'] === old.id) await evictImage(panel.deps.db, tags[0]!)
  engine.pulls.length = 0
  const again = await deploy(id, `deployments/${old.id}/rollback`)
  expect(again).toMatchObject({ status: 'RUNNING', trigger: 'ROLLBACK', sourceImage: { digest: first } })
  expect(engine.pulls.map(({ reference }) => reference)).toEqual([`ghcr.io/org/app@${first}`])
})

test('an image for another platform fails with the platform of this server', async () => {
  const { id } = await projectOf()
  const { findImage } = engine
  engine.findImage = async (reference) => {
    const found = await findImage(reference)
    return found && { ...found, architecture: 'riscv64' }
  }
  const failed = await deploy(id)
  engine.findImage = findImage
  expect(failed.failure?.sentences).toMatchObject([{ code: 'IMAGE_OTHER_PLATFORM' }])
})

test('a problem of the registry is the reason of the failure', async () => {
  const { id } = await projectOf()
  problem = new RegistryError('IMAGE_NOT_PUBLIC', { host: 'ghcr.io', reference: 'org/app:1' })
  expect(await deploy(id)).toMatchObject({
    status: 'FAILED',
    failure: { phase: 'SOURCE', sentences: [{ code: 'IMAGE_NOT_PUBLIC' }] }
  })
})

test.each([
  ['an image of another type', { type: 'NODEJS', image }],
  ['a repository', { type: 'IMAGE', image, gitUrl: 'https://github.com/owner/app' }],
  ['no name of an image', { type: 'IMAGE', image: 'https://ghcr.io/org/app' }]
])('%s is refused', async (_what, body) => {
  expect((await ann.request('POST', '/api/projects', { name: 'refused', ...body })).statusCode).toBe(400)
})

describe('credentials', () => {
  test('are sealed, never returned, used for their host and hidden in logs', async () => {
    const body = { host: 'GHCR.io', username: 'ann', secret }
    const saved = await ann.request('PUT', '/api/registries', body)
    expect([saved.statusCode, saved.json()]).toEqual([
      200,
      expect.objectContaining({ host: 'ghcr.io', username: 'ann' })
    ])
    const [row] = await panel.deps.db.select().from(registries)
    expect(row?.secret).not.toContain(secret)
    expect((await ann.request('GET', '/api/registries')).body).not.toContain(secret)
    const { id } = await projectOf()
    await deploy(id)
    expect(engine.pulls).toMatchObject([{ login: { host: 'ghcr.io', username: 'ann', secret } }])
  })

  test('that the registry rejects are not saved', async () => {
    problem = new RegistryError('REGISTRY_LOGIN_REFUSED', { host: 'quay.io' })
    const answer = await ann.request('PUT', '/api/registries', { host: 'quay.io', username: 'ann', secret })
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([422, 'REGISTRY_UNREACHABLE'])
    const { registries: listed } = (await ann.request('GET', '/api/registries')).json<{ registries: Registry[] }>()
    expect(listed.map(({ host }) => host)).toEqual(['ghcr.io'])
  })
})

describe('an image that a Dockerfile names', () => {
  const buildFrom = async (text: string, by: Client) => {
    dockerfile = text
    const { id } = await by.createProject({ type: 'DOCKERFILE', gitUrl: 'https://github.com/owner/app' })
    return deploy(id, 'build', by)
  }

  test('is pulled by its digest with the credentials of the account, for this build only', async () => {
    const { status } = await buildFrom('FROM ghcr.io/org/base:1 AS base\nFROM alpine:3\nCOPY --from=base /a /a', ann)
    expect(status).toBe('RUNNING')
    const login = { host: 'ghcr.io', username: 'ann', secret }
    expect(engine.pulls).toEqual([
      { reference: 'docker.io/library/alpine:3', login: undefined },
      { reference: `ghcr.io/org/base@${first}`, login }
    ])
    expect(await engine.findImage(`ghcr.io/org/base@${first}`)).toBeUndefined()
  })

  test('is not open to an account without credentials that knows the digest', async () => {
    const bob = await panel.signUp('bob')
    problem = new RegistryError('IMAGE_NOT_PUBLIC', { host: 'ghcr.io', reference: 'org/base' })
    const refused = await buildFrom(`FROM ghcr.io/org/base@${first}`, bob)
    expect(refused).toMatchObject({ status: 'FAILED', failure: { sentences: [{ code: 'IMAGE_NOT_PUBLIC' }] } })
    expect(engine.pulls).toEqual([])
  })

  test('is pulled without credentials if the account has none', async () => {
    const carl = await panel.signUp('carl')
    await buildFrom('FROM ghcr.io/org/base:1', carl)
    expect(engine.pulls).toEqual([{ reference: 'ghcr.io/org/base:1', login: undefined }])
  })
})

describe('a check for newer images', () => {
  const updateOf = async (id: string) =>
    (await ann.request('GET', `/api/projects/${id}/image-update`)).json<ImageUpdate>()
  const makeDue = (id: string) =>
    panel.deps.db
      .update(imageChecks)
      .set({ nextAt: new Date(0) })
      .where(eq(imageChecks.projectId, id))

  test('tells that the tag was moved', async () => {
    const { id } = await projectOf()
    await deploy(id)
    await checkDueImages(panel.deps, worker)
    expect(await updateOf(id)).toMatchObject({ isNewer: false, latestDigest: first })
    digest = second
    const checked = (await ann.request('POST', `/api/projects/${id}/image-update`)).json<ImageUpdate>()
    expect(checked).toMatchObject({ isNewer: true, deployedDigest: first, latestDigest: second })
    await deploy(id)
    expect(await updateOf(id)).toMatchObject({ isNewer: false, deployedDigest: second })
  })

  test('that fails keeps what is known, and says why', async () => {
    const { id } = await projectOf()
    await deploy(id)
    await checkDueImages(panel.deps, worker)
    problem = new RegistryError('REGISTRY_SILENT', { host: 'ghcr.io' })
    await makeDue(id)
    await checkDueImages(panel.deps, worker)
    expect(await updateOf(id)).toMatchObject({ latestDigest: first, sentences: [{ code: 'REGISTRY_SILENT' }] })
  })

  test('notifies the owner of each newer image once', async () => {
    const { id } = await projectOf()
    await deploy(id)
    const notified = async () => {
      await makeDue(id)
      await checkDueImages(panel.deps, worker)
      const answer = await ann.request('GET', '/api/notifications')
      const { notifications } = answer.json<{ notifications: Notification[] }>()
      return notifications.filter(({ kind, subject }) => kind === 'image-newer' && subject.id === id).length
    }
    await checkDueImages(panel.deps, worker)
    digest = second
    expect([await notified(), await notified()]).toEqual([1, 1])
    digest = `sha256:${'c'.repeat(64)}`
    expect(await notified()).toBe(2)
    await deploy(id)
    expect(await notified()).toBe(2)
  })

  test('deploys a newer image once, if the project wants that', async () => {
    const { id } = await projectOf({ imageAutoDeploy: true })
    await deploy(id)
    digest = second
    const check = async () => {
      await makeDue(id)
      await checkDueImages(panel.deps, worker)
    }
    await check()
    await check()
    const list = (await ann.request('GET', `/api/projects/${id}/deployments`)).json<{ deployments: Deployment[] }>()
    expect(list.deployments.map(({ status }) => status)).toEqual(['QUEUED', 'RUNNING'])
    await finish(id, list.deployments[0]!.id)
    expect(await updateOf(id)).toMatchObject({ deployedDigest: second, isNewer: false })
  })
})

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Deployment } from '@panel/contract/deployments'
import type { Project } from '@panel/contract/projects'
import { runQueue } from '../src/features/deployments/deployment-runner.jobs.ts'
import type { ImageBuilder } from '../src/infra/image-builder/image-builder.ts'
import { createMemoryEngine, type MemoryContainerEngine } from './fakes/memory-container-engine.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

const gitUrl = 'https://github.com/owner/repository'
const isRelease = (name: string) => name.endsWith('-release')

let engine: MemoryContainerEngine
let panel: TestPanel
let ann: Client
beforeAll(async () => {
  engine = createMemoryEngine()
  const builder: ImageBuilder = {
    build: async ({ tag }) => {
      await engine.pullImage(tag, () => {})
      return { imageId: tag, port: 3000, readOnlyRoot: false, filesAt: '/data', description: 'x' }
    },
    detect: () => Promise.reject(new Error('not called'))
  }
  panel = await createTestPanel({}, { builder, engine })
  ann = await panel.signUp('ann')
})
afterAll(() => panel.close())

/** Exit code of the release command. */
let exitCode: number
let released: string[]
beforeEach(() => {
  exitCode = 0
  released = []
  engine.afterStart = ({ spec, state }) => {
    if (!isRelease(spec.name)) return
    released.push(spec.oneOff!.at(-1)!)
    engine.write(state.id, `migrating ${spec.env.DATABASE_URL}\n`)
    Object.assign(state, { running: false, status: 'exited', exitCode })
  }
})

const worker = {
  lease: { workerId: 1 },
  signal: new AbortController().signal,
  buildNetworks: { acquire: async () => ({ name: 'n', release: async () => {} }) }
}

async function deploy(id: string, path = 'build', payload?: object): Promise<Deployment> {
  const requested = (await ann.request('POST', `/api/projects/${id}/${path}`, payload)).json<Deployment>()
  await runQueue(panel.deps, worker, 'build')
  await runQueue(panel.deps, worker, 'image')
  return (await ann.request('GET', `/api/projects/${id}/deployments/${requested.id}`)).json()
}

const projectOf = async (id: string) => (await ann.request('GET', `/api/projects/${id}`)).json<Project>()

test('runs once in each new image before it goes live, with the variables, and never for a rollback', async () => {
  const { id } = await ann.createProject({ gitUrl, releaseCmd: 'npm run migrate' })
  await ann.request('POST', `/api/projects/${id}/env`, { key: 'DATABASE_URL', value: 'postgres://user:secret-1@db/x' })
  const first = await deploy(id)
  expect(first).toMatchObject({ status: 'RUNNING', active: true })
  expect(first.buildLogs).toMatch(/==> release \S+\nmigrating ••••••\n==> start/)
  await deploy(id)
  expect(released).toEqual(['npm run migrate', 'npm run migrate'])
  expect(await deploy(id, `deployments/${first.id}/rollback`)).toMatchObject({ status: 'RUNNING' })
  expect(released).toHaveLength(2)
  expect([...engine.containers.values()].filter(({ spec }) => isRelease(spec.name))).toEqual([])
})

test('its failure keeps the previous release live', async () => {
  const { id } = await ann.createProject({ gitUrl, releaseCmd: 'npm run migrate' })
  const live = await deploy(id)
  const before = await projectOf(id)
  exitCode = 7
  const failed = await deploy(id)
  expect(failed).toMatchObject({
    status: 'FAILED',
    failure: { phase: 'RELEASE', exitCode: 7, sentences: [{ code: 'RELEASE_FAILED', values: { exitCode: '7' } }] }
  })
  expect(failed.buildLogs).toContain('migrating')
  const after = await projectOf(id)
  expect([after.containerId, after.deployedDomain]).toEqual([before.containerId, before.deployedDomain])
  const ofProject = [...engine.containers.values()].filter(({ state }) => state.labels['panel.project'] === id)
  expect(ofProject.map(({ state }) => state.labels['panel.deployment'])).toEqual([live.id])
})

test('the command runs by a shell in place of the entrypoint, is not restarted and publishes no port', async () => {
  const { id } = await ann.createProject({ gitUrl, releaseCmd: 'true' })
  let seen: object | undefined
  const { afterStart } = engine
  engine.afterStart = (container) => {
    if (isRelease(container.spec.name)) seen = container.spec
    return afterStart(container)
  }
  await deploy(id)
  expect(seen).toMatchObject({ oneOff: ['/bin/sh', '-c', 'true'] })
  expect(seen).not.toHaveProperty('hostPort')
})

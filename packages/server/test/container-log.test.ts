import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { eq } from 'drizzle-orm'
import { projects } from '../src/db/schema/projects.ts'
import { label } from '../src/infra/container-engine/labels.ts'
import { newId } from '../src/security/ids.ts'
import { createMemoryEngine, type MemoryContainerEngine } from './fakes/memory-container-engine.ts'
import { listen, type LiveTestClient, liveTestClients } from './support/live.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

let panel: TestPanel
let url: string
let ann: Client
let bob: Client
let engine: MemoryContainerEngine
const live = liveTestClients(() => url)
beforeAll(async () => {
  engine = createMemoryEngine()
  panel = await createTestPanel({}, { engine })
  url = await listen(panel)
  await panel.signUp('admin')
  ann = await panel.signUp('ann')
  bob = await panel.signUp('bob')
  await engine.pullImage('site:1', () => {})
  await engine.ensureNetwork('sites', { [label.instance]: 'test' })
})
afterEach(() => {
  engine.fail = undefined
  live.close()
})
afterAll(() => panel.close())

const makeContainer = async (projectId: string) => {
  const id = await engine.createContainer({
    ...{ name: newId(Date.now()), image: 'site:1', env: {}, user: '1:1', network: 'sites', address: '10.0.0.9' },
    ...{ containerPort: 1, memoryBytes: 1, cpus: 1, pids: 1, readOnlyRoot: true, volumes: [], binds: [] },
    labels: { [label.instance]: panel.deps.instanceId, [label.project]: projectId }
  })
  await engine.startContainer(id)
  return id
}
const point = (projectId: string, containerId: string | null) =>
  panel.deps.db.update(projects).set({ containerId }).where(eq(projects.id, projectId))
const newSite = async () => {
  const { id: projectId } = await ann.createProject()
  const containerId = await makeContainer(projectId)
  await point(projectId, containerId)
  return { projectId, containerId }
}
const textOf = (client: LiveTestClient) =>
  (client.of('container:log') as { text: string }[]).map(({ text }) => text).join('')
const statesOf = (client: LiveTestClient) =>
  (client.of('container:log-state') as { state: string }[]).map(({ state }) => state)
const follow = async (projectId: string, start: object = {}) => {
  const client = await live.connect({ cookie: ann.cookie })
  expect(await client.ask('subscribe:container-log', { projectId, ...start })).toMatchObject({ ok: true })
  return client
}

describe('the log of a container', () => {
  test('starts with the last lines and streams new ones', async () => {
    const { projectId, containerId } = await newSite()
    engine.write(containerId, 'old\nbefore\n')
    const client = await follow(projectId, { tail: 1 })
    await expect.poll(() => textOf(client)).toBe('before\n')
    engine.write(containerId, 'now\n')
    await expect.poll(() => textOf(client)).toBe('before\nnow\n')
    expect(statesOf(client)).toEqual(['FOLLOWING'])
  })

  test('resumes after an interruption', async () => {
    const { projectId, containerId } = await newSite()
    engine.write(containerId, 'one\ntwo\n')
    const first = await follow(projectId)
    await expect.poll(() => textOf(first)).toBe('one\ntwo\n')
    first.socket.disconnect()
    engine.write(containerId, 'three\n')
    const { next } = (first.of('container:log') as { next: string }[]).at(-1)!
    const second = await follow(projectId, { since: next, tail: 1 })
    await expect.poll(() => textOf(second)).toBe('three\n')
  })

  test('continues with a replaced container and says so', async () => {
    const { projectId, containerId } = await newSite()
    engine.write(containerId, 'old one\n')
    const client = await follow(projectId)
    await expect.poll(() => textOf(client)).toBe('old one\n')
    const other = await makeContainer(projectId)
    engine.write(other, 'new one\n')
    await point(projectId, other)
    await expect.poll(() => textOf(client)).toBe('old one\nnew one\n')
    expect(client.of('container:log-state')).toEqual(
      [containerId, other].map((id) => ({ projectId, containerId: id, state: 'FOLLOWING' }))
    )
  })

  test('waits for a missing or stopped container', async () => {
    const { id: projectId } = await ann.createProject()
    const client = await follow(projectId)
    await expect.poll(() => statesOf(client)).toEqual(['CONTAINER_MISSING'])
    const containerId = await makeContainer(projectId)
    engine.write(containerId, 'first\n')
    await point(projectId, containerId)
    await expect.poll(() => textOf(client)).toBe('first\n')
    await engine.stopContainer(containerId, 0)
    await expect.poll(() => statesOf(client).at(-1)).toBe('STOPPED')
    await engine.startContainer(containerId)
    engine.write(containerId, 'again\n')
    await expect.poll(() => textOf(client), { timeout: 10_000 }).toBe('first\nagain\n')
    expect(statesOf(client)).toEqual(['CONTAINER_MISSING', 'FOLLOWING', 'STOPPED', 'FOLLOWING'])
  })

  test('adapts to slow readers without loss or blocking', async () => {
    const { projectId, containerId } = await newSite()
    engine.write(containerId, 'here\n')
    const slow = await follow(projectId)
    await expect.poll(() => textOf(slow)).toBe('here\n')
    const taken: string[] = []
    const waiting: (() => void)[] = []
    let isSlow = true
    slow.socket.offAny().onAny((event: string, { text }: { text: string }, acknowledge?: () => void) => {
      if (event !== 'container:log') return
      taken.push(text)
      if (isSlow) waiting.push(acknowledge!)
      else acknowledge!()
    })
    const quick = await follow(projectId, { tail: 1 })
    await expect.poll(() => textOf(quick)).toBe('here\n')
    const lines = Array.from({ length: 400 }, (_, n) => `${n} ${'x'.repeat(50_000)}\n`)
    for (const line of lines) engine.write(containerId, line)
    await expect.poll(() => textOf(quick).length).toBe('here\n'.length + lines.join('').length)
    expect(taken).toHaveLength(1)
    expect(taken[0]!.length).toBeLessThan(1_000_000)
    isSlow = false
    for (const acknowledge of waiting.splice(0)) acknowledge()
    await expect.poll(() => taken.join('').length).toBe(lines.join('').length)
    expect(taken.join('') === lines.join('')).toBe(true)
  })

  test('reports an engine that is down once and resumes', async () => {
    const { projectId, containerId } = await newSite()
    engine.write(containerId, 'there\n')
    engine.fail = 'unreachable'
    const client = await follow(projectId)
    await expect.poll(() => statesOf(client)).toEqual(['FOLLOWING', 'CONTAINER_ENGINE_UNAVAILABLE'])
    engine.fail = undefined
    await expect.poll(() => textOf(client), { timeout: 10_000 }).toBe('there\n')
  })

  test('is private and ends with the access to it', async () => {
    const { projectId, containerId } = await newSite()
    const client = await live.connect({ cookie: bob.cookie })
    const ask = (data: unknown) => client.ask('subscribe:container-log', data)
    expect((await ask({ projectId })).error?.code).toBe('FORBIDDEN')
    expect((await ask({ projectId: 'none' })).error?.code).toBe('NOT_FOUND')
    expect((await ask({ projectId, since: '../etc' })).error?.code).toBe('VALIDATION_ERROR')
    const own = await follow(projectId)
    await expect.poll(() => statesOf(own)).toEqual(['FOLLOWING'])
    await ann.request('DELETE', `/api/projects/${projectId}`)
    await expect.poll(() => own.of('ended:container-log')).toHaveLength(1)
    engine.write(containerId, 'secret of ann\n')
    expect(client.of('container:log')).toEqual([])
  })
})

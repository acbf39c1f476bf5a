import { describe, expect, test } from 'vitest'
import { EngineError, type ContainerEngine } from '../container-engine/container-engine.ts'
import { createMemoryEngine } from '../../../test/fakes/memory-container-engine.ts'
import { label } from '../container-engine/labels.ts'
import { ProcessError, type Run } from '../process/process.ts'
import { prepareBaseImages } from './base-images.ts'
import type { BaseImageKind } from '../image-builder/build-plan.ts'
import { compilersReference, prepareCompilers } from './compilers.ts'
import { createBaseImageCheck } from './ensure-base-images.ts'
import { baseRecipe, keyLabel, kinds, recipes, stepLabel } from './recipe.ts'

const images = {
  node: 'node:24-trixie-slim',
  python: 'python:3.13-slim-trixie',
  static: 'caddy:2',
  php: 'php:8.4-apache'
}
const monday = new Date('2026-11-16T00:00:00Z')
const nextWeek = new Date('2026-11-23T00:00:00Z')

const debootstraps: Run = async (_, { stdout }) => {
  await new Promise((resolve) => stdout!.write('a root file system', resolve))
  stdout!.end()
  return { stdout: '', stderr: '' }
}

function setUp(registry: 'answers' | 'silent' | 'does not know it') {
  const memory = createMemoryEngine()
  const pulls: string[] = []
  const engine: ContainerEngine = {
    ...memory,
    pullImage: async (reference, onLog) => {
      pulls.push(reference)
      if (registry === 'silent') throw new EngineError('dial tcp: no such host', 500)
      if (registry === 'does not know it') throw new EngineError('manifest unknown', 404)
      return memory.pullImage(reference, onLog)
    }
  }
  const log: string[] = []
  const prepare = async (options: Partial<Parameters<typeof prepareBaseImages>[0]> = {}) => {
    const prepared = await prepareBaseImages({ engine, images, log: (line) => log.push(line), run: debootstraps, now: () => monday, ...options })
    return Object.fromEntries(prepared.map(({ kind, outcome }) => [kind, outcome]))
  } // prettier-ignore
  return { memory, pulls, log, prepare }
}
const all = (outcome: string) => Object.fromEntries(kinds.map((kind) => [kind, outcome]))

describe('base images', () => {
  test('replaces the default tags of the configuration', () => {
    expect(Object.fromEntries(kinds.map((kind) => [kind, recipes[kind].reference]))).toEqual(images)
  })

  test('are pulled from a registry and reused', async () => {
    const { prepare, pulls } = setUp('answers')
    expect(await prepare()).toEqual(all('pulled'))
    expect(await prepare({ now: () => nextWeek })).toEqual(all('present'))
    expect(pulls).toHaveLength(4)
  })

  test('are built if no registry responds, after one attempt, once a week', async () => {
    const { prepare, pulls, log, memory } = setUp('silent')
    expect(await prepare({ kinds: ['static', 'node'] })).toEqual({ static: 'made', node: 'made' })
    expect(pulls).toEqual(['caddy:2'])
    expect(log.join('\n')).toContain('caddy:2: building from Debian packages (for development')
    expect((await memory.findImage('caddy:2'))?.labels[keyLabel]).toMatch(/^[0-9a-f]{16}$/)
    expect(await prepare({ kinds: ['static', 'node'] })).toEqual({ static: 'present', node: 'present' })
    expect(await prepare({ kinds: ['static'], now: () => nextWeek })).toEqual({ static: 'made' })
  })

  test('removes only stale step containers of a crashed engine', async () => {
    const { prepare, memory } = setUp('silent')
    await memory.pullImage('base:1', () => {})
    await memory.ensureNetwork('n', {})
    const create = (name: string, labels: Record<string, string>) =>
      memory.createContainer({ name, image: 'base:1', labels, env: {}, user: '1:1', network: 'n', address: '172.30.0.9', containerPort: 80, memoryBytes: 1, cpus: 1, pids: 1, readOnlyRoot: true, volumes: [], binds: [] })
    const [left, running] = [await create('left', { [stepLabel]: 'yes' }), await create('running', { [stepLabel]: 'yes' })]
    await memory.startContainer(running)
    const others = [await create('site', { [stepLabel]: 'yes', [label.instance]: 'a' }), await create('foreign', {}), running]
    const all = [left, ...others]
    const there = async () => (await Promise.all(all.map((id) => memory.findContainer(id)))).flatMap((found) => found?.id ?? [])
    await prepare({ kinds: ['static'], now: () => new Date() })
    expect(await there()).toEqual(all)
    await prepare({ kinds: ['node'], now: () => new Date(Date.now() + 3600_000) })
    expect(await there()).toEqual(others)
  }) // prettier-ignore

  test('stay in use if the update fails', async () => {
    const { prepare, memory, log } = setUp('silent')
    await prepare({ kinds: ['static'] })
    memory.fail = 'build'
    expect(await prepare({ kinds: ['static'], now: () => nextWeek })).toEqual({ static: 'present' })
    expect(log.at(-1)).toContain('not updated')
  })

  test('with custom names are never built, and do not block the others', async () => {
    const { prepare, log } = setUp('does not know it')
    const own = { ...images, node: 'registry.example.com/node:1' }
    expect(await prepare({ images: own, kinds: ['node', 'static'] })).toEqual({ node: 'failed', static: 'made' })
    expect(log).toContain('registry.example.com/node:1: is not on the container engine and cannot be pulled. Load it with: docker load')
  }) // prettier-ignore

  test.each<[string, Run, RegExp]>([
    ['missing', () => Promise.reject(new ProcessError('x', 'missing', undefined, '')), /apt-get install mmdebstrap/],
    ['failing half way', async (argv, options) => {
      await debootstraps(argv, options)
      throw new ProcessError('mmdebstrap: exited with 1', 'failed', 1, 'E: no mirror\n')
    }, /exited with 1: E: no mirror/]
  ])('a mmdebstrap that is %s leaves no image', async (_, run, problem) => {
    const { memory } = setUp('silent')
    const engine = { ...memory, pullImage: () => Promise.reject(new EngineError('no', 500)) }
    const options = { engine, images, kinds: ['static'] as BaseImageKind[], log: () => {}, run }
    expect(await prepareBaseImages(options)).toMatchObject([{ outcome: 'failed', problem: expect.stringMatching(problem) as string }])
    expect(await memory.findImage(baseRecipe.reference)).toBeUndefined()
  }) // prettier-ignore
})

describe('the compilers image', () => {
  const compilers = { ...images, compilers: 'panel-compilers:a' }
  const task = (log: string[] = []) => ({
    onLog: (text: string) => log.push(text),
    signal: new AbortController().signal
  })

  test('is built on the Node.js image without a registry, and rebuilt when that changes', async () => {
    const { memory, pulls } = setUp('answers')
    const options = { engine: { ...memory, pullImage: async (name: string) => void pulls.push(name) }, log: () => {}, run: debootstraps, now: () => monday }
    const own = { ...compilers, compilers: compilersReference(images.node) }
    await expect(prepareCompilers(options, own)).rejects.toThrow('The image node:24-trixie-slim does not exist')
    await memory.pullImage(images.node, () => {})
    await prepareCompilers(options, own)
    const first = await memory.findImage(own.compilers)
    await prepareCompilers(options, own)
    expect((await memory.findImage(own.compilers))?.id).toBe(first?.id)
    await memory.removeImage(images.node)
    await memory.pullImage(images.node, () => {})
    await prepareCompilers(options, own)
    expect((await memory.findImage(own.compilers))?.id).not.toBe(first?.id)
    expect(pulls).toEqual([])
  }) // prettier-ignore

  test('with a custom name is pulled', async () => {
    const { memory, prepare, pulls } = setUp('answers')
    await prepare({ kinds: ['node'] })
    const engine = { ...memory, pullImage: async (name: string) => (pulls.push(name), memory.pullImage(name, () => {})) }
    await prepareCompilers({ engine, log: () => {} }, { ...images, compilers: 'registry.example.com/node:20' })
    expect(pulls.at(-1)).toBe('registry.example.com/node:20')
  }) // prettier-ignore

  test('logs a failed build and does not retry at once', async () => {
    const { memory } = setUp('silent')
    await memory.pullImage(images.node, () => {})
    let builds = 0
    let time = monday
    const engine = { ...memory, buildImage: async () => {
      builds++
      throw new EngineError('no mirror answers', 500)
    } } // prettier-ignore
    const own = { ...images, compilers: compilersReference(images.node) }
    const check = createBaseImageCheck({ engine, images: own, run: debootstraps, now: () => time })
    const log: string[] = []
    expect([await check.ensureCompilers(task(log)), await check.ensureCompilers(task(log)), builds]).toEqual([false, false, 1])
    expect(log.at(-1)).toMatch(/^Note: The compilers image is unavailable, .*no mirror answers/s)
    time = new Date(monday.getTime() + 700_000)
    await check.ensureCompilers(task())
    expect(builds).toBe(2)
  }) // prettier-ignore
})

import { describe, expect, test } from 'vitest'
import { EngineError, type ContainerEngine } from '../container-engine/container-engine.ts'
import { createMemoryEngine } from '../../../test/fakes/memory-container-engine.ts'
import { label } from '../container-engine/labels.ts'
import { ProcessError, type Run } from '../process/process.ts'
import { prepareBaseImages } from './base-images.ts'
import type { BaseImage } from '../image-builder/build-plan.ts'
import { parseConfig } from '../../config.ts'
import { usualBaseImages } from '../../wiring/base-images.ts'
import { compilersReference, prepareCompilers } from './compilers.ts'
import { createBaseImageCheck } from './ensure-base-images.ts'
import { baseRecipe, keyLabel, kinds, recipeOf, stageLabel, stepLabel } from './recipe.ts'

const bases = usualBaseImages(
  parseConfig({ SESSION_SECRET: 'a secret of thirty-two characters', DATA_DIR: '/nowhere' }),
  kinds
)
const [node, site] = bases as [BaseImage, BaseImage]
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
    const prepared = await prepareBaseImages({ engine, bases, log: (line) => log.push(line), run: debootstraps, now: () => monday, ...options })
    return Object.fromEntries(prepared.map(({ kind, outcome }) => [kind, outcome]))
  } // oxfmt-ignore
  return { engine, memory, pulls, log, prepare }
}
const all = (outcome: string) => Object.fromEntries(kinds.map((kind) => [kind, outcome]))

describe('base images', () => {
  test('replaces the default tags of the configuration', () => {
    expect(bases.map((base) => recipeOf(base)?.reference)).toEqual(bases.map(({ reference }) => reference))
  })

  test('are pulled from a registry and reused', async () => {
    const { prepare, pulls } = setUp('answers')
    expect(await prepare()).toEqual(all('pulled'))
    expect(await prepare({ now: () => nextWeek })).toEqual(all('present'))
    expect(pulls).toHaveLength(4)
  })

  test('are built if no registry responds, after one attempt, once a week', async () => {
    const { prepare, pulls, log, memory } = setUp('silent')
    expect(await prepare({ bases: [site, node] })).toEqual({ static: 'made', node: 'made' })
    expect(pulls).toEqual([site.reference])
    expect(log.join('\n')).toContain('caddy:2: building from Debian packages (for development')
    expect((await memory.findImage('caddy:2'))?.labels[keyLabel]).toMatch(/^[0-9a-f]{16}$/)
    expect(await prepare({ bases: [site, node] })).toEqual({ static: 'present', node: 'present' })
    expect(await prepare({ bases: [site], now: () => nextWeek })).toEqual({ static: 'made' })
  })

  test('are kept if the builder gives them the label of their stage', async () => {
    const { engine, prepare } = setUp('silent')
    const buildImage: ContainerEngine['buildImage'] = (context, options) =>
      engine.buildImage(context, { ...options, labels: { ...options.labels, [stageLabel]: 'yes' } })
    await prepare({ bases: [site], engine: { ...engine, buildImage } })
    expect(await prepare({ bases: [site] })).toEqual({ static: 'present' })
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
    await prepare({ bases: [site], now: () => new Date() })
    expect(await there()).toEqual(all)
    await prepare({ bases: [node], now: () => new Date(Date.now() + 7200_000) })
    expect(await there()).toEqual(others)
  }) // oxfmt-ignore

  test('stay in use if the update fails', async () => {
    const { prepare, memory, log } = setUp('silent')
    await prepare({ bases: [site] })
    memory.fail = 'build'
    expect(await prepare({ bases: [site], now: () => nextWeek })).toEqual({ static: 'present' })
    expect(log.at(-1)).toContain('not updated')
  })

  test('with custom names are never built, and do not block the others', async () => {
    const { prepare, log } = setUp('does not know it')
    const own = { ...node, reference: 'registry.example.com/node:1' }
    expect(await prepare({ bases: [own, site] })).toEqual({ node: 'failed', static: 'made' })
    expect(log).toContain('registry.example.com/node:1: is not on the container engine and cannot be pulled. Load it with: docker load')
  }) // oxfmt-ignore

  test.each<[string, Run, RegExp]>([
    ['missing', () => Promise.reject(new ProcessError('x', 'missing', undefined, '')), /apt-get install mmdebstrap/],
    ['failing half way', async (argv, options) => {
      await debootstraps(argv, options)
      throw new ProcessError('mmdebstrap: exited with 1', 'failed', 1, 'E: no mirror\n')
    }, /exited with 1: E: no mirror/]
  ])('a mmdebstrap that is %s leaves no image', async (_, run, problem) => {
    const { memory } = setUp('silent')
    const engine = { ...memory, pullImage: () => Promise.reject(new EngineError('no', 500)) }
    const options = { engine, bases: [site], log: () => {}, run }
    expect(await prepareBaseImages(options)).toMatchObject([{ outcome: 'failed', problem: expect.stringMatching(problem) as string }])
    expect(await memory.findImage(baseRecipe.reference)).toBeUndefined()
  }) // oxfmt-ignore

  test('try a base that cannot be made once, whatever is made of it', async () => {
    const { prepare } = setUp('silent')
    let runs = 0
    const run: Run = async () => {
      runs++
      throw new ProcessError('mmdebstrap: exited with 1', 'failed', 1, 'E: no mirror')
    }
    expect(await prepare({ bases: [site, node], run })).toEqual({ static: 'failed', node: 'failed' })
    expect(runs).toBe(1)
  })
})

describe('the compilers image', () => {
  const task = (log: string[] = []) => ({
    onLog: (text: string) => log.push(text),
    signal: new AbortController().signal
  })

  test('is built on the Node.js image without a registry, and rebuilt when that changes', async () => {
    const { memory, pulls } = setUp('answers')
    const options = { engine: { ...memory, pullImage: async (name: string) => void pulls.push(name) }, log: () => {}, run: debootstraps, now: () => monday }
    const reference = compilersReference(node.reference)
    const prepare = () => prepareCompilers(options, reference, node.reference)
    await expect(prepare()).rejects.toThrow(`The image ${node.reference} does not exist`)
    await memory.pullImage(node.reference, () => {})
    await prepare()
    const first = await memory.findImage(reference)
    await prepare()
    expect((await memory.findImage(reference))?.id).toBe(first?.id)
    await memory.removeImage(node.reference)
    await memory.pullImage(node.reference, () => {})
    await prepare()
    expect((await memory.findImage(reference))?.id).not.toBe(first?.id)
    expect(pulls).toEqual([])
  }) // oxfmt-ignore

  test('with a custom name is pulled', async () => {
    const { memory, prepare, pulls } = setUp('answers')
    await prepare({ bases: [node] })
    const engine = { ...memory, pullImage: async (name: string) => (pulls.push(name), memory.pullImage(name, () => {})) }
    await prepareCompilers({ engine, log: () => {} }, 'registry.example.com/node:24', node.reference)
    expect(pulls.at(-1)).toBe('registry.example.com/node:24')
  }) // oxfmt-ignore

  test('logs a failed build and does not retry at once', async () => {
    const { memory } = setUp('silent')
    await memory.pullImage(node.reference, () => {})
    let builds = 0
    let time = monday
    const engine = { ...memory, buildImage: async () => {
      builds++
      throw new EngineError('no mirror answers', 500)
    } } // oxfmt-ignore
    const images = { compilers: () => compilersReference(node.reference) }
    const check = createBaseImageCheck({ engine, images, run: debootstraps, now: () => time })
    const log: string[] = []
    expect([await check.ensureCompilers(node, task(log)), await check.ensureCompilers(node, task(log)), builds]).toEqual([false, false, 1])
    expect(log.at(-1)).toMatch(/^Note: The compilers image is unavailable, .*no mirror answers/s)
    time = new Date(monday.getTime() + 700_000)
    await check.ensureCompilers(node, task())
    expect(builds).toBe(2)
  }) // oxfmt-ignore
})

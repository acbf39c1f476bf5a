import { randomBytes } from 'node:crypto'
import { PassThrough, type Readable } from 'node:stream'
import { pack } from 'tar-stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type {
  BuildOptions,
  ContainerEngine,
  ContainerSpec,
  NetworkState
} from '../../src/infra/container-engine/container-engine.ts'

/** Requires a runnable image with /bin/busybox, /bin/sh, /bin/sleep and /bin/httpd and a function that removes it. */
interface EngineUnderTest {
  engine: ContainerEngine
  image: string
  dispose: () => Promise<void>
}

export function buildContext(files: Readonly<Record<string, string>>): Readable {
  const archive = pack()
  for (const [name, content] of Object.entries(files)) archive.entry({ name }, content)
  archive.finalize()
  return archive.pipe(new PassThrough())
}

/** Unique across runs and across panels on one engine. */
export const uniqueName = (word: string): string => `panel-test-${word}-${randomBytes(6).toString('hex')}`

let lastPort = 20_000 + Math.floor(Math.random() * 5_000)
/** Below the ephemeral port range. */
const nextPort = (): number => ++lastPort

export const buildOptions = (image: Pick<BuildOptions, 'tag' | 'labels'> & Partial<BuildOptions>): BuildOptions => ({
  dockerfile: 'Dockerfile',
  memoryBytes: 128 * 2 ** 20,
  cpus: 1,
  pids: 64,
  signal: new AbortController().signal,
  onLog: () => {},
  ...image
})

/** A small container with a read-only root. */
export const containerSpec = (
  given: Pick<ContainerSpec, 'image' | 'labels' | 'command' | 'network' | 'address'> & Partial<ContainerSpec>
): ContainerSpec => ({
  name: uniqueName('container'),
  env: {},
  user: '20001:20001',
  hostPort: nextPort(),
  containerPort: 8080,
  memoryBytes: 64 * 2 ** 20,
  cpus: 0.5,
  pids: 32,
  readOnlyRoot: true,
  volumes: [],
  binds: [],
  ...given
})

/** Contract of the memory engine, which runs no programs, and the real one. */
export function describeContainerEngine(
  name: string,
  makeEngine: () => Promise<EngineUnderTest>,
  { runsPrograms = true } = {}
): void {
  describe(`container engine: ${name}`, () => {
    const labels = { 'panel.instance': uniqueName('instance') }
    const networkName = uniqueName('network')
    let subject: EngineUnderTest
    let engine: ContainerEngine
    let network: NetworkState
    let lastAddress = 9

    const specOf = (changes: Partial<ContainerSpec> = {}): ContainerSpec =>
      containerSpec({
        image: subject.image,
        labels,
        command: ['/bin/sleep', '600'],
        network: networkName,
        address: network.subnet.replace(/\.0\/20$/, `.${++lastAddress}`),
        ...changes
      })

    beforeAll(async () => {
      subject = await makeEngine()
      engine = subject.engine
      network = await engine.ensureNetwork(networkName, labels)
    })

    afterAll(async () => {
      for (const { id } of await engine.listContainers(labels)) await engine.removeContainer(id)
      for (const volume of await engine.listVolumes(labels)) await engine.removeVolume(volume)
      for (const { id, tags } of await engine.listImages(labels)) await engine.removeImage(tags[0] ?? id)
      await engine.removeNetwork(networkName)
      await subject.dispose()
    })

    test('returns its version', async () => {
      expect(await engine.ping()).toMatch(/\w/)
    })

    test('a network is created once by concurrent callers', async () => {
      const name = uniqueName('network')
      const states = await Promise.all([1, 2, 3].map(() => engine.ensureNetwork(name, labels)))
      const again = await engine.ensureNetwork(name, labels)
      expect(states).toEqual([again, again, again])
      expect(again.subnet).toMatch(/^\d+\.\d+\.\d+\.0\/20$/)
      expect(again.gateway).toBe(again.subnet.replace(/\.0\/20$/, '.1'))
      expect(again.subnet).not.toBe(network.subnet)
      await engine.removeNetwork(name)
      await engine.removeNetwork(name)
    })

    test('a small network with a named bridge is created once by concurrent callers', async () => {
      const [name, bridge] = [uniqueName('network'), `pt${randomBytes(4).toString('hex')}`]
      const ensure = () => engine.ensureNetwork(name, labels, { prefixLength: 28, bridge })
      const states = await Promise.all([1, 2, 3].map(ensure))
      const again = await ensure()
      expect(states).toEqual([again, again, again])
      expect(again).toMatchObject({ name, bridge, subnet: expect.stringMatching(/^\d+\.\d+\.\d+\.\d+\/28$/) })
      const other = await engine.ensureNetwork(`${name}-b`, labels, { prefixLength: 28, bridge: `${bridge}b` })
      expect(other.subnet).not.toBe(again.subnet)
      await expect(engine.ensureNetwork(`${name}-c`, labels, { bridge })).rejects.toMatchObject({ name: 'EngineError' })
      const unavailable = await engine.ensureNetwork(`${name}-d`, labels, {
        prefixLength: 28,
        avoid: ['10.254.0.0/16']
      })
      expect(unavailable.subnet).not.toMatch(/^10\.254\./)
      for (const each of [name, `${name}-b`, `${name}-d`]) await engine.removeNetwork(each)
    })

    test('a network on a given subnet is created there or not at all', async () => {
      const [name, bridge] = [uniqueName('network'), `pt${randomBytes(4).toString('hex')}`]
      const free = await engine.ensureNetwork(`${name}-a`, labels, { prefixLength: 28 })
      await expect(engine.ensureNetwork(name, labels, { bridge, subnet: free.subnet })).rejects.toMatchObject({
        name: 'EngineError',
        status: 409,
        message: expect.stringContaining(free.subnet)
      })
      expect(await engine.takenSubnets()).toContain(free.subnet)
      await engine.removeNetwork(`${name}-a`)
      const states = await Promise.all(
        [1, 2].map(() => engine.ensureNetwork(name, labels, { bridge, subnet: free.subnet }))
      )
      expect(states).toEqual([1, 2].map(() => ({ name, subnet: free.subnet, gateway: free.gateway, bridge })))
      const other = free.subnet.replace(/\/28$/, '/29')
      expect(await engine.ensureNetwork(name, labels, { bridge, subnet: other })).toMatchObject({ subnet: free.subnet })
      await engine.removeNetwork(name)
      expect(await engine.takenSubnets()).not.toContain(free.subnet)
    })

    test('lists networks by label with their bridges', async () => {
      const own = { ...labels, 'panel.project': uniqueName('project') }
      const state = await engine.ensureNetwork(uniqueName('network'), own)
      expect(state.bridge).toMatch(/^br-[0-9a-f]{12}$/)
      expect(await engine.listNetworks(own)).toEqual([
        { id: expect.stringMatching(/^[0-9a-f]{64}$/), name: state.name, labels: own, bridge: state.bridge }
      ])
      expect((await engine.listNetworks(labels)).map(({ name }) => name)).toContain(networkName)
      await expect(engine.listNetworks({})).rejects.toThrow(TypeError)
      await engine.removeNetwork(state.name)
      expect(await engine.listNetworks(own)).toEqual([])
    })

    test('reports container events', async () => {
      const stop = new AbortController()
      let changes = 0
      const watching = engine.watchContainers(labels, () => changes++, stop.signal)
      await expect.poll(() => changes).toBe(1)
      const id = await engine.createContainer(specOf())
      for (const operation of [
        () => engine.startContainer(id),
        () => engine.stopContainer(id, 0),
        () => engine.removeContainer(id)
      ]) {
        const before = changes
        await operation()
        await expect.poll(() => changes, { timeout: 10_000 }).toBeGreaterThan(before)
      }
      stop.abort()
      await watching
      await expect(engine.watchContainers({}, () => {}, stop.signal)).rejects.toThrow(TypeError)
    })

    test('a followed log ends with the container or on abort', async () => {
      const read = async (id: string, signal: AbortSignal) => {
        let text = ''
        for await (const chunk of engine.followLogs(id, { tail: 10 }, signal)) text += chunk.text
        return text
      }
      const stop = new AbortController()
      const { signal } = new AbortController()
      await expect(read(uniqueName('none'), signal)).rejects.toMatchObject({ status: 404 })
      const id = await engine.createContainer(specOf())
      await engine.startContainer(id)
      const stopped = read(id, stop.signal)
      const ended = read(id, signal)
      stop.abort()
      expect(await stopped).toBe('')
      await engine.stopContainer(id, 0)
      expect(await ended).toBe('')
      await engine.removeContainer(id)
    })

    test('returns its data directory', async () => {
      expect(await engine.storageDirectory()).toMatch(/^\//)
    })

    test('a network with a running container is kept', async () => {
      const { name, subnet } = await engine.ensureNetwork(uniqueName('network'), labels)
      const address = subnet.replace(/\.0\/20$/, '.10')
      const id = await engine.createContainer(specOf({ network: name, address }))
      await engine.startContainer(id)
      await expect(engine.removeNetwork(name)).rejects.toMatchObject({ name: 'EngineError', status: 403 })
      await engine.removeContainer(id)
      await engine.removeNetwork(name)
    })

    test('container lifecycle', async () => {
      const spec = specOf()
      const id = await engine.createContainer(spec)
      expect(await engine.findContainer(id)).toMatchObject({
        ...{ id, name: spec.name, labels, image: spec.image, restartCount: 0 },
        ...{ status: 'created', running: false, address: undefined }
      })
      await engine.startContainer(id)
      await engine.startContainer(id)
      expect(await engine.findContainer(id)).toMatchObject({
        ...{ status: 'running', running: true, restarting: false, outOfMemory: false, address: spec.address }
      })
      await engine.restartContainer(id, 5)
      expect(await engine.findContainer(id)).toMatchObject({ running: true, address: spec.address })
      await engine.stopContainer(id, 5)
      await engine.stopContainer(id, 5)
      expect(await engine.findContainer(id)).toMatchObject({ status: 'exited', running: false, exitCode: 143 })
      await engine.removeContainer(id)
      await engine.removeContainer(id)
      expect(await engine.findContainer(id)).toBeUndefined()
    })

    test('a running container is removed, also concurrently', async () => {
      const id = await engine.createContainer(specOf())
      await engine.startContainer(id)
      await Promise.all([engine.removeContainer(id), engine.removeContainer(id)])
      expect(await engine.findContainer(id)).toBeUndefined()
    })

    test('a port is free except while published', async () => {
      const spec = specOf()
      expect(await engine.isPortFree(spec.hostPort!)).toBe(true)
      const id = await engine.createContainer(spec)
      await engine.startContainer(id)
      expect(await engine.isPortFree(spec.hostPort!)).toBe(false)
      await engine.removeContainer(id)
      await expect.poll(() => engine.isPortFree(spec.hostPort!)).toBe(true)
    })

    test('an endpoint responds when a program listens', async () => {
      const probe = { path: '/', hostname: 'site.test', timeoutMs: 2_000, signal: new AbortController().signal }
      const spec = specOf({ command: ['/bin/httpd', '-f', '-p', '8080'] })
      const endpoint = { address: spec.address, port: spec.containerPort }
      const id = await engine.createContainer(spec)
      expect(await engine.httpStatus(endpoint, probe)).toBeUndefined()
      await engine.startContainer(id)
      await expect.poll(() => engine.httpStatus(endpoint, probe)).toBe(404)
      expect(await engine.acceptsConnections(endpoint, probe)).toBe(true)
      expect(await engine.listListening(id)).toEqual([{ port: 8080, isLocal: false }])
      expect(await engine.httpStatus({ ...endpoint, port: 8081 }, probe)).toBeUndefined()
      expect(await engine.acceptsConnections({ ...endpoint, port: 8081 }, probe)).toBe(false)
      await engine.stopContainer(id, 1)
      expect(await engine.httpStatus(endpoint, probe)).toBeUndefined()
      expect(await engine.listListening(id)).toBeUndefined()

      const silent = specOf()
      await engine.startContainer(await engine.createContainer(silent))
      expect(await engine.httpStatus({ address: silent.address, port: silent.containerPort }, probe)).toBeUndefined()
    })

    test('finds containers by labels only', async () => {
      const own = { ...labels, 'panel.project': uniqueName('project') }
      const spec = specOf({ labels: own })
      const id = await engine.createContainer(spec)
      await engine.createContainer(specOf({ labels: { ...labels, 'panel.project': 'another' } }))
      const [found, ...others] = await engine.listContainers(own)
      expect(found).toMatchObject({ id, labels: own, status: 'created', image: subject.image })
      expect([found?.address, others]).toEqual([undefined, []])
      await engine.startContainer(id)
      expect(await engine.listContainers(own)).toMatchObject([{ id, address: spec.address }])
      await expect(engine.listContainers({})).rejects.toThrow(TypeError)
      expect(await engine.listContainerSizes(own)).toMatchObject([{ labels: own, writtenBytes: expect.any(Number) }])
      await expect(engine.listContainerSizes({})).rejects.toThrow(TypeError)
      expect((await engine.listContainerSizes(own))[0]!.id).toBe(id)
      expect([...(await engine.countContainerFiles([uniqueName('none')]))]).toEqual([])
    })

    test('returns resource usage of running containers', async () => {
      const [one, stopped] = [await engine.createContainer(specOf()), await engine.createContainer(specOf())]
      for (const id of [one, stopped]) await engine.startContainer(id)
      await engine.stopContainer(stopped, 0)
      const figures = await engine.readFigures([one, stopped, 'f'.repeat(64), '../info'])
      expect([...figures.keys()]).toEqual([one])
      const { cpuSeconds, memoryUsed, memoryLimit, network } = figures.get(one)!
      expect(memoryLimit).toBe(64 * 2 ** 20)
      for (const figure of [cpuSeconds, memoryUsed]) expect(figure).toBeGreaterThan(0)
      for (const bytes of [network?.received, network?.sent]) expect(bytes).toBeGreaterThanOrEqual(0)
    })

    test.runIf(runsPrograms)(
      'a terminal has a size, and its processes end with it, also one that ignores SIGHUP',
      async () => {
        const id = await engine.createContainer(specOf())
        await engine.startContainer(id)
        const size = { columns: 100, rows: 30 }
        const terminalId = await engine.createTerminal(id, { command: ['/bin/sh'], env: { TERM: 'dumb' }, ...size })
        const stream = await engine.startTerminal(terminalId, size)
        let text = ''
        stream.on('data', (chunk: Buffer) => (text += chunk.toString())).on('error', () => {})
        stream.write("(trap '' HUP; exec sleep 999) &\necho $TERM; /bin/busybox stty size\n")
        await expect.poll(() => text, { timeout: 30_000 }).toMatch(/dumb\r\n30 100\r\n/)
        await engine.resizeTerminal(terminalId, { columns: 132, rows: 40 })
        stream.write('/bin/busybox stty size\n')
        await expect.poll(() => text, { timeout: 30_000 }).toContain('40 132')
        stream.destroy()
        await engine.endTerminal(terminalId)
        await engine.endTerminal(terminalId)
        expect((await execute(id, '/bin/busybox ps')).stdout).not.toContain('sleep 999')

        const failing = await engine.createTerminal(id, { command: ['/bin/sh', '-c', 'exit 3'], env: {}, ...size })
        await engine.startTerminal(failing, size)
        expect(await engine.endTerminal(failing)).toBe(3)
        await engine.stopContainer(id, 0)
        await expect(engine.createTerminal(id, { command: ['/bin/sh'], env: {}, ...size })).rejects.toMatchObject({
          status: 409
        })
      }
    )

    const execute = (id: string, script: string, timeoutMs = 30_000) =>
      engine.execute(id, { command: ['/bin/sh', '-c', script], input: 'input', timeoutMs, maxOutputBytes: 10_000 })

    test.runIf(runsPrograms)('a program reads its input, and is stopped after its time', async () => {
      const id = await engine.createContainer(specOf())
      await engine.startContainer(id)
      expect(await execute(id, 'cat; echo problem >&2; exit 4')).toEqual({
        stdout: 'input',
        stderr: 'problem\n',
        exitCode: 4
      })
      await expect(execute(id, 'exec sleep 998', 1_000)).rejects.toMatchObject({ kind: 'container-engine-refused' })
      expect((await execute(id, '/bin/busybox ps')).stdout).not.toContain('sleep 998')
      await expect(execute(id, 'yes')).rejects.toMatchObject({ kind: 'container-engine-refused' })
    })

    test.runIf(runsPrograms)('files of writable layers are counted', async () => {
      const script = 'for n in $(seq 40); do : > /made-$n; done; echo END; exec sleep 600'
      const id = await engine.createContainer(
        specOf({ command: ['/bin/sh', '-c', script], readOnlyRoot: false, user: '0:0' })
      )
      await engine.startContainer(id)
      await expect.poll(() => engine.containerLogs(id, 10), { timeout: 30_000 }).toContain('END')
      const counted = await engine.countContainerFiles([id, uniqueName('none')])
      expect([...counted.keys()]).toEqual([id])
      expect(counted.get(id)).toBeGreaterThanOrEqual(40)
    })

    test('refuses a duplicate name, an unknown image and a missing container', async () => {
      const spec = specOf()
      await engine.createContainer(spec)
      await expect(engine.createContainer(specOf({ name: spec.name }))).rejects.toMatchObject({ status: 409 })
      await expect(engine.createContainer(specOf({ image: uniqueName('none') }))).rejects.toMatchObject({ status: 404 })
      await expect(engine.startContainer(uniqueName('none'))).rejects.toMatchObject({
        name: 'EngineError',
        status: 404
      })
      await expect(engine.containerLogs(uniqueName('none'), 10)).rejects.toMatchObject({ status: 404 })
    })

    test('named volumes carry the container’s labels and outlive it', async () => {
      const own = { ...labels, 'panel.project': uniqueName('project') }
      const volume = uniqueName('volume')
      const id = await engine.createContainer(specOf({ labels: own, volumes: [{ name: volume, target: '/data' }] }))
      await expect(engine.removeVolume(volume)).rejects.toMatchObject({ name: 'EngineError', status: 409 })
      await engine.removeContainer(id)
      expect(await engine.listVolumes(own)).toEqual([volume])
      await engine.removeVolume(volume)
      await engine.removeVolume(volume)
      expect(await engine.listVolumes(own)).toEqual([])
    })

    test('a build creates a labelled image, protected while in use', async () => {
      const own = { ...labels, 'panel.project': uniqueName('project') }
      const tag = `${uniqueName('image')}:1`
      let log = ''
      const options = buildOptions({ tag, labels: own, onLog: (text) => (log += text) })
      const imageId = await engine.buildImage(buildContext({ Dockerfile: `FROM ${subject.image}\n` }), options)
      expect(log).toContain('Step 1/')
      expect(await engine.findImage(tag)).toMatchObject({ id: imageId, tags: [tag], labels: own })
      expect(await engine.listImages(own)).toMatchObject([{ id: imageId, tags: [tag], labels: own }])
      const listed = async () => (await engine.listAllImages()).find((image) => image.id === imageId)
      expect(await listed()).toMatchObject({ tags: [tag], labels: own, isInUse: false })
      const id = await engine.createContainer(specOf({ image: tag }))
      expect(await listed()).toMatchObject({ isInUse: true })
      await expect(engine.removeImage(tag)).rejects.toMatchObject({ name: 'EngineError', status: 409 })
      await engine.removeContainer(id)
      await engine.removeImage(tag)
      await engine.removeImage(tag)
      expect(await engine.findImage(tag)).toBeUndefined()
    })

    test('a failing step rejects with its output', async () => {
      const context = buildContext({ Dockerfile: `FROM ${subject.image}\nRUN exit 7\n` })
      const work = engine.buildImage(context, buildOptions({ tag: uniqueName('image'), labels }))
      await expect(work).rejects.toMatchObject({
        name: 'EngineError',
        message: expect.stringContaining('non-zero code: 7')
      })
    })

    test('a broken context rejects with its error', async () => {
      const context = new PassThrough()
      const work = engine.buildImage(context, buildOptions({ tag: uniqueName('image'), labels }))
      context.write('half')
      const broken = new Error('the repository is damaged')
      setTimeout(() => context.destroy(broken), 20)
      await expect(work).rejects.toBe(broken)
    })

    test('an aborted build rejects with the reason', async () => {
      const reason = new Error('cancelled by its owner')
      for (const delayMs of [undefined, 20]) {
        const abort = new AbortController()
        const context = new PassThrough()
        if (delayMs === undefined) abort.abort(reason)
        const options = buildOptions({ tag: uniqueName('image'), labels, signal: abort.signal })
        const work = engine.buildImage(context, options)
        if (delayMs !== undefined) setTimeout(() => abort.abort(reason), delayMs)
        await expect(work).rejects.toBe(reason)
        expect(context.destroyed).toBe(true)
      }
    })
  })
}

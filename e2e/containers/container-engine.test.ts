import { ownedBytes } from '../../packages/server/src/features/builds/image-disk.policy.ts'
import { chown, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { spawn } from 'node:child_process'
import { createServer, type Server } from 'node:net'
import { availableParallelism, networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import Docker from 'dockerode'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  buildContext,
  buildOptions,
  containerSpec,
  describeContainerEngine,
  uniqueName
} from '../../packages/server/test/contracts/container-engine.contract.ts'
import type {
  ContainerEngine,
  ContainerSpec,
  LogPosition,
  NetworkState
} from '../../packages/server/src/infra/container-engine/container-engine.ts'
import { machineCgroups } from '../../packages/server/src/infra/cgroup/machine-cgroups.ts'
import type { CgroupPath } from '../../packages/server/src/infra/cgroup/cgroup.ts'
import { createDockerEngine } from '../../packages/server/src/infra/container-engine/docker.ts'
import { hasPoisonableCache } from '../../packages/server/src/infra/container-engine/poisonable-cache.ts'

import { runTrialContainer } from '../../packages/server/src/infra/container-engine/trial-container.ts'
import { createLinuxHostMetrics } from '../../packages/server/src/infra/host-metrics/linux-host-metrics.ts'
import { run } from '../../packages/server/src/infra/process/run.ts'
import { busyboxRoot } from '../support/busybox.ts'
import { findObjects } from '../support/engine.ts'
import { withResolvers } from '../../packages/server/test/support/with-resolvers.ts'

const socketPath = process.env.DOCKER_SOCKET ?? '/var/run/docker.sock'
const docker = new Docker({ socketPath })
/** Own prefix, so that builds of other panels on this machine are not counted. */
const cgroupPrefix = `paneltest${process.pid}x`
const image = `${uniqueName('busybox')}:1`

const importBusybox = async (engine: ContainerEngine) =>
  engine.importImage(await busyboxRoot(), image, ['LABEL panel.test=busybox', 'EXPOSE 8080', 'USER 20001'])

describeContainerEngine('docker', async () => {
  const engine = createDockerEngine({ socketPath })
  await importBusybox(engine)
  return { engine, image, dispose: () => engine.removeImage(image) }
})

/** CPU seconds of a process; 0 if it has exited. */
async function processorSeconds(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / 100
}

describe('docker, with processes', () => {
  const cages: CgroupPath = [`cages${cgroupPrefix}`, 'accounts']
  const builds: CgroupPath = [`cages${cgroupPrefix}builds`]
  const neighbours: CgroupPath = [`cages${cgroupPrefix}neighbours`]
  const accountCages = { path: cages, builds, limits: { memoryBytes: 64 * 2 ** 20, weight: 100 } }
  const engine = createDockerEngine({ socketPath, cgroupPrefix, accountCages })
  const cgroups = machineCgroups(run)
  const labels = { 'panel.instance': uniqueName('instance') }
  const networkName = uniqueName('network')
  let network: NetworkState
  let lastAddress = 9

  beforeAll(async () => {
    await importBusybox(engine)
    network = await engine.ensureNetwork(networkName, labels)
  })

  afterAll(async () => {
    for (const { id } of await engine.listContainers(labels)) await engine.removeContainer(id)
    for (const volume of await engine.listVolumes(labels)) await engine.removeVolume(volume)
    await removeImages(engine, labels)
    await engine.removeNetwork(networkName)
    await engine.removeImage(image)
    for (const account of ['20001', '20002']) await cgroups.remove([...cages, account])
    await cgroups.remove(cages)
    await cgroups.remove([cages[0]])
    await cgroups.remove(builds)
    await cgroups.remove(neighbours)
  })

  const specOf = (script: string): ContainerSpec =>
    containerSpec({
      image,
      labels,
      command: ['/bin/sh', '-c', `${script}\necho END; exec sleep 600`],
      network: networkName,
      address: network.subnet.replace(/\.0\/20$/, `.${++lastAddress}`)
    })

  const start = async (script: string, changes: Partial<ContainerSpec> = {}) => {
    const spec = { ...specOf(script), ...changes }
    const id = await engine.createContainer(spec)
    await engine.startContainer(id)
    return { id, spec }
  }

  const logsToEnd = async (id: string, tail = 10_000): Promise<string> => {
    // Not always the last line: the engine interleaves the two streams.
    await expect.poll(() => engine.containerLogs(id, tail), { timeout: 60_000, interval: 100 }).toMatch(/(^|\n)END\n/)
    return engine.containerLogs(id, tail)
  }

  const build = (steps: string, changes: Partial<Parameters<typeof buildOptions>[0]> = {}) => {
    // The label comes first, so that leftovers of failed builds are found too.
    const label = `LABEL panel.instance=${labels['panel.instance']}`
    const context = buildContext({ Dockerfile: `FROM ${image}\n${label}\nUSER 0\n${steps}\n` })
    return engine.buildImage(context, buildOptions({ tag: uniqueName('image'), labels, ...changes }))
  }

  test('container metrics match the kernel', async () => {
    const { id } = await start('true')
    await logsToEnd(id)
    const kernel = (await createLinuxHostMetrics().readContainers([id])).get(id)!
    const requested = (await engine.readFigures([id])).get(id)!
    expect(requested.memoryLimit).toBe(kernel.memoryLimit)
    expect(Math.abs(requested.memoryUsed! - kernel.memoryUsed!)).toBeLessThan(2 ** 20)
    expect(Math.abs(requested.cpuSeconds! - kernel.cpuSeconds!)).toBeLessThan(0.5)
    expect(requested.network!.received).toBeGreaterThanOrEqual(kernel.network!.received)
  })

  test('following 20,000 log lines: a slow reader gets all of them beside a fast one', async () => {
    const stop = new AbortController()
    const script = 'sleep 1; seq 1 10000; printf "\\033[31mred\\033[0m\\033[2J\\n" >&2; seq 10001 20000'
    const { id } = await start(script)
    const isLast = (text: string) => text.slice(-200_000).includes('\n20000\nEND\n') && text.includes('red')
    const before = process.memoryUsage().rss
    const gate = withResolvers()
    const slow = (async () => {
      let text = ''
      for await (const chunk of engine.followLogs(id, { tail: 10 }, stop.signal)) {
        if (text === '') await gate.promise
        text += chunk.text
        expect(chunk.text.length).toBeLessThanOrEqual(96 * 1024)
        if (isLast(text)) break
      }
      return text
    })()
    let fast = ''
    for (let after: LogPosition | undefined; !isLast(fast);) {
      const enough = fast.length + 20_000
      for await (const chunk of engine.followLogs(id, { tail: 10, after }, stop.signal)) {
        fast += chunk.text
        after = chunk.position
        if (isLast(fast) || fast.length > enough) break
      }
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 2 ** 20)
    gate.resolve()
    const numbers = (from: number) => Array.from({ length: 10_000 }, (_, index) => `${from + index}\n`).join('')
    const red = '\u001b[31mred\u001b[0m\n'
    for (const text of [fast, await slow]) {
      // The engine reads stdout and stderr separately, so their order is not defined.
      expect(text).toContain(red)
      expect(text.replace(red, '')).toBe(`${numbers(1)}${numbers(10_001)}END\n`)
    }
    stop.abort()
    await engine.removeContainer(id)
  })

  test('a build from scratch does not reuse layers of a foreign image as cache', async () => {
    const isPoisonable = hasPoisonableCache(await engine.ping())
    const logs: string[] = []
    for (const fromScratch of [true, true, false]) {
      const log: string[] = []
      const context = buildContext({ Dockerfile: `FROM scratch\nLABEL panel.instance=${labels['panel.instance']}\n` })
      const onLog = (text: string) => void log.push(text)
      await engine.buildImage(context, buildOptions({ tag: uniqueName('image'), labels, fromScratch, onLog }))
      logs.push(log.join(''))
    }
    expect(logs.map((log) => log.includes('Using cache'))).toEqual([false, !isPoisonable, true])
  })

  test('containers of an account share one cgroup limit; builds have their own cgroup', async () => {
    const account = 20_001
    const place = `/${cages.join('/')}/${account}`
    const changes = { account, memoryBytes: 512 * 2 ** 20 }
    const { id } = await start('head -c 20m /dev/zero | tail -c 20m | sleep 600 & sleep 1', changes)
    await logsToEnd(id)
    const { State } = await docker.getContainer(id).inspect()
    expect(await readFile(`/proc/${State.Pid}/cgroup`, 'utf8')).toContain(`${place}/`)
    expect(await readFile(`/proc/${State.Pid}/oom_score_adj`, 'utf8')).toBe('500\n')
    const hungry = 'head -c 60m /dev/zero | tail -c 60m >/dev/null && echo fed'
    expect(await logsToEnd((await start(hungry, changes)).id)).not.toContain('fed')
    const other = { ...changes, account: 20_002 }
    expect(await logsToEnd((await start(hungry, other)).id)).toContain('fed')

    const abort = new AbortController()
    const built = build('RUN sleep 600', { account, signal: abort.signal }).catch(() => {})
    const inBuild = () => cgroups.listPids([...builds, String(account)])
    const scores = async () =>
      Promise.all((await inBuild()).map((pid) => readFile(`/proc/${pid}/oom_score_adj`, 'utf8')))
    await expect
      .poll(async () => new Set(await scores().catch(() => [])), { timeout: 30_000 })
      .toEqual(new Set(['500\n']))
    // I/O schedulers with classes (BFQ, mq-deadline) serve it last.
    const [pid] = await inBuild()
    expect((await run(['ionice', '--pid', String(pid)], { timeoutMs: 5_000 })).stdout).toBe('idle\n')
    abort.abort(new Error('cancelled'))
    await built
  })

  test('a build gets less CPU than any site', async () => {
    const cpus = availableParallelism()
    const busy = `for i in $(seq ${2 * cpus}); do while :; do :; done & done; wait`
    const abort = new AbortController()
    const built = build(`RUN ${busy}`, { account: 20_001, cpus, signal: abort.signal }).catch(() => {})
    const { id } = await start(busy, { account: 20_002, cpus })
    const beside = Array.from({ length: 2 * cpus }, () => spawn('/bin/sh', ['-c', 'while :; do :; done']))
    await cgroups.ensure(neighbours, { weight: 100 })
    for (const { pid } of beside) await cgroups.enter(neighbours, pid!)
    try {
      const pidsOf = {
        build: () => cgroups.listPids([...builds, '20001']),
        site: () => cgroups.listPids([...cages, '20002']),
        beside: async () => beside.map(({ pid }) => pid!)
      }
      const seconds = async (name: keyof typeof pidsOf) =>
        (await Promise.all((await pidsOf[name]()).map(processorSeconds))).reduce((sum, one) => sum + one, 0)
      const all = async () => ({
        build: await seconds('build'),
        site: await seconds('site'),
        beside: await seconds('beside')
      })
      await expect.poll(async () => Math.min(...Object.values(await all())), { timeout: 120_000 }).toBeGreaterThan(0.2)
      const before = await all()
      const used = async () => {
        const now = await all()
        return { build: now.build - before.build, site: now.site - before.site, beside: now.beside - before.beside }
      }
      await expect.poll(async () => (await used()).site, { timeout: 120_000 }).toBeGreaterThan(2)
      const { build, site, beside: others } = await used()
      // Expected share is one fifth; with equal weights it would be 1.
      expect(build).toBeGreaterThan(0)
      expect(site / build).toBeGreaterThan(2)
      expect(others / build).toBeGreaterThan(2)
    } finally {
      for (const one of beside) one.kill('SIGKILL')
      abort.abort(new Error('cancelled'))
      await built
      await engine.removeContainer(id)
    }
  })

  test('every byte of the environment arrives', async () => {
    const env = {
      QUOTES: `it's "quoted" \`and\` \\ back`,
      DOLLAR: '$HOME ${HOME} $$ $(id) %s',
      HASH: '# no comment #',
      LINES: 'one\ntwo\r\n\tthree\n',
      UNICODE: 'ünïcode ✓ 🎉 \u200b',
      EMPTY: '',
      SPACES: '  around  ',
      LARGE: 'x€'.repeat(16 * 1024)
    }
    const { id } = await start('base64 /proc/$$/environ', { env })
    const found = Buffer.from((await logsToEnd(id)).replace(/END\n$/, ''), 'base64').toString('utf8')
    const variables = Object.fromEntries(
      found.split('\0').map((pair) => [pair.split('=')[0]!, pair.slice(pair.indexOf('=') + 1)])
    )
    expect(Buffer.byteLength(env.LARGE)).toBe(64 * 1024)
    expect(variables).toMatchObject(env)
  })

  test('a container has no capability, no new privileges, its own user and a read-only root', async () => {
    const { id } = await start(
      "grep -E '^(Uid|Gid|Groups|CapEff|CapPrm|CapBnd|NoNewPrivs|Seccomp):' /proc/self/status\n" +
        'touch /x; touch /tmp/x && echo tmp is writable; grep " /tmp " /proc/mounts'
    )
    const log = await logsToEnd(id)
    expect(log).toMatch(/Uid:\t20001\t20001\t20001\t20001/)
    for (const set of ['CapEff', 'CapPrm', 'CapBnd']) expect(log).toContain(`${set}:\t0000000000000000`)
    expect(log).toMatch(/NoNewPrivs:\t1/)
    expect(log).toMatch(/Seccomp:\t2/)
    expect(log).toContain('/x: Read-only file system')
    expect(log).toContain('tmp is writable')
    expect(log).toMatch(/\/tmp tmpfs rw,nosuid,nodev.*size=65536k/)
  })

  test('empty files, folders and links are counted; a read-only root adds none', async () => {
    const counted = async (id: string) => (await engine.countContainerFiles([id])).get(id)
    const make =
      'mkdir -p /tmp/x /made/a/b && for n in $(seq 40); do : > /made/a/b/$n; done; ln -s / /made/root; ln -s /etc /made/a/etc'
    const writable = await start(make, { readOnlyRoot: false, user: '0:0' })
    const readOnly = await start(make)
    await logsToEnd(writable.id)
    await logsToEnd(readOnly.id)
    const before = await start('', { readOnlyRoot: false, user: '0:0' })
    await logsToEnd(before.id)
    const gone = uniqueName('none')
    const all = await engine.countContainerFiles([writable.id, gone, before.id])
    expect([...all.keys()]).toEqual([writable.id, before.id])
    // Files added by the engine (/dev, /etc/hosts) are in both.
    expect(all.get(writable.id)! - all.get(before.id)!).toBe(3 + 40 + 2)
    expect([await counted(readOnly.id), await counted(gone)]).toEqual([undefined, undefined])
  })

  test('files that a build step gave to an account are found in their layer', async () => {
    const label = `LABEL panel.instance=${labels['panel.instance']}`
    const tag = uniqueName('image')
    const Dockerfile = `FROM ${image}\n${label}\nCOPY --chown=20001:20001 ["big","/app/"]\nCOPY ["other","/opt/"]\nCMD ["true"]\n`
    const context = buildContext({ Dockerfile, big: 'x'.repeat(5000), other: 'y'.repeat(700) })
    await engine.buildImage(context, buildOptions({ tag, labels }))
    const layers = await engine.imageLayers(tag)
    expect(layers[0]).toMatchObject({ id: (await engine.findImage(tag))!.id, sizeBytes: 0 })
    expect([20_001, 20_002, 0].map((uid) => ownedBytes([layers, layers], uid))).toEqual([5000, 0, 0])
    expect(await engine.imageLayers(uniqueName('none'))).toEqual([])
  })

  test('memory is limited, and the state says so', async () => {
    const { id } = await start('exec tail /dev/zero', { memoryBytes: 32 * 2 ** 20 })
    await expect
      .poll(async () => (await engine.findContainer(id))?.outOfMemory, { timeout: 60_000, interval: 50 })
      .toBe(true)
    await engine.removeContainer(id)
  })

  test('a crash loop is reported as restarting, not healthy', async () => {
    const { id } = await start('exit 3')
    await expect
      .poll(async () => await engine.findContainer(id), { timeout: 60_000, interval: 20 })
      .toMatchObject({ restarting: true, exitCode: 3, restartCount: expect.toSatisfy((count: number) => count > 1) })
    await engine.removeContainer(id)
  })

  test('a trial container leaves nothing, also if it cannot start', async () => {
    await runTrialContainer({ socketPath, image })
    const without = await build('RUN rm /bin/true')
    await expect(runTrialContainer({ socketPath, image: without })).rejects.toThrow(/executable file not found/)
    expect((await findObjects('panel.trial')).containers).toEqual([])
  })

  test('the health check of an image is not run', async () => {
    const checked = await build('HEALTHCHECK --interval=1s CMD true\nUSER 20001')
    const { id } = await start('', { image: checked })
    await logsToEnd(id)
    expect((await docker.getContainer(id).inspect()).State.Health?.Status ?? 'none').toBe('none')
  })

  test('processes are limited', async () => {
    const { id } = await start('for i in $(seq 60); do sleep 600 & done', { pids: 16 })
    await expect.poll(() => engine.containerLogs(id, 10), { timeout: 60_000 }).toContain("can't fork")
    await engine.removeContainer(id)
  })

  test('stop is a SIGTERM with a grace period', async () => {
    const { id } = await start("trap 'echo bye; exit 0' TERM; echo ready; while true; do sleep 0.1; done")
    await expect.poll(() => engine.containerLogs(id, 10), { timeout: 60_000 }).toContain('ready')
    await engine.stopContainer(id, 30)
    expect(await engine.containerLogs(id, 1)).toBe('bye\n')
    expect(await engine.findContainer(id)).toMatchObject({ status: 'exited', exitCode: 0, running: false })
  })

  test('the port is open on 127.0.0.1 only, and containers cannot reach each other', async () => {
    const serve = 'echo hello > /tmp/index.html; httpd -p 8080 -h /tmp'
    const { id, spec } = await start(serve)
    await logsToEnd(id)
    const text = async (url: string) => (await fetch(url)).text()
    await expect
      .poll(() => text(`http://127.0.0.1:${spec.hostPort}/`).catch(String), { timeout: 30_000 })
      .toBe('hello\n')
    expect(await text(`http://${spec.address}:8080/`)).toBe('hello\n')
    const others = Object.values(networkInterfaces()).flatMap((all) => all ?? [])
    const outside = others.filter(({ family, internal }) => family === 'IPv4' && !internal)
    expect(outside.length).toBeGreaterThan(0)
    for (const { address } of outside) await expect(fetch(`http://${address}:${spec.hostPort}/`)).rejects.toThrow()
    const neighbour = await start(
      `reach() { printf 'GET / HTTP/1.0\\r\\n\\r\\n' | nc -w 3 $1 $2; }
      echo own > /tmp/index.html; httpd -p 8080 -h /tmp; sleep 1; reach 127.0.0.1 8080
      reach ${spec.address} 8080; reach ${network.gateway} ${spec.hostPort}`
    )
    const log = await logsToEnd(neighbour.id)
    expect(log).toContain('own')
    expect(log).not.toContain('hello')
  })

  test('the network is isolated and reserves its last /24 for the panel', async () => {
    const state = await docker.getNetwork(networkName).inspect()
    expect(state.Options).toEqual({ 'com.docker.network.bridge.enable_icc': 'false' })
    expect(state.IPAM?.Config).toEqual([
      {
        Subnet: network.subnet,
        Gateway: network.gateway,
        IPRange: network.subnet.replace(/(\d+)\.0\/20$/, (_: string, third: string) => `${Number(third) + 15}.0/24`)
      }
    ])
  })

  test('a user without a name can write to a new volume whose directory the image opens', async () => {
    const volumes = [{ name: uniqueName('volume'), target: '/data' }]
    const first = await start('echo kept > /data/file; ls -ln /data/file', { volumes })
    expect(await logsToEnd(first.id)).toMatch(/20001 +20001/)
    await engine.removeContainer(first.id)
    const second = await start('cat /data/file', { volumes })
    expect(await logsToEnd(second.id)).toBe('kept\nEND\n')
  })

  test('a project’s directory is mounted by id, independent of its name; nothing else of the host is', async () => {
    const root = await mkdtemp(join(tmpdir(), 'panel-binds-'))
    const binding = createDockerEngine({ socketPath, bindRoots: [join(root, 'by-id')] })
    const source = join(root, 'by-id', 'a1')
    try {
      await mkdir(join(root, 'by-id'))
      await mkdir(join(root, 'shop'))
      await chown(join(root, 'shop'), 20_001, 20_001)
      await symlink('../shop', source)
      const bound = (changes: Partial<ContainerSpec>): ContainerSpec => ({
        ...specOf('cat /files/by-host; echo kept > /files/file; touch /x 2>&1'),
        ...changes
      })
      await writeFile(join(root, 'shop', 'by-host'), 'from the host\n')
      const id = await binding.createContainer(bound({ binds: [{ source, target: '/files' }] }))
      await binding.startContainer(id)
      expect(await logsToEnd(id)).toMatch(/^from the host\n.*Read-only file system\nEND\n$/)
      const { uid, mode } = await stat(join(root, 'shop', 'file'))
      expect([uid, mode & 0o777]).toEqual([20_001, 0o644])

      await rename(join(root, 'shop'), join(root, 'store'))
      await rm(source)
      await symlink('../store', source)
      await writeFile(join(root, 'store', 'by-host'), 'after the rename\n')
      await binding.restartContainer(id, 1)
      await expect.poll(() => binding.containerLogs(id, 100), { timeout: 60_000 }).toMatch(/after the rename/)

      await rm(source)
      const gone = bound({ binds: [{ source, target: '/files' }] })
      await expect(binding.createContainer(gone)).rejects.toThrow(/does not exist/)
      for (const refused of [root, '/etc', join(root, 'by-id'), `${source}/..`])
        await expect(
          binding.createContainer(bound({ binds: [{ source: refused, target: '/files' }] }))
        ).rejects.toMatchObject({ name: 'EngineError', status: 400 })
    } finally {
      await rm(root, { recursive: true, force: true })
    }
  })

  test('the last lines of both streams come in order', async () => {
    const { id } = await start('for i in $(seq 8); do echo out $i; sleep 0.25; echo err $i >&2; sleep 0.25; done')
    const lines = Array.from({ length: 8 }, (_, index) => [`out ${index + 1}`, `err ${index + 1}`]).flat()
    expect(await logsToEnd(id)).toBe([...lines, 'END', ''].join('\n'))
    expect(await engine.containerLogs(id, 5)).toBe([...lines, 'END'].slice(-5).join('\n') + '\n')
  })

  test('logs are clean UTF-8 and bounded', async () => {
    const { id } = await start(
      "printf '\\033[31mred ✓\\033[0m\\r\\n\\001\\377\\n'; yes 0123456789abcdefghijklmnopqrstuvwxyz | head -n 40000"
    )
    await logsToEnd(id)
    expect(await engine.containerLogs(id, 40_003)).not.toContain('red')
    const text = await engine.containerLogs(id, 1_000_000)
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1024 * 1024)
    expect(text).toMatch(/^0123456789abcdefghijklmnopqrstuvwxyz\n/)
    expect(text.endsWith('z\nEND\n')).toBe(true)
    const short = await start("printf '\\033[31mred ✓\\033[0m\\r\\n\\001\\377\\n'")
    expect(await logsToEnd(short.id)).toBe('red ✓\n\ufffd\nEND\n')
  })

  test('a build has text, labels and a runnable result', async () => {
    let log = ''
    const tag = `${uniqueName('image')}:1`
    const own = { ...labels, 'panel.role': 'build' }
    const id = await build("RUN printf '\\033[32mgrün ✓\\033[0m\\n' && echo made > /made\nUSER 20001", {
      ...{ tag, labels: own },
      onLog: (text) => (log += text)
    })
    expect(log).toContain('\ngrün ✓\n')
    expect(log).not.toMatch(/[\u0000-\u0008\u000b-\u001f]/)
    expect(await engine.findImage(tag)).toMatchObject({ id, labels: own, exposedPorts: [8080], user: '20001' })
    const container = await start('cat /made', { image: tag })
    expect(await logsToEnd(container.id)).toBe('made\nEND\n')
    await engine.removeContainer(container.id)
  })

  test('stages that a build leaves untagged are found by their labels', async () => {
    const own = { ...labels, 'panel.project': uniqueName('project') }
    const context = buildContext({
      Dockerfile: [
        `FROM ${image} AS build\nLABEL panel.instance=${own['panel.instance']} panel.project=${own['panel.project']}\nUSER 0`,
        `RUN echo ${uniqueName('x')} > /made\nFROM ${image}\nCOPY --from=build /made /made\n`
      ].join('\n')
    })
    const tag = uniqueName('image')
    const id = await engine.buildImage(context, buildOptions({ tag, labels: own }))
    const images = await engine.listImages(own)
    expect(images.filter(({ tags }) => tags.length > 0)).toMatchObject([{ id }])
    expect(images.filter(({ tags }) => tags.length === 0).length).toBeGreaterThan(0)
  })

  test.each([
    ['a step that fails', 'RUN echo nearly >&2; exit 7', /exit 7' returned a non-zero code: 7/],
    ['a base image that does not exist', `FROM ${uniqueName('none')}:1`, /panel-test-none|registry/],
    ['a Dockerfile that is none', 'NONSENSE here', /NONSENSE/i],
    ['more memory than allowed', 'RUN tail /dev/zero', /non-zero code: 137/],
    [
      'more processes than allowed',
      'RUN i=0; while [ $i -lt 200 ]; do sleep 5 & i=$((i+1)); done; wait',
      /non-zero code: 2/
    ]
  ])('%s ends the build', async (_, steps, message) => {
    await expect(build(steps)).rejects.toMatchObject({ name: 'EngineError', message: expect.stringMatching(message) })
    await expectNothingLeft()
  })

  test('a missing Dockerfile ends the build', async () => {
    const work = build('', { dockerfile: 'elsewhere/Dockerfile' })
    await expect(work).rejects.toMatchObject({ name: 'EngineError', message: expect.stringContaining('Dockerfile') })
    await expectNothingLeft()
  })

  test.each([
    ['when a step is about to begin', /^Step .* began/m],
    ['while a step runs', /^began/m]
  ])('a build aborted %s leaves no process, container or cgroup', async (_, moment) => {
    const mark = `600.${Math.floor(Math.random() * 1e9)}`
    const abort = new AbortController()
    const onLog = (text: string) => moment.test(text) && abort.abort(new Error('cancelled'))
    const work = build(`RUN echo began; sleep ${mark} & sleep ${mark}`, { signal: abort.signal, onLog })
    await expect(work).rejects.toThrow('cancelled')
    await expect.poll(() => commandLinesWith(mark), { timeout: 5_000, interval: 50 }).toEqual([])
    const containers = async () => (await docker.listContainers({ all: true })).filter((c) => c.Command.includes(mark))
    await expect.poll(containers, { timeout: 5_000, interval: 50 }).toEqual([])
    await expectNothingLeft()
  })

  test('two builds at once, of which one is aborted: the other ends well', async () => {
    const abort = new AbortController()
    const onLog = (text: string) => text.startsWith('began') && abort.abort(new Error('cancelled'))
    const other = build(`RUN echo ${uniqueName('x')}; sleep 3; echo made > /made`)
    await expect(build('RUN echo began; sleep 600', { signal: abort.signal, onLog })).rejects.toThrow('cancelled')
    await expect(other).resolves.toMatch(/^sha256:/)
  })

  test('foreign objects are never listed', async () => {
    const foreign = { 'panel.instance': uniqueName('instance') }
    const volumeName = uniqueName('volume')
    const volume = await docker.createVolume({ Name: volumeName, Labels: foreign })
    const container = await docker.createContainer({ Image: image, Cmd: ['/bin/sleep', '1'], Labels: foreign })
    const own = { ...labels, 'panel.project': 'p' }
    const ids = [await engine.listContainers(labels), await engine.listContainers(own), await engine.listImages(own)]
    expect(ids.flat().map(({ id }) => id)).not.toContain(container.id)
    expect(await engine.listVolumes(labels)).not.toContain(volumeName)
    expect((await engine.listContainers(foreign)).map(({ id }) => id)).toEqual([container.id])
    expect(await engine.listVolumes(foreign)).toEqual([volumeName])
    await container.remove()
    await volume.remove()
  })

  test('an address in use is refused at the start', async () => {
    const first = await start('')
    await expect(start('', { address: first.spec.address })).rejects.toMatchObject({ name: 'EngineError' })
  })

  test('a missing program is a crash loop with 127, because init starts', async () => {
    const { id } = await start('', { command: ['/nonexistent'] })
    await expect
      .poll(() => engine.findContainer(id), { timeout: 60_000, interval: 20 })
      .toMatchObject({ restarting: true, exitCode: 127 })
    expect(await engine.containerLogs(id, 1)).toContain('/nonexistent')
    await engine.removeContainer(id)
  })
})

describe('docker, unreachable', () => {
  let server: Server
  const silentPath = join(tmpdir(), `${uniqueName('silent')}.sock`)
  beforeAll(async () => {
    server = createServer((socket) => socket.resume())
    await new Promise<void>((resolve) => server.listen(silentPath, resolve))
  })
  afterAll(() => void server.close())

  test.each([
    ['no socket', '/nonexistent/docker.sock'],
    ['a socket that accepts and never answers', silentPath]
  ])('%s', async (_, path) => {
    const engine = createDockerEngine({ socketPath: path, limits: { short: 200, ordinary: 200 } })
    await expect(engine.ping()).rejects.toMatchObject({ kind: 'container-engine-unavailable' })
    await expect(engine.listContainers({ a: 'b' })).rejects.toMatchObject({ kind: 'container-engine-unavailable' })
  })
})

/** Several passes, because images with children cannot be removed. */
async function removeImages(engine: ContainerEngine, labels: Readonly<Record<string, string>>): Promise<void> {
  for (let before = Infinity; ;) {
    const images = await engine.listImages(labels)
    if (images.length === 0 || images.length >= before) return
    before = images.length
    for (const { id, tags } of images) await engine.removeImage(tags[0] ?? id).catch(() => {})
  }
}

async function commandLinesWith(mark: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
  return lines.filter((line) => line.includes(mark))
}

/** Empty build cgroups are removed at once; one with processes cannot be removed. */
async function expectNothingLeft(): Promise<void> {
  const hierarchies = (await readdir('/sys/fs/cgroup', { withFileTypes: true })).filter((entry) => entry.isDirectory())
  const directories = ['', ...hierarchies.map(({ name }) => name)].map((name) => join('/sys/fs/cgroup', name))
  const found = async () => (await Promise.all(directories.map((each) => readdir(each)))).flat()
  await expect
    .poll(async () => (await found()).filter((name) => name.startsWith(cgroupPrefix)), { timeout: 30_000 })
    .toEqual([])
}

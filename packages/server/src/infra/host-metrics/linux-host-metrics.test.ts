import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLinuxHostMetrics } from './linux-host-metrics.ts'

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'host-metrics-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))

const write = (base: string, files: Record<string, string>) => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(base, name)), { recursive: true })
    writeFileSync(join(base, name), text)
  }
}
const id = (n: number) => n.toString(16).padStart(64, '0')

describe('this machine', () => {
  test('matches other sources for cores, memory and disk, and CPU time grows', async () => {
    const metrics = createLinuxHostMetrics()
    const first = await metrics.readHost(root)
    expect(first.cores.size).toBe(cpus().length)
    expect(first.memory!.total).toBeLessThanOrEqual(totalmem())
    expect(first.memory!.used).toBeGreaterThan(0)
    expect(first.disk!.used).toBeLessThanOrEqual(first.disk!.total)
    expect(first.loadAverage).toHaveLength(3)
    expect(first.uptimeSeconds).toBeGreaterThan(0)
    expect(first.bootId).toMatch(/^[0-9a-f-]{36}$/)
    const worker = spawn(process.execPath, ['-e', 'for (;;);'])
    try {
      await expect.poll(async () => (await metrics.readHost(root)).cpu!.busy).toBeGreaterThan(first.cpu!.busy)
    } finally {
      worker.kill('SIGKILL')
    }
  })

  test('returns nothing and does not fail without /proc, cgroups and the directory', async () => {
    const metrics = createLinuxHostMetrics({ procRoot: join(root, 'none'), cgroupRoot: join(root, 'none') })
    expect(await metrics.readHost(join(root, 'none'))).toEqual({
      atMs: expect.any(Number),
      bootId: undefined,
      cpu: undefined,
      cores: new Map(),
      memory: undefined,
      disk: undefined,
      loadAverage: undefined,
      uptimeSeconds: undefined,
      network: undefined
    })
    expect(await metrics.readContainers([id(1)])).toEqual(new Map())
  })
})

const versions = {
  1: (path: string, pid: string): Record<string, string> => ({
    [`memory/${path}/cgroup.procs`]: pid,
    [`memory/${path}/memory.usage_in_bytes`]: '5000\n',
    [`memory/${path}/memory.limit_in_bytes`]: '9223372036854771712\n',
    [`memory/${path}/memory.stat`]: 'cache 1\ntotal_inactive_file 1000\n',
    [`cpuacct/${path}/cpuacct.usage`]: '2500000000\n'
  }),
  2: (path: string, pid: string): Record<string, string> => ({
    'cgroup.controllers': 'cpu memory\n',
    [`${path}/cgroup.procs`]: pid,
    [`${path}/memory.current`]: '5000\n',
    [`${path}/memory.max`]: 'max\n',
    [`${path}/memory.stat`]: 'anon 1\ninactive_file 1000\n',
    [`${path}/cpu.stat`]: 'usage_usec 2500000\nuser_usec 1\n'
  })
}

describe.each([1, 2] as const)('cgroups of version %d', (version) => {
  const place = (name: string) => join(root, `v${version}`, name)
  const reader = () => createLinuxHostMetrics({ procRoot: place('proc'), cgroupRoot: place('cgroup') })
  beforeAll(() => {
    write(place('proc'), { '71/net/dev': 'h\nh\n  lo: 9 0 0 0 0 0 0 0 9 0\n  eth0: 100 0 0 0 0 0 0 0 200 0\n' })
    write(place('cgroup'), {
      ...versions[version](`system.slice/docker-${id(1)}.scope`, '71\n72\n'),
      ...versions[version](`docker/${id(2)}`, ''),
      ...versions[version](`docker/not-a-container`, '71\n')
    })
  })

  test('reads a running container under either name; leaves out ended and missing ones', async () => {
    const readings = await reader().readContainers([id(1), id(2), id(3)])
    expect([...readings.keys()]).toEqual([id(1)])
    expect(readings.get(id(1))).toEqual({
      atMs: expect.any(Number),
      cpuSeconds: 2.5,
      memoryUsed: 4000,
      memoryLimit: undefined,
      network: { received: 100, sent: 200 }
    })
  })

  test('reads 1,000 containers', async () => {
    for (let n = 1_000; n < 2_000; n++)
      write(place('cgroup'), versions[version](`docker/account-${n % 7}/${id(n)}`, '71\n'))
    const ids = Array.from({ length: 1_000 }, (_, n) => id(n + 1_000))
    expect((await reader().readContainers(ids)).size).toBe(1_000)
  })
})

import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ProcessError, type Run } from '../process/process.ts'
import { createCgroupFiles } from './cgroup-files.ts'
import { CgroupError } from './cgroup.ts'
import { createSystemdCgroups } from './systemd-cgroups.ts'

// Ordinary directories: the first write creates what would be a kernel file.
let root: string
beforeEach(async () => void (root = await mkdtemp(join(tmpdir(), 'cgroup-'))))
afterEach(() => rm(root, { recursive: true, force: true }))
const read = (...path: string[]) => readFile(join(root, ...path), 'utf8')

describe('version 1', () => {
  beforeEach(async () => {
    for (const name of ['memory', 'cpu', 'cpuacct', 'pids', 'blkio', 'freezer']) await mkdir(join(root, name))
  })
  const cgroups = () => createCgroupFiles({ version: 1, root })

  test('creates a directory per hierarchy and writes the limits', async () => {
    const limits = { memoryBytes: 2 ** 30, cpus: 1.5, pids: 64, weight: 200 }
    expect(await cgroups().ensure(['panelx', 'accounts', '20001'], limits)).toBe('/panelx/accounts/20001')
    const path = ['panelx', 'accounts', '20001']
    expect(await read('memory', ...path, 'memory.limit_in_bytes')).toBe(String(2 ** 30))
    expect(await read('memory', ...path, 'memory.memsw.limit_in_bytes')).toBe(String(2 ** 30))
    expect(await read('cpu', ...path, 'cpu.cfs_quota_us')).toBe('150000')
    expect(await read('cpu', ...path, 'cpu.shares')).toBe('2048')
    expect(await read('pids', ...path, 'pids.max')).toBe('64')
    await expect(read('freezer', 'panelx')).rejects.toMatchObject({ code: 'ENOENT' })
    await cgroups().ensure(['panelx', 'accounts', '20001'], {})
    expect(await read('memory', ...path, 'memory.limit_in_bytes')).toBe('-1')
    expect(await read('pids', ...path, 'pids.max')).toBe('max')
  })

  test('adds a process to all hierarchies; removes empty ones, also those created by the engine', async () => {
    await cgroups().ensure(['a'], {})
    await cgroups().enter(['a'], 4711)
    for (const name of ['memory', 'cpu', 'cpuacct', 'pids', 'blkio'])
      expect(await read(name, 'a', 'cgroup.procs')).toBe('4711')
    await mkdir(join(root, 'pids', 'a', 'container'))
    await writeFile(join(root, 'pids', 'a', 'container', 'cgroup.procs'), '12\n13\n')
    expect(await cgroups().listPids(['a'])).toEqual([4711, 12, 13])
    expect(await cgroups().remove(['a'])).toBe(false) // An ordinary directory with a file in it is as busy as a cgroup with a process.
    await mkdir(join(root, 'freezer', 'b'))
    expect(await cgroups().remove(['b'])).toBe(true)
    await expect(read('freezer', 'b')).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('requires only the controllers of set limits', async () => {
    await rm(join(root, 'memory'), { recursive: true })
    await cgroups().ensure(['a'], { pids: 64 })
    await expect(cgroups().ensure(['a'], { memoryBytes: 2 ** 30 })).rejects.toThrow(CgroupError)
  })
})

test('version 2: enables available controllers at each level', async () => {
  const cgroups = createCgroupFiles({ version: 2, root })
  await mkdir(join(root, 'panelx'))
  await writeFile(join(root, 'cgroup.controllers'), 'cpuset cpu io memory hugetlb pids rdma\n')
  await writeFile(join(root, 'panelx', 'cgroup.controllers'), 'cpu memory pids\n')
  expect(await cgroups.ensure(['panelx', 'mysql'], { memoryBytes: 2 ** 30, weight: 200 })).toBe('/panelx/mysql')
  expect(await read('cgroup.subtree_control')).toBe('+memory +cpu +pids +io')
  expect(await read('panelx', 'cgroup.subtree_control')).toBe('+memory +cpu +pids')
  expect(await read('panelx', 'mysql', 'memory.max')).toBe(String(2 ** 30))
  expect(await read('panelx', 'mysql', 'cpu.weight')).toBe('200')
  expect(await read('panelx', 'mysql', 'cpu.max')).toBe('max 100000')
  await cgroups.enter(['panelx', 'mysql'], 4711)
  expect(await read('panelx', 'mysql', 'cgroup.procs')).toBe('4711')
  await expect(cgroups.ensure(['panel-x'], {})).rejects.toThrow(TypeError)
})

test('systemd: creates slices and puts a process into a scope', async () => {
  const calls: string[] = []
  const run: Run = async (argv) => {
    calls.push(argv.join(' '))
    return { stdout: '', stderr: '' }
  }
  const cgroups = createSystemdCgroups({ version: 2, run, root })
  expect(await cgroups.ensure(['panelx', 'mysql'], { memoryBytes: 2 ** 30, weight: 200 })).toBe('panelx-mysql.slice')
  await cgroups.enter(['panelx', 'mysql'], 4711)
  const place = join(root, 'panelx.slice', 'panelx-mysql.slice', 'panelx-mysql-p4711.scope')
  await mkdir(place, { recursive: true })
  await writeFile(join(place, 'cgroup.procs'), '4711\n')
  expect(await cgroups.listPids(['panelx', 'mysql'])).toEqual([4711])
  await cgroups.enter(['panelx', 'mysql'], 4711)
  expect(await cgroups.remove(['panelx', 'mysql'])).toBe(true)
  expect(calls).toEqual([
    'systemctl set-property --runtime panelx-mysql.slice MemoryMax=1073741824 MemorySwapMax=0 CPUQuota= CPUWeight=200 IOWeight=200 TasksMax=infinity',
    'systemctl start panelx-mysql.slice',
    'busctl call org.freedesktop.systemd1 /org/freedesktop/systemd1 org.freedesktop.systemd1.Manager StartTransientUnit ssa(sv)a(sa(sv)) panelx-mysql-p4711.scope replace 2 PIDs au 1 4711 Slice s panelx-mysql.slice 0',
    'systemctl stop panelx-mysql.slice',
    'systemctl revert panelx-mysql.slice'
  ])
  expect(cgroups.directory(['panelx', 'mysql'])).toBe('/panelx.slice/panelx-mysql.slice')
  const refusing: Run = () => Promise.reject(new ProcessError('systemctl: exited with 1', 'failed', 1, ''))
  await expect(createSystemdCgroups({ version: 2, run: refusing, root }).ensure(['a'], {})).rejects.toThrow(CgroupError)
})

import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf } from '../../text/message-of.ts'
import { ifAlive } from '../process/proc.ts'
import { CgroupError, type CgroupLimits, type CgroupPath, type Cgroups, checkPath } from './cgroup.ts'

const cpuPeriod = 100_000
const controllers = ['memory', 'cpu', 'pids', 'io']
const hierarchies = ['memory', 'cpu', 'cpuacct', 'pids', 'blkio']

type Setting = { file: string; value: string; isOptional?: boolean }

export function createCgroupFiles({ version, root = '/sys/fs/cgroup' }: { version: 1 | 2; root?: string }): Cgroups {
  const roots = async () =>
    version === 2 ? [root] : (await existing(root, hierarchies)).map((name) => join(root, name))
  const places = async (path: CgroupPath) => (await roots()).map((top) => join(top, ...path))
  return {
    async ensure(path, limits) {
      checkPath(path)
      await asCgroupError(async () => {
        if (version === 2)
          for (let depth = 0; depth < path.length; depth++) await enableControllers(join(root, ...path.slice(0, depth)))
        for (const place of await places(path)) await mkdir(place, { recursive: true })
        const settings = version === 2 ? settingsOfVersion2(limits) : settingsOfVersion1(limits)
        for (const { file, value, isOptional } of settings) {
          const place = version === 2 ? join(root, ...path) : join(root, file.split('.')[0]!, ...path)
          await writeFile(join(place, file), value).catch((error: unknown) => {
            if (!isOptional || !isUnsupported(error)) throw error
          })
        }
      })
      return directory(path)
    },
    directory,
    async enter(path, pid) {
      checkPath(path)
      await asCgroupError(async () => {
        for (const place of await places(path)) await writeFile(join(place, 'cgroup.procs'), String(pid))
      })
    },
    async listPids(path) {
      checkPath(path)
      const [place] = version === 2 ? await places(path) : [join(root, 'pids', ...path)]
      return pidsBelow(place!)
    },
    async remove(path) {
      checkPath(path)
      // On v1 the engine creates the directory in every controller's hierarchy.
      const all = version === 2 ? [root] : (await readdir(root)).map((name) => join(root, name))
      return (await Promise.all(all.map((top) => removeOne(join(top, ...path))))).every(Boolean)
    }
  }
}

const directory = (path: CgroupPath) => `/${path.join('/')}`

/** Unset limits and weights are optional, so missing controllers do not matter for them. */
function settingsOfVersion1({ memoryBytes, cpus, pids, weight: share = 100 }: CgroupLimits): Setting[] {
  const memory = String(memoryBytes ?? -1)
  return [
    // memsw must never be below the memory limit while both change.
    { file: 'memory.memsw.limit_in_bytes', value: '-1', isOptional: true },
    { file: 'memory.limit_in_bytes', value: memory, isOptional: memoryBytes === undefined },
    { file: 'memory.memsw.limit_in_bytes', value: memory, isOptional: true },
    { file: 'cpu.cfs_quota_us', value: quota(cpus, '-1'), isOptional: cpus === undefined },
    { file: 'cpu.shares', value: String(Math.round((share * 1024) / 100)), isOptional: true },
    { file: 'pids.max', value: String(pids ?? 'max'), isOptional: pids === undefined },
    { file: 'blkio.weight', value: String(Math.min(share * 5, 1000)), isOptional: true },
    { file: 'blkio.bfq.weight', value: String(Math.min(share, 1000)), isOptional: true }
  ]
}

function settingsOfVersion2({ memoryBytes, cpus, pids, weight: share = 100 }: CgroupLimits): Setting[] {
  return [
    { file: 'memory.max', value: String(memoryBytes ?? 'max'), isOptional: memoryBytes === undefined },
    { file: 'memory.swap.max', value: memoryBytes === undefined ? 'max' : '0', isOptional: true },
    { file: 'cpu.max', value: `${quota(cpus, 'max')} ${cpuPeriod}`, isOptional: cpus === undefined },
    { file: 'cpu.weight', value: String(share), isOptional: true },
    { file: 'pids.max', value: String(pids ?? 'max'), isOptional: pids === undefined },
    { file: 'io.weight', value: `default ${share}`, isOptional: true },
    { file: 'io.bfq.weight', value: `default ${Math.min(share, 1000)}`, isOptional: true }
  ]
}

const quota = (cpus: number | undefined, none: string) =>
  cpus === undefined ? none : String(Math.round(cpus * cpuPeriod))

async function enableControllers(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true })
  const offered = (await readFile(join(directory, 'cgroup.controllers'), 'utf8')).split(/\s+/)
  const wanted = controllers.filter((name) => offered.includes(name))
  await writeFile(join(directory, 'cgroup.subtree_control'), wanted.map((name) => `+${name}`).join(' '))
}

export async function pidsBelow(place: string): Promise<number[]> {
  const own = (await ifAlive(readFile(join(place, 'cgroup.procs'), 'utf8'))) ?? ''
  const entries = (await ifAlive(readdir(place, { withFileTypes: true }))) ?? []
  const below = await Promise.all(
    entries.filter((entry) => entry.isDirectory()).map(({ name }) => pidsBelow(join(place, name)))
  )
  return [...own.split('\n').filter(Boolean).map(Number), ...below.flat()]
}

async function removeOne(directory: string): Promise<boolean> {
  try {
    const inside = (await readdir(directory, { withFileTypes: true })).filter((entry) => entry.isDirectory())
    for (const { name } of inside) await removeOne(join(directory, name))
    await rmdir(directory)
    return true
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return true
    if (code === 'EBUSY' || code === 'ENOTEMPTY') return false
    throw error
  }
}

async function existing(root: string, names: readonly string[]): Promise<string[]> {
  const found = await readdir(root)
  return names.filter((name) => found.includes(name))
}

async function asCgroupError(work: () => Promise<void>): Promise<void> {
  await work().catch((cause: unknown) => {
    throw new CgroupError(`Could not write cgroups: ${messageOf(cause)}`, { cause })
  })
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)
/** The kernel lacks the setting, or the disk's scheduler does not support it. */
const isUnsupported = (error: unknown): boolean =>
  ['ENOENT', 'EACCES', 'EPERM', 'EOPNOTSUPP', 'ENOTSUP', 'EINVAL'].includes(String(codeOf(error)))

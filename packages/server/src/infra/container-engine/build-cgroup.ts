import { mkdir, readdir, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf } from '../../message-of.ts'
import type { Run } from '../process/process.ts'
import { EngineError } from './container-engine.ts'

/** How the engine makes cgroups, in the words of its /info. */
interface CgroupSetup {
  driver: string
  version: string
}

interface BuildCgroupOptions {
  setup: CgroupSetup
  /** Unique to the build; letters and digits only, because systemd reads more into a dash. */
  name: string
  pids: number
  run: Run
  /** Where the cgroup file systems are mounted. */
  root?: string
}

/** The cgroup that holds the containers of one build. */
export interface BuildCgroup {
  /** What the engine is to be given as cgroup parent. */
  parent: string
  /** Tells whether it is gone: it stays while a process is in it. */
  remove(): Promise<boolean>
}

const systemctlTimeoutMs = 10_000

/**
 * The legacy build API limits memory and CPU but not processes. A cgroup of our own above the containers of the build does:
 * pids.max counts everything below. Refuses when it cannot be made: a build without the limit could take the whole machine.
 */
export async function createBuildCgroup(options: BuildCgroupOptions): Promise<BuildCgroup> {
  try {
    return options.setup.driver === 'systemd' ? await createSlice(options) : await createDirectory(options)
  } catch (cause) {
    throw new EngineError(`The process limit of the build could not be set: ${messageOf(cause)}`, 500, { cause })
  }
}

async function createDirectory({
  setup,
  name,
  pids,
  root = '/sys/fs/cgroup'
}: BuildCgroupOptions): Promise<BuildCgroup> {
  const isUnified = setup.version === '2'
  const directory = isUnified ? join(root, name) : join(root, 'pids', name)
  if (isUnified) await writeFile(join(root, 'cgroup.subtree_control'), '+pids')
  await mkdir(directory)
  await writeFile(join(directory, 'pids.max'), String(pids))
  return {
    parent: `/${name}`,
    // On version 1 the engine makes the directory in the hierarchy of every controller.
    remove: async () => {
      const hierarchies = isUnified ? [root] : (await readdir(root)).map((hierarchy) => join(root, hierarchy))
      return (await Promise.all(hierarchies.map((hierarchy) => removeCgroup(join(hierarchy, name))))).every(Boolean)
    }
  }
}

async function createSlice({ name, pids, run }: BuildCgroupOptions): Promise<BuildCgroup> {
  const slice = `${name}.slice`
  const systemctl = (...args: string[]) => run(['systemctl', ...args], { timeoutMs: systemctlTimeoutMs })
  await systemctl('set-property', '--runtime', slice, 'TasksAccounting=yes', `TasksMax=${pids}`)
  return {
    parent: slice,
    remove: async () => {
      await systemctl('stop', slice)
      // Takes back the property, which would otherwise stay as a file in /run until the machine restarts.
      await systemctl('revert', slice)
      return true
    }
  }
}

async function removeCgroup(directory: string): Promise<boolean> {
  try {
    await rmdir(directory)
    return true
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT' || code === 'ENOTDIR') return true
    if (code === 'EBUSY' || code === 'ENOTEMPTY') return false
    throw error
  }
}

import { messageOf } from '../../text/message-of.ts'
import type { CgroupPath, Cgroups } from '../cgroup/cgroup.ts'
import { oomScore, readOomScore, setOomScore } from '../process/oom-score.ts'
import type { Run } from '../process/process.ts'
import { EngineError } from './container-engine.ts'
import { buildWeight } from './engine-cgroups.ts'

/** The cgroup that holds the containers of one build. */
export interface BuildCgroup {
  /** What the engine is to be given as cgroup parent. */
  parent: string
  /** Tells whether it is gone: it stays while a process is in it. */
  remove(): Promise<boolean>
}

const yieldEveryMs = 500
const ioniceTimeoutMs = 5_000

/**
 * The legacy build API limits memory and CPU but not processes. A cgroup of our own above the containers of the build does: its limit counts
 * everything below. Refuses when it cannot be made: a build without the limit could take the whole machine.
 */
export async function createBuildCgroup(
  { cgroups, run }: { cgroups: Cgroups; run: Run },
  path: CgroupPath,
  pids: number
): Promise<BuildCgroup> {
  try {
    const parent = await cgroups.ensure(path, { pids, weight: buildWeight })
    const stop = lowerPriority({ cgroups, run }, path)
    return {
      parent,
      async remove() {
        stop()
        return cgroups.remove(path)
      }
    }
  } catch (cause) {
    throw new EngineError(`The process limit of the build could not be set: ${messageOf(cause)}`, 500, { cause })
  }
}

/**
 * That API takes no OOM score and no class of the disk either, so each step's first process gets both when it is seen, and hands them to those that
 * it starts. The score comes last: what has it has the class.
 */
function lowerPriority({ cgroups, run }: { cgroups: Cgroups; run: Run }, path: CgroupPath): () => void {
  const yieldAll = async () => {
    const seen = await cgroups.listPids(path)
    const pids = seen.filter((pid) => readOomScore(pid) !== oomScore.tenant)
    if (pids.length === 0) return
    const argv = ['ionice', '--class', 'idle', '--ignore', '--pid', ...pids.map(String)] as const
    await run([...argv], { timeoutMs: ioniceTimeoutMs }).catch(() => {}) // The score does not wait for it.
    for (const pid of pids) setOomScore(pid, oomScore.tenant)
  }
  let isBusy = false
  const timer = setInterval(() => {
    if (isBusy) return
    isBusy = true
    // The build matters more than who goes before it.
    void yieldAll()
      .catch(() => {})
      .finally(() => (isBusy = false))
  }, yieldEveryMs)
  timer.unref()
  return () => clearInterval(timer)
}

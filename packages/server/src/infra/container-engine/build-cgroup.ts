import { messageOf } from '../../text/message-of.ts'
import type { CgroupLimits, CgroupPath, Cgroups } from '../cgroup/cgroup.ts'
import { oomScore, readOomScore, setOomScore } from '../process/oom-score.ts'
import type { Run } from '../process/process.ts'
import { EngineError } from './container-engine.ts'
import { buildWeight } from './engine-cgroups.ts'

export interface BuildCgroup {
  parent: string
  /** Returns whether the cgroup is gone; it stays while it contains processes. */
  remove(): Promise<boolean>
}

const lowerIntervalMs = 500
const ioniceTimeoutMs = 5_000

/**
 * The classic builder cannot limit processes, and BuildKit limits nothing, so builds run in a cgroup with limits. Rejects
 * without one.
 */
export async function createBuildCgroup(
  { cgroups, run }: { cgroups: Cgroups; run: Run },
  path: CgroupPath,
  limits: Pick<CgroupLimits, 'pids' | 'memoryBytes' | 'cpus'>
): Promise<BuildCgroup> {
  try {
    const parent = await cgroups.ensure(path, { ...limits, weight: buildWeight })
    const stop = lowerPriority({ cgroups, run }, path)
    return {
      parent,
      async remove() {
        stop()
        return cgroups.remove(path)
      }
    }
  } catch (cause) {
    throw new EngineError(`The limits for the build could not be set: ${messageOf(cause)}`, 500, { cause })
  }
}

// Neither builder takes an OOM score or I/O class, and BuildKit's steps have the engine's own score; so this polls for new processes and sets both; children inherit
// them. The score is set last and marks a process as done.
function lowerPriority({ cgroups, run }: { cgroups: Cgroups; run: Run }, path: CgroupPath): () => void {
  const lowerAll = async () => {
    const seen = await cgroups.listPids(path)
    const pids = seen.filter((pid) => readOomScore(pid) !== oomScore.tenant)
    if (pids.length === 0) return
    const argv = ['ionice', '--class', 'idle', '--ignore', '--pid', ...pids.map(String)] as const
    await run([...argv], { timeoutMs: ioniceTimeoutMs }).catch(() => {}) // best effort
    for (const pid of pids) setOomScore(pid, oomScore.tenant)
  }
  let isBusy = false
  const timer = setInterval(() => {
    if (isBusy) return
    isBusy = true
    void lowerAll()
      .catch(() => {})
      .finally(() => (isBusy = false))
  }, lowerIntervalMs)
  timer.unref()
  return () => clearInterval(timer)
}

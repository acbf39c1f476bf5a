import { messageOf } from '../../message-of.ts'
import type { CgroupPath, Cgroups } from '../cgroup/cgroup.ts'
import { oomScore, setOomScore } from '../process/oom-score.ts'
import { EngineError } from './container-engine.ts'

/** The cgroup that holds the containers of one build. */
export interface BuildCgroup {
  /** What the engine is to be given as cgroup parent. */
  parent: string
  /** Tells whether it is gone: it stays while a process is in it. */
  remove(): Promise<boolean>
}

const raiseEveryMs = 500
/** Where processors or the disk are short a build has a fifth of what a site of its account has: nobody waits for it as for a page. */
const weight = 20

/**
 * The legacy build API limits memory and CPU but not processes. A cgroup of our own above the containers of the build does: its limit counts
 * everything below. Refuses when it cannot be made: a build without the limit could take the whole machine.
 */
export async function createBuildCgroup(cgroups: Cgroups, path: CgroupPath, pids: number): Promise<BuildCgroup> {
  try {
    const parent = await cgroups.ensure(path, { pids, weight })
    const stop = raiseOomScores(cgroups, path)
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

/** Nor does that API take an OOM score, so each step's first process gets it when it is seen, and hands it to those that it starts. */
function raiseOomScores(cgroups: Cgroups, path: CgroupPath): () => void {
  const raise = async () => {
    for (const pid of await cgroups.listPids(path)) setOomScore(pid, oomScore.tenant)
  }
  const timer = setInterval(() => void raise().catch(() => {}), raiseEveryMs) // The build matters more than its order of ending.
  timer.unref()
  return () => clearInterval(timer)
}

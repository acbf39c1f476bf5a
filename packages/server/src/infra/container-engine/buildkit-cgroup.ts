import { setTimeout as sleep } from 'node:timers/promises'
import type { CgroupPath, Cgroups } from '../cgroup/cgroup.ts'
import { takeName } from '../process/name-lock.ts'
import type { Run } from '../process/process.ts'
import { signal } from '../process/signal.ts'
import { type BuildCgroup, createBuildCgroup } from './build-cgroup.ts'
import { type BuildOptions, EngineError } from './container-engine.ts'
import { removeCgroup } from './docker-build-cleanup.ts'

// The engine ends the steps of a client that is gone after about three seconds, and may start another one until then.
const lingerMs = 5_000
const intervalMs = 100

interface StepCgroupOptions {
  cgroups: Cgroups
  run: Run
  /** The account's cgroup of builds. */
  cage: CgroupPath | readonly []
  cgroupPrefix: string
}

/** Runs a build whose steps have their limits from a cgroup. It is removed after the build, and after one that was aborted. */
export async function withStepCgroup<T>(
  { cgroups, run, cage, cgroupPrefix }: StepCgroupOptions,
  { account, memoryBytes, cpus, pids }: Pick<BuildOptions, 'account' | 'memoryBytes' | 'cpus' | 'pids'>,
  build: (parent: string) => Promise<T>
): Promise<T> {
  const { path, release } = await takePath(cage, `${cgroupPrefix}${account ?? 0}`)
  let cgroup: BuildCgroup | undefined
  let isEnded = true
  try {
    cgroup = await createBuildCgroup({ cgroups, run }, path, { memoryBytes, cpus, pids })
    return await build(cgroups.directory(path))
  } catch (error) {
    isEnded = error instanceof EngineError
    throw error
  } finally {
    if (isEnded) {
      await (cgroup && removeCgroup({ cgroup }).catch(() => {}))
      await release()
    } else {
      await endSteps(cgroups, path).catch(() => {})
      void afterAbort(cgroups, path, cgroup)
        .catch(() => {})
        .finally(release)
    }
  }
}

/**
 * BuildKit's cache key contains the path of the cgroup, so a path at random would use no layer twice. This is the first that
 * no other build of the account uses, in any process.
 */
async function takePath(
  cage: CgroupPath | readonly [],
  name: string
): Promise<{ path: CgroupPath; release: () => Promise<void> }> {
  for (let slot = 0; ; slot++) {
    const path: CgroupPath = cage.length === 0 ? [`${name}s${slot}`] : [...cage, `${name}s${slot}`]
    const release = await takeName(`build-cgroup ${path.join('/')}`)
    if (release) return { path, release }
  }
}

/** The cgroup outlives the steps: the engine would make it again without limits. */
async function afterAbort(cgroups: Cgroups, path: CgroupPath, cgroup: BuildCgroup | undefined): Promise<void> {
  for (const deadline = Date.now() + lingerMs; Date.now() < deadline; await sleep(intervalMs))
    await endSteps(cgroups, path)
  if (cgroup) await removeCgroup({ cgroup })
}

async function endSteps(cgroups: Cgroups, path: CgroupPath): Promise<void> {
  for (const pid of await cgroups.listPids(path)) signal(pid, 'SIGKILL')
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { BuildCgroup } from './build-cgroup.ts'
import type { InspectedContainer, ListedContainer } from './docker-answers.ts'
import { type EngineCall, ignoringStatuses, unlessMissing } from './docker-call.ts'

/** A build, identified by its cgroup parent, which tenant output cannot forge. */
interface StartedBuild {
  cgroup: BuildCgroup
  startedAt: number
}

// A hanging engine must not block a caller that has given up on the build.
const startupTimeoutMs = 5_000
const lingerMs = 5_000
const intervalMs = 100
const [unavailableIntervalMs, unavailableLimitMs] = [1_000, 3600_000]

/** After a build that the engine ended: it has removed the containers, and the cgroup empties within a moment. */
export async function removeCgroup({ cgroup }: Pick<StartedBuild, 'cgroup'>): Promise<void> {
  for (let waitedMs = 0; !(await cgroup.remove()) && waitedMs < startupTimeoutMs; waitedMs += intervalMs)
    await sleep(intervalMs)
}

/**
 * Cleans up after a build that we abandoned. The engine needs a second or two to notice the closed connection and may
 * start one more step until then. The caller waits only for the removal of what runs now; `watch` removes what starts
 * later. The cgroup must outlive the watch: the engine would recreate it without a limit. With live-restore, containers
 * survive an engine crash, so the watch waits for the engine to return.
 */
export async function endAbandonedBuild(call: EngineCall, build: StartedBuild): Promise<{ watch: Promise<void> }> {
  const deadline = Date.now() + startupTimeoutMs
  const isReachable = await (async () => {
    while ((await removeContainers(call, build)) > 0 && Date.now() < deadline);
    return true
  })().catch(() => false)
  return {
    watch: isReachable
      ? watchAbandonedBuild(call, build)
      : untilBack(call, build).then(() => watchAbandonedBuild(call, build))
  }
}

async function untilBack(call: EngineCall, build: StartedBuild): Promise<void> {
  for (
    const deadline = Date.now() + unavailableLimitMs;
    ;
    await sleep(unavailableIntervalMs, undefined, { ref: false })
  ) {
    try {
      await removeContainers(call, build)
      return
    } catch (error) {
      if (Date.now() > deadline) throw error
    }
  }
}

async function watchAbandonedBuild(call: EngineCall, build: StartedBuild): Promise<void> {
  const deadline = Date.now() + lingerMs
  while (Date.now() < deadline) {
    await sleep(intervalMs)
    await removeContainers(call, build)
  }
  await removeCgroup(build)
}

async function removeContainers(call: EngineCall, { cgroup, startedAt }: StartedBuild): Promise<number> {
  const containers = await call(startupTimeoutMs, (engine) =>
    engine.ask<ListedContainer[]>('GET', '/containers/json', { query: { all: true } })
  )
  const recent = containers.filter(({ Created }) => Created >= startedAt)
  const isOurs = async (id: string) => {
    const found = await unlessMissing(
      call(startupTimeoutMs, (engine) => engine.ask<InspectedContainer>('GET', `/containers/${id}/json`))
    )
    return found?.HostConfig.CgroupParent === cgroup.parent
  }
  const removals = recent.map(async ({ Id: id }) => {
    if (!(await isOurs(id))) return 0
    await ignoringStatuses(
      [404, 409],
      call(startupTimeoutMs, (engine) => engine.ask('DELETE', `/containers/${id}`, { query: { force: true, v: true } }))
    )
    return 1
  })
  return (await Promise.all(removals)).reduce((sum: number, count) => sum + count, 0)
}

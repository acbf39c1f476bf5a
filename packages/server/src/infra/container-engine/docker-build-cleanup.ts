import { setTimeout as sleep } from 'node:timers/promises'
import type { BuildCgroup } from './build-cgroup.ts'
import type { InspectedContainer, ListedContainer } from './docker-answers.ts'
import { type EngineCall, ignoringStatuses, unlessMissing } from './docker-call.ts'

/** A build whose containers are known by their cgroup parent, which no log line of a tenant can forge. */
interface StartedBuild {
  cgroup: BuildCgroup
  /** Seconds since 1970, as the engine counts the age of containers. */
  startedAt: number
}

/** An engine that hangs must not hold a caller who has given up on the build. */
const startupTimeoutMs = 5_000
const lingerMs = 5_000
const intervalMs = 100
const [unavailableIntervalMs, unavailableLimitMs] = [1_000, 3600_000]

/** After a build that the engine itself ended: it has removed the containers, and their cgroup goes within a moment. */
export async function removeCgroup({ cgroup }: StartedBuild): Promise<void> {
  for (let waitedMs = 0; !(await cgroup.remove()) && waitedMs < startupTimeoutMs; waitedMs += intervalMs)
    await sleep(intervalMs)
}

/**
 * After a build that we left. The engine needs a second or two to notice the closed connection and may begin one more step
 * until then. So what runs is removed now, which is what the caller waits for; what comes late is removed by the watch, and
 * the cgroup outlives it: without it the engine would make one anew, without a limit. An engine that was killed finds the step's
 * container when it is back (live-restore), so the watch waits for it.
 */
export async function endLeftBuild(call: EngineCall, build: StartedBuild): Promise<{ watch: Promise<void> }> {
  const deadline = Date.now() + startupTimeoutMs
  const isThere = await (async () => {
    while ((await removeContainers(call, build)) > 0 && Date.now() < deadline);
    return true
  })().catch(() => false)
  return {
    watch: isThere ? watchLeftBuild(call, build) : untilBack(call, build).then(() => watchLeftBuild(call, build))
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

async function watchLeftBuild(call: EngineCall, build: StartedBuild): Promise<void> {
  const deadline = Date.now() + lingerMs
  while (Date.now() < deadline) {
    await sleep(intervalMs)
    await removeContainers(call, build)
  }
  await removeCgroup(build)
}

/** Removes the containers of the build and tells how many there were. */
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

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { monotonicMs } from '../../time/monotonic-clock.ts'

/** As engines name the cgroup of a container: cgroupfs, or a scope of systemd. */
const containerName = /^(?:[a-z]+-)?([0-9a-f]{64})(?:\.scope)?$/
const maxDepth = 7
/** A walk for one that has just come finds it only later; it is not made for each reading. */
const newAgainAfterMs = 4_000
/** One that the last walk did not find is looked for, but not all the time: a container may be away for days. */
const againAfterMs = 60_000
/** So that nothing else of the process waits for all of them. */
const directoriesPerTick = 50

/** Where the cgroup of each container lies below a root. */
interface CgroupPlaces {
  /** Looks for those of these that it does not know, where that is worth it. */
  check(ids: readonly string[]): Promise<void>
  of(id: string): string | undefined
  /** There was nothing at its place: it ends, or has moved. */
  wasEmpty(id: string): void
}

export function createCgroupPlaces(root: () => string, clock = monotonicMs): CgroupPlaces {
  let places = new Map<string, string>()
  let walkedAt = -Infinity
  /** By the last walk, or since. */
  const missed = new Set<string>()
  let walking: Promise<void> | undefined
  const walk = async (ids: readonly string[]) => {
    places = await findContainers(root())
    walkedAt = clock()
    missed.clear()
    for (const id of ids) if (!places.has(id)) missed.add(id)
  }
  return {
    async check(ids) {
      const since = clock() - walkedAt
      const isAnyNew = ids.some((id) => !places.has(id) && !missed.has(id))
      const isDue = isAnyNew ? since > newAgainAfterMs : since > againAfterMs && ids.some((id) => missed.has(id))
      if (isDue) walking ??= walk(ids).finally(() => (walking = undefined))
      await walking
    },
    of: (id) => places.get(id),
    wasEmpty: (id) => void missed.add(id)
  }
}

/** From the root on; what is below one is its own. */
async function findContainers(root: string): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const waiting = [{ path: '', depth: 0 }]
  for (let read = 1, next; (next = waiting.pop()); read++) {
    const { path, depth } = next
    for (const name of directoriesIn(join(root, path))) {
      const id = containerName.exec(name)?.[1]
      if (id !== undefined) found.set(id, join(path, name))
      else if (depth < maxDepth) waiting.push({ path: join(path, name), depth: depth + 1 })
    }
    if (read % directoriesPerTick === 0) await nextTurn()
  }
  return found
}

/** None where it is gone or may not be read. */
function directoriesIn(path: string): string[] {
  try {
    return readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
  } catch {
    return []
  }
}

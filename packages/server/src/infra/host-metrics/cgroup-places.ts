import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { monotonicMs } from '../../time/monotonic-clock.ts'

const containerName = /^(?:[a-z]+-)?([0-9a-f]{64})(?:\.scope)?$/
const maxDepth = 7
/** Minimum interval of walks for new containers, instead of one walk per reading. */
const newContainerIntervalMs = 4_000
/** Interval of walks for containers that the last walk did not find: they may be gone for days. */
const missingContainerIntervalMs = 60_000
const directoriesPerTick = 50

interface CgroupPlaces {
  check(ids: readonly string[]): Promise<void>
  of(id: string): string | undefined
  /** Call if the cgroup had no process: the container is ending or has moved. */
  markMissing(id: string): void
}

export function createCgroupPlaces(root: () => string, clock = monotonicMs): CgroupPlaces {
  let places = new Map<string, string>()
  let walkedAt = -Infinity
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
      const isDue = isAnyNew
        ? since > newContainerIntervalMs
        : since > missingContainerIntervalMs && ids.some((id) => missed.has(id))
      if (isDue) walking ??= walk(ids).finally(() => (walking = undefined))
      await walking
    },
    of: (id) => places.get(id),
    markMissing: (id) => void missed.add(id)
  }
}

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

function directoriesIn(path: string): string[] {
  try {
    return readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
  } catch {
    return []
  }
}

import { mapEquals, readMap, removeMapEntry, replaceMap, type Send, setMapEntry } from './haproxy-map.ts'
import type { RouteTable } from './route-map.render.ts'
import { applyChanges, createRouteMapFile, type RouteChanges } from './route-map-file.ts'

export interface LiveMap {
  change(changes: RouteChanges): Promise<void>
  /** Sets the exact entries; resolves with whether anything changed. */
  sync(wanted: RouteTable): Promise<boolean>
}

interface LiveMapOptions {
  send: Send
  path: string
  parse: (text: string) => RouteTable
  /** Runs `work` exclusively across processes: of two concurrent writes to a file one would be lost. */
  alone: (work: () => Promise<void>) => Promise<void>
}

// Measured: above about 20 changes, one atomic replacement costs the proxy less than single changes.
const singleChangesMax = 20

/** A map of the running proxy, and its file, which a starting proxy reads. */
export function createLiveMap({ send, path, parse, alone }: LiveMapOptions): LiveMap {
  const file = createRouteMapFile(path, parse, alone)
  let tail: Promise<unknown> = Promise.resolve()
  /** Queued changes; they share one file write. */
  let waiting: { changes: Map<string, string | undefined>; done: Promise<void> } | undefined
  /** A command failed, so the running map may differ from the file. */
  let isLiveMapUncertain = false

  return {
    async change(changes) {
      if (!waiting) {
        const queued = new Map<string, string | undefined>()
        const batch = {
          changes: queued,
          done: serially(() => {
            if (waiting === batch) waiting = undefined
            return apply(queued)
          })
        }
        waiting = batch
      }
      for (const [key, value] of changes) waiting.changes.set(key, value)
      await waiting.done
    },
    sync(wanted) {
      waiting = undefined // Later changes must be applied after this sync.
      return serially(() => makeEqual(wanted))
    }
  }

  function serially<T>(work: () => Promise<T>): Promise<T> {
    const result = tail.then(work)
    tail = result.catch(() => {}) // The caller gets the failure from `result`.
    return result
  }

  /** Running proxy first, so that callers wait for one command only, not for the file. */
  async function apply(changes: RouteChanges): Promise<void> {
    file.follow(changes)
    try {
      await live(async () => {
        if (isLiveMapUncertain || changes.size > singleChangesMax || !(await applyOneByOne(changes)))
          await applyAtOnce(changes)
      })
    } catch (error) {
      await file.flush() // So that the proxy has the change if it restarts on its own.
      throw error
    }
  }

  /** The running map may be ahead of the file, also by other processes' changes. */
  async function applyAtOnce(changes: RouteChanges): Promise<void> {
    const running = isLiveMapUncertain ? undefined : await readMap(send, path)
    const table = running ?? (await file.flush(), await file.read())
    applyChanges(table, changes)
    await replaceMap(send, path, table)
  }

  async function applyOneByOne(changes: RouteChanges): Promise<boolean> {
    for (const [key, value] of changes) {
      const isDone = value === undefined ? removeMapEntry(send, path, key) : setMapEntry(send, path, key, value)
      if (!(await isDone)) return false
    }
    return true
  }

  /** File and running map are independent: a full disk must not keep outdated entries live. */
  async function makeEqual(wanted: RouteTable): Promise<boolean> {
    const results = await Promise.allSettled([file.replace(wanted), live(() => makeRunningEqual(wanted))])
    for (const result of results) if (result.status === 'rejected') throw result.reason
    return results.some((result) => result.status === 'fulfilled' && result.value)
  }

  async function makeRunningEqual(wanted: RouteTable): Promise<boolean> {
    if (await mapEquals(send, path, wanted)) return false
    await replaceMap(send, path, wanted)
    return true
  }

  async function live<T>(work: () => Promise<T>): Promise<T> {
    try {
      const result = await work()
      isLiveMapUncertain = false
      return result
    } catch (error) {
      isLiveMapUncertain = true
      throw error
    }
  }
}

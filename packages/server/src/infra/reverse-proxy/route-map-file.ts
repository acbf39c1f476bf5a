import { readFile, stat } from 'node:fs/promises'
import { createSemaphore } from '../../concurrency/semaphore.ts'
import { writeFileAtomically } from '../disk/atomic-file.ts'
import { renderRouteMap, type RouteTable } from './route-map.render.ts'
import { createWriteBehind } from './write-behind.ts'

export type RouteChanges = ReadonlyMap<string, string | undefined>

interface RouteMapFile {
  read(): Promise<RouteTable>
  follow(changes: RouteChanges): void
  /** Writes pending changes now; they stay pending on failure. */
  flush(): Promise<void>
  /** Sets the exact routes; resolves with whether file and pending changes differed from them. */
  replace(table: RouteTable): Promise<boolean>
}

export function applyChanges(table: RouteTable, changes: RouteChanges): void {
  for (const [key, value] of changes) {
    if (value === undefined) table.delete(key)
    else table.set(key, value)
  }
}

/**
 * The map file that the proxy loads at start. It lags slightly behind the running map: after a crash the sync that
 * follows each start repairs it. Other processes write it too, so the cached copy is valid only while the file's
 * identity is unchanged.
 * @param alone lock for delayed writes; callers of flush and replace already hold it
 */
export function createRouteMapFile(
  path: string,
  parse: (text: string) => RouteTable,
  alone?: (work: () => Promise<void>) => Promise<void>
): RouteMapFile {
  const serially = createSemaphore(1)
  const unwritten = new Map<string, string | undefined>()
  let known: { identity: string; table: RouteTable } | undefined
  const behind = createWriteBehind(() => serially(flush), alone)

  async function read(): Promise<RouteTable> {
    const identity = await identityOf(path)
    if (known?.identity !== identity)
      known = { identity, table: identity === '' ? new Map() : parse(await readFile(path, 'utf8')) }
    return known.table
  }

  async function write(table: RouteTable): Promise<void> {
    known = undefined
    await writeFileAtomically(path, renderRouteMap(table))
    known = { identity: await identityOf(path), table }
  }

  async function flush(): Promise<void> {
    const changes = new Map(unwritten)
    if (changes.size === 0) return
    const before = await read()
    if ([...changes].some(([key, value]) => before.get(key) !== value)) {
      const table = new Map(before)
      applyChanges(table, changes)
      await write(table)
    }
    forget(changes)
  }

  /** Except for keys that changed again during the write. */
  function forget(written: RouteChanges): void {
    for (const [key, value] of written) if (unwritten.get(key) === value) unwritten.delete(key)
  }

  return {
    read: async () => new Map(await read()),
    follow(changes) {
      for (const [key, value] of changes) unwritten.set(key, value)
      behind.follow()
    },
    flush: behind.flush,
    replace: (table) =>
      serially(async () => {
        const superseded = new Map(unwritten)
        const before = await read()
        const followed = new Map(before)
        applyChanges(followed, superseded)
        if (!isEqual(before, table)) await write(new Map(table))
        forget(superseded)
        return !isEqual(followed, table)
      })
  }
}

const isEqual = (one: RouteTable, other: RouteTable): boolean =>
  one.size === other.size && [...one].every(([key, value]) => other.get(key) === value)

async function identityOf(path: string): Promise<string> {
  try {
    const { ino, mtimeNs, size } = await stat(path, { bigint: true })
    return `${ino}:${mtimeNs}:${size}`
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  }
}

import { readFile, stat } from 'node:fs/promises'
import { writeFileAtomically } from '../disk/atomic-file.ts'
import { parseRouteMap, renderRouteMap, type RouteTable } from './route-map.render.ts'

interface RouteMapFile {
  /** A copy of the routes in the file; none when there is no file. */
  read(): Promise<RouteTable>
  write(table: RouteTable): Promise<void>
}

/**
 * The file from which the proxy takes its routes when it starts: the last word on what is wanted, also for a process that has only
 * just begun or that is not alone. So the copy in memory counts only while the file is the one that we read or wrote last.
 */
export function createRouteMapFile(path: string): RouteMapFile {
  let known: { identity: string; table: RouteTable } | undefined
  const cache = async (table: RouteTable) => {
    known = { identity: await identityOf(path), table }
  }
  return {
    async read() {
      const identity = await identityOf(path)
      if (known?.identity !== identity) {
        known = { identity, table: identity === '' ? new Map() : parseRouteMap(await readFile(path, 'utf8')) }
      }
      return new Map(known.table)
    },
    async write(table) {
      known = undefined
      await writeFileAtomically(path, renderRouteMap(table))
      await cache(new Map(table))
    }
  }
}

async function identityOf(path: string): Promise<string> {
  try {
    const { ino, mtimeNs, size } = await stat(path, { bigint: true })
    return `${ino}:${mtimeNs}:${size}`
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  }
}

import { isRoutableName } from './routable-name.ts'
import { type ContainerNetwork, RouteRefusedError, type TcpRoute } from './reverse-proxy.ts'
import { renderEndpoint, type RouteTable } from './route-map.render.ts'

const linePattern = /^([1-9][0-9]{0,4}|[a-z0-9.*-]+\.[a-z0-9-]+) ([0-9.]+:[1-9][0-9]{0,4}|closed:0)$/

/** Published ports and TLS names. Throws RouteRefusedError on an invalid or duplicate one. */
export function renderTcpTable(routes: readonly TcpRoute[], network: ContainerNetwork): RouteTable {
  const table: RouteTable = new Map()
  for (const { at, target } of routes) {
    const key = renderKey(at)
    if (table.has(key)) throw new RouteRefusedError(`Second TCP route: ${key}`)
    table.set(key, target === undefined ? 'closed:0' : renderEndpoint(target, network))
  }
  return table
}

/** Skips lines that renderTcpTable cannot have written. */
export function parseTcpMap(text: string): RouteTable {
  const table: RouteTable = new Map()
  for (const line of text.split('\n')) {
    const [, key, value] = linePattern.exec(line) ?? []
    if (key !== undefined && value !== undefined) table.set(key, value)
  }
  return table
}

function renderKey(at: number | string): string {
  const isFit = typeof at === 'number' ? Number.isInteger(at) && at >= 1 && at <= 65_535 : isRoutableName(at)
  if (!isFit) throw new RouteRefusedError(`Invalid TCP route: ${String(JSON.stringify(at)).slice(0, 100)}`)
  return String(at)
}

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AdapterError } from '../adapter-error.ts'
import { readIfExists } from '../disk/read-if-exists.ts'
import { parseCrtList, renderCrtLines, renderCrtList } from './crt-list.render.ts'
import { namedPools, type ServedState } from './edge-tables.policy.ts'
import { poolName } from './haproxy-instances.render.ts'
import { readMap, type Send } from './haproxy-map.ts'
import type { HaproxyPaths } from './haproxy-paths.ts'
import { parseServers } from './haproxy-pools.ts'

export interface Certificates {
  /** crt-list of the edge. */
  list: string
  files: ReadonlyMap<string, string>
  digests: ReadonlyMap<string, string>
}

/** From the proxy itself, whose files may be behind. */
export async function readServed(send: Send, own: HaproxyPaths): Promise<ServedState> {
  const read = async (path: string) => {
    const table = await readMap(send, path)
    if (table) return table
    throw new AdapterError('reverse-proxy-unavailable', 'The reverse proxy is changing a table')
  }
  const [routes, rules, machines] = await Promise.all([own.map, own.rules, own.machines].map(read))
  const pools = namedPools(routes!).map(async (pool) => {
    const servers = parseServers(await send(`show servers state ${poolName(pool.isSticky, pool.number)}`))
    const members = servers.filter(({ isServing }) => isServing).map(({ endpoint }) => endpoint.split(':'))
    return { ...pool, members: members.map(([address, port]) => ({ address: address!, port: Number(port) })) }
  })
  return { routes: routes!, rules: rules!, machines: machines!, pools: await Promise.all(pools) }
}

/** Certificates that the panel's proxy has on disk, under the paths of the edge. Read again only if its list changed. */
export async function readCertificates(
  own: HaproxyPaths,
  paths: HaproxyPaths,
  known: Certificates | undefined
): Promise<Certificates> {
  const entries = parseCrtList(own.certificates, (await readIfExists(own.crtList)) ?? '')
  const lines = renderCrtLines(entries)
  const list = renderCrtList(paths.certificates, paths.defaultCertificate, lines)
  if (known?.list === list) return known
  const files = new Map([[paths.defaultCertificate, await readFile(own.defaultCertificate, 'utf8')]])
  for (const file of lines.keys())
    files.set(join(paths.certificates, file), await readFile(join(own.certificates, file), 'utf8'))
  return { list, files, digests: new Map([...files].map(([path, content]) => [path, digestOf(content)])) }
}

export const digestOf = (content: string): string => createHash('sha256').update(content).digest('hex')

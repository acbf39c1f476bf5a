import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AdapterError } from '../../src/infra/adapter-error.ts'
import {
  type DnsServer,
  type DsRecord,
  type ServedZone,
  ZoneRefusedError
} from '../../src/infra/dns-server/dns-server.ts'
import { assertZoneName, catalogName } from '../../src/infra/dns-server/zone-name.ts'

export interface MemoryDnsServer extends DnsServer {
  /** Zone files on disk, by zone name. */
  readonly files: Map<string, string>
  /** Zones loaded by the server. */
  readonly served: Map<string, ServedZone>
  readonly ds: Map<string, DsRecord[]>
  /** Zones whose key was restored, with the content of the copy. */
  readonly restoredKeys: Map<string, string>
  /** Makes every call reject with DNS_SERVER_UNAVAILABLE; `after the ping`: every call except the ping. */
  fail: boolean | 'after the ping'
}

export function createMemoryDnsServer(): MemoryDnsServer {
  const files = new Map<string, string>()
  const served = new Map<string, ServedZone>()
  const ds = new Map<string, DsRecord[]>()
  const restoredKeys = new Map<string, string>()
  const unlisted = new Set<string>()
  const assertAvailable = () => {
    if (server.fail) throw new AdapterError('name-server-unavailable', 'The name server does not answer')
  }
  const server: MemoryDnsServer = {
    files,
    served,
    ds,
    restoredKeys,
    fail: false,
    async ping() {
      if (server.fail === true) assertAvailable()
      return 'memory'
    },
    async putZone(name, text) {
      assertZoneName(name)
      if (name === catalogName) throw new ZoneRefusedError(name, 'reserved for the catalog zone')
      assertAvailable()
      if (!/\sSOA\s/.test(text)) throw new ZoneRefusedError(name, 'missing SOA at the zone apex')
      if (!served.has(name)) unlisted.add(name)
      files.set(name, text)
    },
    async setZones(zones) {
      for (const { name } of zones) assertZoneName(name)
      assertAvailable()
      const key = (zone: ServedZone) => `${zone.name} ${zone.isSigned}`
      const before = [...served.values()].map(key).sort().join()
      served.clear()
      for (const zone of zones) if (zone.name !== catalogName) served.set(zone.name, { ...zone })
      for (const name of served.keys()) unlisted.delete(name)
      for (const name of files.keys()) if (!served.has(name) && !unlisted.has(name)) files.delete(name)
      return before !== [...served.values()].map(key).sort().join()
    },
    async listZoneFiles() {
      assertAvailable()
      return [...files.keys()]
    },
    async copyState(directory) {
      assertAvailable()
      if (served.size === 0) return
      await mkdir(directory)
      await writeFile(join(directory, 'keys'), JSON.stringify([...served.keys()]))
    },
    async restoreKey(name, copy) {
      assertAvailable()
      if (!served.has(name))
        throw new AdapterError('name-server-unavailable', 'The name server does not serve the zone')
      restoredKeys.set(name, await readFile(join(copy, 'keys'), 'utf8'))
    },
    async readDs(name) {
      assertZoneName(name)
      assertAvailable()
      return served.get(name)?.isSigned ? (ds.get(name) ?? []) : []
    },
    async readSerials() {
      assertAvailable()
      const serials = [...served.keys()]
        .filter((name) => files.has(name))
        .map((name): [string, number] => [
          name,
          Number(/SOA\s+\S+\s+\S+\s+(\d+)/.exec(files.get(name) ?? '')?.[1] ?? 0)
        ])
      return new Map(serials)
    },
    async reload() {
      assertAvailable()
    }
  }
  return server
}

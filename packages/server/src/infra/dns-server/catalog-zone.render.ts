import { createHash } from 'node:crypto'
import type { ServedZone } from './dns-server.ts'
import { catalogName } from './zone-name.ts'

export const signedGroup = 'signed'

/** Catalog zone (RFC 9432). Member ids must not change: the server would drop the zone with its DNSSEC key. */
export function renderCatalog(zones: readonly ServedZone[]): string {
  const byName = new Map(zones.map((zone) => [zone.name, zone]))
  const members = [...byName.values()]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, isSigned }) => {
      const id = createHash('sha1').update(name).digest('hex').slice(0, 24)
      return `${id}.zones IN PTR ${name}.\n${isSigned ? `group.${id}.zones IN TXT "${signedGroup}"\n` : ''}`
    })
  return `$ORIGIN ${catalogName}.
$TTL 0
@ IN SOA invalid. invalid. 1 3600 600 2147483646 0
@ IN NS invalid.
version IN TXT "2"
${members.join('')}`
}

export const isInCatalog = (catalog: string, name: string): boolean => catalog.includes(` IN PTR ${name}.\n`)

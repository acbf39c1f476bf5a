import type { DsRecord } from './dns-server.ts'
import { signedGroup } from './catalog-zone.render.ts'
import { catalogName } from './zone-name.ts'

interface KnotZone {
  serial: number | undefined
  isSigned: boolean
  isLoading: boolean
}

export function parseZoneStatus(output: string): Map<string, KnotZone> {
  const zones = new Map<string, KnotZone>()
  for (const line of output.split('\n')) {
    const [, name, fields] = /^\[(.+)\.\] (.*)$/.exec(line) ?? []
    if (name === undefined || fields === undefined) continue
    const field = (key: string) => new RegExp(`(?:^| )${key}: (\\S+)`).exec(fields)?.[1]
    const [catalog, group = ''] = field('catalog')?.split('#') ?? []
    if (catalog !== `${catalogName}.`) continue
    const serial = field('serial')
    zones.set(name, {
      serial: serial !== undefined && /^\d+$/.test(serial) ? Number(serial) : undefined,
      isSigned: group === signedGroup,
      isLoading: ['running', 'pending'].includes(field('load') ?? '')
    })
  }
  return zones
}

/** Parses `knotc zone-read ZONE|-- @ CDS`: DS data by zone (RFC 7344). */
export function parseCds(output: string): Map<string, DsRecord[]> {
  const zones = new Map<string, DsRecord[]>()
  for (const line of output.split('\n')) {
    const [, name, keyTag, algorithm, digestType, digest] =
      /^\[(.+)\.\] \S+ \d+ CDS (\d+) (\d+) (\d+) ([0-9A-Fa-f]+)$/.exec(line) ?? []
    // Algorithm 0 requests removal of the DS (RFC 8078 §4).
    if (name === undefined || digest === undefined || algorithm === '0') continue
    zones.set(name, [
      ...(zones.get(name) ?? []),
      {
        keyTag: Number(keyTag),
        algorithm: Number(algorithm),
        digestType: Number(digestType),
        digest: digest.toUpperCase()
      }
    ])
  }
  return zones
}

import { sentenceText } from '@panel/contract/sentences'
import { zoneLineTexts } from '@panel/contract/zone-line-texts'
import type { Queryable, Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { ownerOf } from './record.policy.ts'
import { baseOf, namesAbove } from '../domains/hostname.policy.ts'
import { type DomainRow, updateDomain } from '../domains/domain-access.ts'
import { challengeName } from '../domains/verification.policy.ts'
import { growContents, type ZoneContents } from './zone-contents.service.ts'
import type { ZoneRecord } from './zone-record.types.ts'
import { sizeOf } from './zone-size.policy.ts'
import { deleteRecords, listActiveDomainsBelow, listRecordsOfDomain } from './zone-membership.repository.ts'
import { listZonesNamed, markZoneChanged, type ZoneRow } from './zones.repository.ts'

function zoneNamesFor(hostname: string): string[] {
  const base = baseOf(hostname)
  return [base, ...namesAbove(base)]
}

/** The nearest zone at or above a name on this server, with its account. */
export async function nearestZone(
  db: Queryable,
  hostname: string
): Promise<{ zone: ZoneRow; userId: string } | undefined> {
  const names = zoneNamesFor(hostname)
  const zones = await listZonesNamed(db, names)
  return names.map((name) => zones.find(({ zone }) => zone.name === name)).find((found) => found !== undefined)
}

/** The account's zone for a name: the nearest on this server, unless that belongs to another account. */
export async function findZoneFor(db: Queryable, userId: string, hostname: string): Promise<ZoneRow | undefined> {
  const nearest = await nearestZone(db, hostname)
  return nearest?.userId === userId ? nearest.zone : undefined
}

export type JoinProblem = { code: 'DNS_RECORD_CONFLICT' } | { code: 'DNS_RECORD_LIMIT'; message: string }

/**
 * Changes nothing if a record conflicts or the zone would become too large. Drops a conflicting verification record,
 * and our own NS records at a name that is no longer an apex.
 */
export async function addToZone(
  deps: Pick<Dependencies, 'config' | 'now'>,
  trx: Transaction,
  domain: DomainRow,
  contents: ZoneContents
): Promise<{ joined: DomainRow } | { problem: JoinProblem }> {
  const { zone, index } = contents
  const now = deps.now()
  const staying: JoiningRecord[] = []
  const obsolete: string[] = []
  for (const record of await listRecordsOf(trx, domain)) {
    const isOurNameserver =
      record.type === 'NS' && record.owner === domain.hostname && deps.config.DNS_NAMESERVERS.includes(record.value)
    if (isOurNameserver && domain.hostname !== zone.name) obsolete.push(record.id)
    else if (!index.conflictOf(record)) {
      index.add([record])
      staying.push(record)
    } else if (record.owner === challengeName(domain.hostname)) obsolete.push(record.id)
    else {
      index.remove(staying)
      return { problem: { code: 'DNS_RECORD_CONFLICT' } }
    }
  }
  const tooLarge = growContents(contents, sizeOf(staying))
  if (tooLarge) {
    index.remove(staying)
    return { problem: { code: 'DNS_RECORD_LIMIT', message: sentenceText(zoneLineTexts, [tooLarge]) } }
  }
  await markZoneChanged(trx, zone.domainId, now)
  await deleteRecords(trx, obsolete)
  return { joined: await updateDomain(trx, domain.id, { dnsMode: 'MANAGED', zoneId: zone.domainId }, now) }
}

export const namesToJoin = async (db: Queryable, domain: DomainRow): Promise<string[]> =>
  (await listRecordsOf(db, domain)).map((record) => record.owner)

type JoiningRecord = ZoneRecord & { id: string; name: string }

async function listRecordsOf(db: Queryable, { id, hostname }: DomainRow): Promise<JoiningRecord[]> {
  const rows = await listRecordsOfDomain(db, id)
  return rows.map((row) => ({ ...row, owner: ownerOf(row.name, hostname) }))
}

/** Excludes those below another account's zone. */
export async function listDomainsBelow(db: Queryable, userId: string, name: string): Promise<DomainRow[]> {
  const rows = await listActiveDomainsBelow(db, userId, name)
  const between = await listZonesNamed(db, [...new Set(rows.flatMap((row) => zoneNamesFor(row.hostname)))])
  const foreign = new Set(between.filter((one) => one.userId !== userId).map((one) => one.zone.name))
  return rows.filter((row) =>
    zoneNamesFor(row.hostname).every((above) => !foreign.has(above) || !above.endsWith(`.${name}`))
  )
}

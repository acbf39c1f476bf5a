import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { addContents, type ZoneContents } from '../dns-zones/zone-contents.service.ts'
import { markZoneChanged } from '../dns-zones/zone-access.ts'
import type { DomainRow } from '../domains/domain-access.ts'
import { publicIpOf } from '../domains/public-ip.service.ts'
import { type DefaultRecord, defaultRecords } from './default-records.policy.ts'
import { insertRecords } from './dns-records.repository.ts'
import { ownerOf, type RecordValues } from '../dns-zones/record.policy.ts'

/**
 * Creates those of the default records that are missing and that nothing stands against: what is there of a name and type counts.
 * Resolves with why some have no room in the zone, if so. The domain is in the zone.
 */
export async function seedRecords(
  deps: Pick<Dependencies, 'config' | 'now'>,
  trx: Transaction,
  domain: DomainRow,
  contents: ZoneContents,
  wanted: readonly DefaultRecord[] = ['@ A', 'www CNAME', '@ NS']
): Promise<string | undefined> {
  const { zone, index } = contents
  const now = deps.now()
  const defaults = defaultsOf(deps, domain, zone.name)
  const candidates = wanted
    .flatMap((which) => defaults[which])
    .map((values) => ({ ...values, owner: ownerOf(values.name, domain.hostname) }))
    .filter(({ owner, type }) => !index.at(owner).some((one) => one.type === type))
  const missing: RecordValues[] = []
  let problem: string | undefined
  for (const record of candidates) {
    if (index.conflictOf(record)) continue
    const tooLarge = addContents(contents, [record])
    problem ??= tooLarge
    if (tooLarge) continue
    const { owner: _owner, ...values } = record
    missing.push(values)
  }
  if (missing.length === 0) return problem
  await markZoneChanged(trx, zone.domainId, now)
  await insertRecords(trx, domain.id, missing, now)
  return problem
}

/** Full names of all default records of a domain. */
export const namesOfDefaults = (
  deps: Pick<Dependencies, 'config'>,
  domain: Pick<DomainRow, 'hostname'>,
  zoneName: string
): string[] =>
  Object.values(defaultsOf(deps, domain, zoneName))
    .flat()
    .map(({ name }) => ownerOf(name, domain.hostname))

const defaultsOf = (
  { config }: Pick<Dependencies, 'config'>,
  { hostname }: Pick<DomainRow, 'hostname'>,
  zoneName: string
) => defaultRecords({ hostname, zoneName, publicIp: publicIpOf(config), nameservers: config.DNS_NAMESERVERS })

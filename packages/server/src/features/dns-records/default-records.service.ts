import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { ZoneContents } from '../dns-zones/zone-contents.service.ts'
import type { DomainRow } from '../domains/domain-access.ts'
import { publicIpOf } from '../domains/public-ip.service.ts'
import { type DefaultRecord, defaultRecords } from './default-records.policy.ts'
import { addMissingRecords } from './missing-records.service.ts'
import { ownerOf } from '../dns-zones/record.policy.ts'

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
  const defaults = defaultsOf(deps, domain, contents.zone.name)
  const missing = wanted
    .flatMap((which) => defaults[which])
    .map((values) => ({ values, owner: ownerOf(values.name, domain.hostname) }))
    // Before any is made: there may be several of a type.
    .filter(({ owner, values }) => !contents.index.at(owner).some(({ type }) => type === values.type))
    .map(({ values }) => ({ values, isThere: () => false }))
  return (await addMissingRecords(deps, trx, domain, contents, missing)).tooLarge
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

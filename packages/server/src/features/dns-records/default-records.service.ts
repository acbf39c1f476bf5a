import type { Sentence } from '@panel/contract/sentences'
import type { ZoneLineCode } from '@panel/contract/zone-line-texts'
import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { ZoneContents } from '../dns-zones/zone-contents.service.ts'
import type { DomainRow } from '../domains/domain-access.ts'
import { publicIpOf } from '../domains/public-ip.service.ts'
import { type DefaultRecord, defaultRecords } from './default-records.policy.ts'
import { addMissingRecords, planMissingRecords } from './missing-records.service.ts'
import { ownerOf, type RecordValues } from '../dns-zones/record.policy.ts'

const allDefaults: readonly DefaultRecord[] = ['@ A', 'www CNAME', '@ NS']

/** An existing record of the same name and type counts, whatever its value. Resolves with a limit exceeded. */
export async function seedRecords(
  deps: Pick<Dependencies, 'config' | 'now'>,
  trx: Transaction,
  domain: DomainRow,
  contents: ZoneContents,
  wanted: readonly DefaultRecord[] = allDefaults
): Promise<Sentence<ZoneLineCode> | undefined> {
  const { missing } = compareDefaults(deps, domain, contents, wanted)
  return (await addMissingRecords(deps, trx, domain, contents, missing)).tooLarge
}

export function previewDefaults(
  deps: Pick<Dependencies, 'config'>,
  domain: Pick<DomainRow, 'hostname'>,
  contents: ZoneContents
): { added: RecordValues[]; there: RecordValues[]; refused: Sentence<ZoneLineCode>[] } {
  const { missing, there } = compareDefaults(deps, domain, contents, allDefaults)
  const { added, refused, tooLarge } = planMissingRecords(domain, contents, missing)
  return { added, there, refused: [...refused.map(({ why }) => why), ...(tooLarge ? [tooLarge] : [])] }
}

function compareDefaults(
  deps: Pick<Dependencies, 'config'>,
  domain: Pick<DomainRow, 'hostname'>,
  contents: ZoneContents,
  wanted: readonly DefaultRecord[]
) {
  const defaults = defaultsOf(deps, domain, contents.zone.name)
  const all = wanted.flatMap((which) => defaults[which])
  // Evaluated before adding any, because there may be several of a type.
  const isThere = ({ name, type }: RecordValues) =>
    contents.index.at(ownerOf(name, domain.hostname)).some((record) => record.type === type)
  return {
    there: all.filter(isThere),
    missing: all.filter((values) => !isThere(values)).map((values) => ({ values, isThere: () => false }))
  }
}

export const defaultRecordNames = (
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

import type { Queryable, Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { type AddedRecords, addMissingRecords } from '../dns-records/missing-records.service.ts'
import { movingZone } from '../dns-records/zone-change.service.ts'
import { ownerOf } from '../dns-zones/record.policy.ts'
import { loadZone } from '../dns-zones/zone-contents.service.ts'
import { publicIpOf } from '../domains/public-ip.service.ts'
import type { DomainRow } from '../feature.ts'
import { listMailHostLabels } from '../mail-clients/mail-hosts.service.ts'
import {
  type GeneratedFor,
  type GeneratedRecord,
  generatedRecords,
  isThere,
  type RecordPurpose
} from './generated-records.policy.ts'
import { findMailAuth } from './mail-auth.repository.ts'

type Deps = Pick<Dependencies, 'config' | 'now'>

export type RecordFacts = Pick<GeneratedFor, 'keys' | 'hosts' | 'mtaStsMode'>

export const recordsOf = (
  { config }: Pick<Deps, 'config'>,
  { hostname }: Pick<DomainRow, 'hostname'>,
  facts: RecordFacts
): GeneratedRecord[] =>
  generatedRecords({
    ...facts,
    hostname,
    serverIp: config.SERVER_IP ?? config.PUBLIC_IP ?? '127.0.0.1',
    hostIp: publicIpOf(config),
    ports: config
  })

export async function loadRecords(
  deps: Pick<Deps, 'config'>,
  db: Queryable,
  domain: DomainRow,
  keys: RecordFacts['keys']
): Promise<GeneratedRecord[]> {
  const auth = await findMailAuth(db, domain.id)
  const hosts = (await listMailHostLabels(db, [domain])).get(domain.id)!
  return recordsOf(deps, domain, { keys, hosts, mtaStsMode: auth?.mtaStsMode ?? 'testing' })
}

interface PublishedRecords {
  /** `<type> <name>`, such as `TXT _dmarc`. */
  added: string[]
  refused: Map<RecordPurpose, string>
  tooLarge: AddedRecords['tooLarge']
}

export async function publishRecords(
  deps: Deps,
  trx: Transaction,
  domain: DomainRow & { zoneId: string },
  records: readonly GeneratedRecord[]
): Promise<PublishedRecords> {
  const names = records.map(({ values }) => ownerOf(values.name, domain.hostname))
  const contents = await loadZone(trx, domain.zoneId, names)
  if (!contents) throw movingZone(domain)
  const wanted = records.map(({ purpose, values }) => ({ values, isThere: isThere[purpose] }))
  const { added, refused, tooLarge } = await addMissingRecords(deps, trx, domain, contents, wanted)
  const purposes = new Map(records.map(({ purpose, values }) => [values, purpose] as const))
  return {
    added: added.map(({ type, name }) => `${type} ${name}`),
    refused: new Map(
      refused.map(({ values, problem }) => [purposes.get(values as GeneratedRecord['values'])!, problem])
    ),
    tooLarge
  }
}

export const isManaged = (domain: DomainRow): domain is DomainRow & { zoneId: string } => domain.zoneId !== null

import type { DkimKey } from '@panel/contract/dkim-keys'
import type { DomainRow } from '../feature.ts'
import type { StoredRecord } from '../dns-zones/zone-access.ts'
import { carriesKey, dkimName, dkimValue } from './dkim-record.policy.ts'
import type { DkimKeyRow } from './mail-auth.repository.ts'

export function dkimKeyView(
  row: DkimKeyRow,
  { hostname }: Pick<DomainRow, 'hostname'>,
  facts: { signingId: string | undefined; records: readonly StoredRecord[] }
): DkimKey {
  const recordName = `${dkimName(row.selector)}.${hostname}`
  return {
    id: row.id,
    domainId: row.domainId,
    userId: row.userId,
    selector: row.selector,
    status: row.status,
    publicKey: row.publicKey,
    keyLength: row.keyLength,
    isSigning: row.id === facts.signingId,
    inDns: facts.records.some(
      ({ owner, type, value }) => owner === recordName && type === 'TXT' && carriesKey(value, row.publicKey)
    ),
    recordName,
    recordValue: dkimValue(row.publicKey),
    createdAt: row.createdAt.toISOString(),
    retiredAt: row.retiredAt?.toISOString() ?? null
  }
}

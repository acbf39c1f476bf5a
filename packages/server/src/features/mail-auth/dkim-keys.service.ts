import { pagination } from '@panel/contract/common'
import type { DkimKey, DkimKeyList, DkimKeyQuery } from '@panel/contract/dkim-keys'
import type { Dependencies } from '../../dependencies.ts'
import { listRecordsNamed } from '../dns-zones/zone-access.ts'
import { getOwnDomain } from '../domains/domain-access.ts'
import type { DomainRow } from '../feature.ts'
import { dkimKeyView } from './dkim-key-view.ts'
import { dkimName } from './dkim-record.policy.ts'
import { listKeys } from './mail-auth.repository.ts'
import { isManaged } from './records.service.ts'
import { signingKey } from './signing.policy.ts'

type Deps = Pick<Dependencies, 'db'>

export async function listDkimKeys(
  deps: Deps,
  userId: string,
  domainId: string,
  { page, limit }: DkimKeyQuery
): Promise<DkimKeyList> {
  const keys = await describeKeys(deps, await getOwnDomain(deps.db, domainId, userId))
  return { keys: keys.slice((page - 1) * limit, page * limit), pagination: pagination(page, limit, keys.length) }
}

export async function describeKeys({ db }: Deps, domain: DomainRow): Promise<DkimKey[]> {
  const keys = await listKeys(db, domain.id)
  const names = keys.map(({ selector }) => `${dkimName(selector)}.${domain.hostname}`)
  const records = isManaged(domain) ? await listRecordsNamed(db, [domain.zoneId], names) : []
  const signingId = signingKey(keys)?.id
  return keys.map((key) => dkimKeyView(key, domain, { signingId, records }))
}

import type { DnsPropagation } from '@panel/contract/dns-records'
import { createConcurrencyLimit } from '../../concurrency/concurrency-limit.ts'
import type { Dependencies } from '../../dependencies.ts'
import { presentationOf } from '../../record-types/record-types.ts'
import { probedName } from '../domains/hostname.policy.ts'
import { evaluateLookup } from './propagation.policy.ts'
import { getManagedDomain, getRecord } from './record-access.ts'
import { ownerOf } from '../dns-zones/record.policy.ts'

// Each queries every resolver; a page may check several records at once.
const propagationCheckLimit = createConcurrencyLimit({ total: 32, perKey: 8, what: 'propagation checks' })

export async function checkPropagation(
  deps: Pick<Dependencies, 'db' | 'publicDns'>,
  userId: string,
  domainId: string,
  id: string
): Promise<DnsPropagation> {
  const { hostname } = await getManagedDomain(deps.db, domainId, userId)
  const record = await getRecord(deps.db, domainId, id)
  const { type } = record
  const name = probedName(ownerOf(record.name, hostname))
  const expected = presentationOf(record)
  const lookups = await propagationCheckLimit.run(userId, () => deps.publicDns.lookUp(name, type))
  return {
    recordId: id,
    type,
    name,
    expected,
    resolvers: lookups.map((lookup) => evaluateLookup(type, expected, lookup))
  }
}

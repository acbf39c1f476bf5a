import type { VerifyQuery, VerifyResult } from '@panel/contract/domains'
import { createConcurrencyLimit } from '../../concurrency/concurrency-limit.ts'
import { isUniqueViolation } from '../../db/unique-violation.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { Lookup } from '../../infra/public-dns/public-dns.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { accountTransaction } from '../users/account-transaction.service.ts'
import { getOwnDomain, lockOwnDomain } from './domain-access.ts'
import { findProof, hostnameExists, reserveName } from './domain-creation.service.ts'
import { type DomainRow, updateDomain } from './domains.repository.ts'
import { tryApplyDomain } from './domains.service.ts'
import { baseOf, probedName } from './hostname.policy.ts'
import { publicIpOf } from './public-ip.service.ts'
import { challengeName, challengeValue, evaluateVerification, verificationMessage } from './verification.policy.ts'

const verificationLimit = createConcurrencyLimit({ total: 20, perKey: 2, what: 'verifications' })

/** Queries the resolvers for the token; one that has it is enough. A failed attempt can be repeated immediately. */
export async function verifyDomain(
  deps: Dependencies,
  origin: AuditOrigin,
  userId: string,
  id: string,
  query: VerifyQuery
): Promise<VerifyResult> {
  const domain = await getOwnDomain(deps.db, id, userId)
  if (domain.status === 'ACTIVE') return alreadyVerified(domain)
  const isProved = (await findProof(deps.db, userId, domain.hostname)) !== undefined
  const result = isProved
    ? verifiedByParent(domain)
    : await verificationLimit.run(userId, () => evaluate(deps, domain, query))
  const now = deps.now()
  const after = await accountTransaction(deps.db, userId, async (trx) => {
    const current = await lockOwnDomain(trx, id, userId)
    if (current.status === 'ACTIVE') return current
    if (!result.verified) return current.status === 'ERROR' ? current : updateDomain(trx, id, { status: 'ERROR' }, now)
    const verified = await reserveName(
      deps,
      trx,
      await updateDomain(trx, id, { status: 'ACTIVE', verifiedAt: now }, now)
    )
    await recordAudit(deps, trx, origin, {
      action: 'domain.verified',
      actorId: userId,
      targetId: id,
      metadata: { hostname: domain.hostname }
    })
    return verified
  }).catch((error: unknown) => {
    throw isUniqueViolation(error, 'domains_route_key') ? hostnameExists(domain.hostname) : error
  })
  await tryApplyDomain(deps, after)
  return {
    ...result,
    verified: after.status === 'ACTIVE',
    status: after.status,
    expectedRecord: expectedRecordOf(domain)
  }
}

/** A parent domain, or the same host with another path, was verified after this one was added. */
const verifiedByParent = ({ hostname }: DomainRow) => ({
  verified: true,
  ...verificationMessage([{ code: 'VERIFIED_ABOVE', values: { hostname } }]),
  detectedRecords: []
})

async function evaluate(deps: Dependencies, domain: DomainRow, query: VerifyQuery) {
  const { hostname } = domain
  const token = domain.verificationToken ?? ''
  const mocked = mockedLookup(deps.config, query, challengeValue(token))
  const [txtLookups, hostTxtLookups, addressLookups] = mocked
    ? [[mocked], [], []]
    : await Promise.all([
        deps.publicDns.lookUp(challengeName(hostname), 'TXT'),
        deps.publicDns.lookUp(baseOf(hostname), 'TXT'),
        deps.publicDns.lookUp(probedName(hostname), 'A')
      ])
  const publicIp = publicIpOf(deps.config)
  return evaluateVerification({ hostname, token, txtLookups, hostTxtLookups, addressLookups, publicIp })
}

function mockedLookup(config: Dependencies['config'], query: VerifyQuery, expected: string): Lookup | undefined {
  if (config.NODE_ENV !== 'test' && !config.PANEL_MOCK_DNS) return undefined
  const value = query.mockRecord ?? (query.mock === 'true' ? expected : undefined)
  return value === undefined ? undefined : { resolver: 'mock', values: [value], error: null, latencyMs: 0 }
}

const alreadyVerified = (domain: DomainRow): VerifyResult => ({
  verified: true,
  status: domain.status,
  ...verificationMessage([{ code: 'VERIFIED_BEFORE', values: { hostname: domain.hostname } }]),
  expectedRecord: expectedRecordOf(domain),
  detectedRecords: []
})

function expectedRecordOf({ hostname, verificationToken }: DomainRow): VerifyResult['expectedRecord'] {
  if (verificationToken === null) return null
  return { recordType: 'TXT', recordName: challengeName(hostname), recordValue: challengeValue(verificationToken) }
}

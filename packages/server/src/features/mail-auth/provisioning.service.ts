import { authCheckNames, type MailAuthCheckResult, type MailDomain } from '@panel/contract/mail-auth'
import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { zoneTooLarge } from '../dns-zones/zone-contents.service.ts'
import { tryApplyZones } from '../dns-zones/zones.service.ts'
import { getOwnDomain } from '../domains/domain-access.ts'
import type { DomainRow } from '../feature.ts'
import { addMailHosts, applyMailHosts } from '../mail-clients/mail-hosts.service.ts'
import { lockForMail, refuseWithoutMail } from '../mailboxes/mail-domain-access.ts'
import { accountTransaction } from '../users/account-transaction.service.ts'
import { authCheck } from './auth-checks.policy.ts'
import type { RecordPurpose } from './generated-records.policy.ts'
import { checkPublicRecords } from './live-check.service.ts'
import { type DkimKeyRow, insertKey, listActiveKeys, listKeys, markKeysChanged } from './mail-auth.repository.ts'
import { describeMailDomain } from './mail-domains.service.ts'
import { freeSelector, makeSealedKey, newKey, type SealedKey } from './new-key.service.ts'
import { isManaged, loadRecords, publishRecords } from './records.service.ts'
import { firstSelector } from './selector.policy.ts'
import { checkMailServer } from './server-check.service.ts'
import { isPublished } from './signing.policy.ts'
import { tryApplySigning } from './signing.service.ts'

/**
 * Creates the missing key and records, or checks public DNS if the DNS is external. Existing records are not changed.
 */
export async function provisionMailAuth(
  deps: Dependencies,
  origin: AuditOrigin,
  userId: string,
  domainId: string
): Promise<MailDomain> {
  const { domain, refused } = await provision(deps, origin, userId, domainId)
  if (!isManaged(domain)) await checkPublicRecords(deps, domain)
  return withRefusals(await describeMailDomain(deps, domain), refused)
}

/** Checks public DNS (external DNS only), and the reputation of this server. */
export async function checkMailAuth(
  deps: Dependencies,
  origin: AuditOrigin,
  userId: string,
  domainId: string
): Promise<MailAuthCheckResult> {
  refuseWithoutMail(deps)
  let domain = await getOwnDomain(deps.db, domainId, userId)
  // The required records include the DKIM key.
  if (!(await listActiveKeys(deps.db, [domainId])).has(domainId))
    domain = (await provision(deps, origin, userId, domainId)).domain
  const [detectedRecords, server] = await Promise.all([
    isManaged(domain) ? [] : checkPublicRecords(deps, domain),
    checkMailServer(deps)
  ])
  return { ...(await describeMailDomain(deps, domain)), detectedRecords, server }
}

interface Provisioned {
  domain: DomainRow
  /** Why missing records could not be created, by purpose. */
  refused: ReadonlyMap<RecordPurpose, string>
}

async function provision(
  deps: Dependencies,
  origin: AuditOrigin,
  userId: string,
  domainId: string
): Promise<Provisioned> {
  refuseWithoutMail(deps)
  await getOwnDomain(deps.db, domainId, userId)
  const hasKey = (await listActiveKeys(deps.db, [domainId])).has(domainId)
  const sealed = hasKey ? undefined : await makeSealedKey(deps)
  const { domain, published } = await accountTransaction(deps.db, userId, async (trx) => {
    const domain = await lockForMail(deps, trx, domainId, userId)
    const { keys, created } = await withKey(deps, trx, domain, sealed)
    const hosts = await addMailHosts(deps, trx, domain)
    const published = isManaged(domain)
      ? await publishRecords(deps, trx, domain, await loadRecords(deps, trx, domain, keys))
      : undefined
    if (published?.tooLarge !== undefined) throw zoneTooLarge(domain.hostname, published.tooLarge)
    const added = published?.added ?? []
    if (created || hosts.length > 0 || added.length > 0)
      await recordAudit(deps, trx, origin, {
        action: 'mail_auth.provisioned',
        actorId: userId,
        targetId: domain.id,
        metadata: {
          domain: domain.hostname,
          records: added,
          hosts: hosts.map(({ hostname }) => hostname),
          ...(created ? { selector: created.selector } : {})
        }
      })
    return { domain, published }
  })
  await applyMailHosts(deps, domain)
  if (isManaged(domain)) await tryApplyZones(deps, [domain.zoneId])
  await tryApplySigning(deps, domain.hostname)
  return { domain, refused: published?.refused ?? new Map() }
}

/** The keys that are not RETIRED. Inserts the first one if the domain has none. */
async function withKey(
  { now }: Pick<Dependencies, 'now'>,
  trx: Transaction,
  domain: DomainRow,
  sealed: SealedKey | undefined
): Promise<{ keys: DkimKeyRow[]; created: { selector: string } | undefined }> {
  const before = await listKeys(trx, domain.id)
  if (before.some(({ status }) => status === 'ACTIVE')) return { keys: before.filter(isPublished), created: undefined }
  if (!sealed) throw new AppError('CONFLICT', `The DKIM keys of ${domain.hostname} are being changed; try again`)
  const at = now()
  const selector = await freeSelector(trx, domain, firstSelector, new Set(before.map((key) => key.selector)), at)
  // Signs at once: an unverifiable signature counts as no signature.
  await insertKey(trx, newKey(domain, selector, sealed, { now: at, signsSince: at }))
  await markKeysChanged(trx, domain.id)
  return { keys: (await listKeys(trx, domain.id)).filter(isPublished), created: { selector } }
}

/** Adds to each failed check why the record could not be created. */
function withRefusals(domain: MailDomain, refused: Provisioned['refused']): MailDomain {
  if (refused.size === 0) return domain
  const authChecks = { ...domain.authChecks }
  for (const name of authCheckNames) {
    const problem = refused.get(name.toUpperCase() as RecordPurpose)
    if (problem !== undefined)
      authChecks[name] = authCheck(authChecks[name].status, [
        ...authChecks[name].sentences,
        { code: 'NOT_WRITTEN', values: { problem } }
      ])
  }
  return { ...domain, authChecks }
}

import { certificateProblemTexts } from '@panel/contract/certificate-texts'
import { knownSentences } from '@panel/contract/sentences'
import type { MtaSts, MtaStsMode } from '@panel/contract/mail-auth'
import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { findCertificateOf } from '../certificates/certificate-access.ts'
import { removeRecords } from '../dns-records/record-access.ts'
import { listRecordsNamed, lockZone, markZoneChanged } from '../dns-zones/zone-access.ts'
import { zoneTooLarge } from '../dns-zones/zone-contents.service.ts'
import { tryApplyZones } from '../dns-zones/zones.service.ts'
import { getOwnDomain, listMailHostsBelow } from '../domains/domain-access.ts'
import type { DomainRow } from '../feature.ts'
import { hasTrustedCertificate } from '../mail-clients/client-settings.service.ts'
import { lockForMail, refuseWithoutMail } from '../mailboxes/mail-domain-access.ts'
import { accountTransaction } from '../users/account-transaction.service.ts'
import { mxHost } from './live-check.policy.ts'
import { isDnsMocked } from './live-check.service.ts'
import { findMailAuth, findPolicyMode, type MailAuthRow, saveMtaStsMode } from './mail-auth.repository.ts'
import { enforceProblem, mtaStsValue, renderMtaStsPolicy } from './mta-sts.policy.ts'
import { isManaged, loadRecords, publishRecords } from './records.service.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'now' | 'publicDns'>

export async function findPolicy(deps: Pick<Dependencies, 'config' | 'db'>, host: string): Promise<string> {
  const [, domain] = /^mta-sts\.(.+)$/.exec(host) ?? []
  const mode = deps.config.MAIL && domain !== undefined ? await findPolicyMode(deps.db, domain) : undefined
  if (domain === undefined || mode === undefined) throw new AppError('NOT_FOUND', 'No MTA-STS policy for this host')
  return renderMtaStsPolicy(domain, mode)
}

export async function showMtaSts(deps: Deps, userId: string, domainId: string): Promise<MtaSts> {
  refuseWithoutMail(deps)
  const domain = await getOwnDomain(deps.db, domainId, userId)
  return describe(deps, domain, await requireMailAuth(deps, domain))
}

/** Changes the mode, and with managed DNS the TXT record. Records that we did not create stay unchanged. */
export async function changeMtaSts(
  deps: Dependencies,
  origin: AuditOrigin,
  userId: string,
  domainId: string,
  mode: MtaStsMode
): Promise<MtaSts> {
  refuseWithoutMail(deps)
  const before = await getOwnDomain(deps.db, domainId, userId)
  await requireMailAuth(deps, before)
  if (mode === 'enforce') await requireEnforceable(deps, before)
  const domain = await accountTransaction(deps.db, userId, async (trx) => {
    const domain = await lockForMail(deps, trx, domainId, userId)
    const { mtaStsMode: previous } = await requireMailAuth({ db: trx }, domain)
    if (previous === mode) return domain
    await saveMtaStsMode(trx, domainId, mode)
    if (isManaged(domain)) await replaceRecord(deps, trx, domain, previous)
    await recordAudit(deps, trx, origin, {
      action: 'mta_sts.changed',
      actorId: userId,
      targetId: domainId,
      metadata: { domain: domain.hostname, from: previous, to: mode }
    })
    return domain
  })
  if (isManaged(domain)) await tryApplyZones(deps, [domain.zoneId])
  return describe(deps, domain, await requireMailAuth(deps, domain))
}

async function replaceRecord(
  deps: Pick<Dependencies, 'config' | 'now'>,
  trx: Transaction,
  domain: DomainRow & { zoneId: string },
  previous: MtaStsMode
): Promise<void> {
  await lockZone(trx, domain.zoneId)
  const there = await listRecordsNamed(trx, [domain.zoneId], [recordName(domain)])
  const ours = there.filter(({ type, value }) => type === 'TXT' && value === mtaStsValue(domain.hostname, previous))
  // The owner deleted the record: do not recreate it.
  if (ours.length === 0) return
  await removeRecords(
    trx,
    ours.map(({ id }) => id)
  )
  await markZoneChanged(trx, domain.zoneId, deps.now())
  const record = (await loadRecords(deps, trx, domain, [])).filter(({ purpose }) => purpose === 'MTA-STS')
  const { tooLarge } = await publishRecords(deps, trx, domain, record)
  if (tooLarge !== undefined) throw zoneTooLarge(domain.hostname, tooLarge)
}

async function requireEnforceable(deps: Deps, domain: DomainRow): Promise<void> {
  const problem = enforceProblem(
    domain.hostname,
    await mxHostsOf(deps, domain),
    await hasTrustedCertificate(deps, `mail.${domain.hostname}`)
  )
  if (problem !== undefined) throw new AppError('CONFLICT', problem)
}

async function mxHostsOf({ config, db, publicDns }: Deps, domain: DomainRow): Promise<string[]> {
  const { hostname } = domain
  if (isManaged(domain)) {
    const records = await listRecordsNamed(db, [domain.zoneId], [hostname])
    return records.filter(({ type }) => type === 'MX').map(({ value }) => value)
  }
  if (isDnsMocked(config)) return [`mail.${hostname}`]
  const lookups = await publicDns.lookUp(hostname, 'MX')
  return [...new Set(lookups.flatMap(({ values }) => values.map(mxHost)))]
}

async function describe(deps: Deps, domain: DomainRow, { mtaStsMode: mode }: MailAuthRow): Promise<MtaSts> {
  const name = `mta-sts.${domain.hostname}`
  const host = (await listMailHostsBelow(deps.db, [domain.id])).find(({ hostname }) => hostname === name)
  const certificate = host && (await findCertificateOf(deps.db, host.id))
  return {
    domainId: domain.id,
    mode,
    policy: renderMtaStsPolicy(domain.hostname, mode),
    policyUrl: `https://${name}/.well-known/mta-sts.txt`,
    recordName: recordName(domain),
    recordValue: mtaStsValue(domain.hostname, mode),
    hostDomainId: host?.id ?? null,
    isServed: host !== undefined && (await hasTrustedCertificate(deps, name)),
    problem: certificate?.errorMessage ?? null,
    sentences: knownSentences(certificateProblemTexts, certificate?.errorSentences ?? [])
  }
}

const recordName = ({ hostname }: Pick<DomainRow, 'hostname'>) => `_mta-sts.${hostname}`

async function requireMailAuth(
  { db }: { db: Parameters<typeof findMailAuth>[0] },
  { id, hostname }: DomainRow
): Promise<MailAuthRow> {
  const auth = await findMailAuth(db, id)
  if (auth) return auth
  throw new AppError('NOT_FOUND', `${hostname} has no mail yet: create a mailbox, or regenerate its mail records`)
}

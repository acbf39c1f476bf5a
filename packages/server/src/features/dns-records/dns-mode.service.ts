import type { ChangeDnsMode, DelegationCheck, Domain } from '@panel/contract/domains'
import { createConcurrencyLimit } from '../../concurrency/concurrency-limit.ts'
import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import type { DefaultRecord } from './default-records.policy.ts'
import { seedRecords } from './default-records.service.ts'
import { movingZone } from './zone-change.service.ts'
import { loadZoneFor } from './zone-above.service.ts'
import { requireNoPublishedDs } from '../dns-zones/dnssec.service.ts'
import { emptyContents, type ZoneContents, zoneTooLarge } from '../dns-zones/zone-contents.service.ts'
import {
  findZoneFor,
  type JoinProblem,
  addToZone,
  listDomainsBelow,
  nearestZone
} from '../dns-zones/zone-membership.service.ts'
import { removeFromZones } from '../dns-zones/zone-access.ts'
import {
  deleteZone,
  insertZone,
  listZoneDomainIds,
  listRecordsAround,
  markZoneChanged,
  type ZoneRow
} from '../dns-zones/zone-access.ts'
import { pingNameServer, tryApplyZones } from '../dns-zones/zones.service.ts'
import { accountTransaction } from '../users/account-transaction.service.ts'
import { domainView } from '../domains/domain-view.ts'
import {
  type DomainRow,
  findCertificateFacts,
  getOwnDomain,
  lockOwnDomain,
  requireActive
} from '../domains/domain-access.ts'
import { evaluateDelegation } from '../domains/verification.policy.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'dnsServer' | 'features' | 'logger' | 'now' | 'publicDns'>

export async function changeDnsMode(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  id: string,
  input: ChangeDnsMode
): Promise<Domain> {
  const before = await getOwnDomain(deps.db, id, userId)
  if (before.dnsMode !== input.mode) {
    const zoneIds =
      input.mode === 'MANAGED'
        ? await becomeManaged(deps, origin, before, input.skipDelegationCheck)
        : await becomeConnected(deps, origin, before, input.force)
    await tryApplyZones(deps, zoneIds, true)
  }
  return domainView(await getOwnDomain(deps.db, id, userId), await findCertificateFacts(deps.db, id), deps.now())
}

export async function checkDelegation(
  deps: Pick<Deps, 'config' | 'db' | 'publicDns'>,
  userId: string,
  id: string
): Promise<DelegationCheck> {
  const { hostname } = await getOwnDomain(deps.db, id, userId)
  return delegationOf(deps, userId, hostname)
}

// Each queries every resolver and the parent zone's name servers. Per process.
const delegationCheckLimit = createConcurrencyLimit({ total: 20, perKey: 2, what: 'delegation checks' })

function delegationOf(
  deps: Pick<Deps, 'config' | 'publicDns'>,
  userId: string,
  hostname: string
): Promise<DelegationCheck> {
  return delegationCheckLimit.run(userId, () => probeDelegation(deps, hostname))
}

async function probeDelegation(deps: Pick<Deps, 'config' | 'publicDns'>, hostname: string): Promise<DelegationCheck> {
  const expected = deps.config.DNS_NAMESERVERS
  const lookups = await deps.publicDns.lookUp(hostname, 'NS')
  const isSeen = evaluateDelegation({ expected, lookups, delegated: [] }).delegated
  // Resolvers return nothing until our servers answer for the name, so also ask the parent zone.
  const delegated = isSeen ? [] : await deps.publicDns.delegatedNameservers(hostname)
  return evaluateDelegation({ expected, lookups, delegated })
}

async function becomeManaged(
  deps: Deps,
  origin: AuditOrigin,
  domain: DomainRow,
  skipDelegationCheck: boolean
): Promise<string[]> {
  const { hostname, userId } = domain
  requireActive(domain)
  const above = await nearestZone(deps.db, hostname)
  const isOwn = above?.userId === userId
  if (hostname.startsWith('*.') && !isOwn)
    throw new AppError(
      'INVALID_TARGET',
      `A wildcard cannot have its own zone. Set ${hostname.slice(2)} to MANAGED instead.`
    )
  // Fail before any change if the name server is down.
  await pingNameServer(deps)
  // Another account's zone on this server must delegate the name, as any parent zone.
  if (above && !isOwn) await requireDelegationIn(deps, above.zone, hostname)
  else if (!above && !skipDelegationCheck) {
    const check = await delegationOf(deps, userId, hostname)
    if (!check.delegated) throw new AppError('DNS_NOT_DELEGATED', check.message)
  }
  return accountTransaction(deps.db, userId, async (trx) => {
    const current = await lockOwnDomain(trx, domain.id, userId)
    requireActive(current)
    if (current.dnsMode === 'MANAGED') return []
    const zone = await findZoneFor(trx, userId, hostname)
    const changed = zone ? await enterZone(deps, trx, current, zone) : await openZone(deps, trx, current)
    await recordMode(deps, trx, origin, current, 'MANAGED')
    return changed
  })
}

async function enterZone(deps: Deps, trx: Transaction, domain: DomainRow, zone: ZoneRow): Promise<string[]> {
  const contents = await loadZoneFor(deps, trx, zone, domain)
  if (!contents) throw movingZone(domain)
  await enter(deps, trx, domain, contents, ['@ A'])
  return [zone.domainId]
}

async function enter(
  deps: Deps,
  trx: Transaction,
  domain: DomainRow,
  contents: ZoneContents,
  defaults?: readonly DefaultRecord[]
): Promise<void> {
  const { name } = contents.zone
  const result = await addToZone(deps, trx, domain, contents)
  if ('problem' in result) throw joinError(domain, name, result.problem)
  const tooLarge = await seedRecords(deps, trx, result.joined, contents, defaults)
  if (tooLarge) throw zoneTooLarge(name, tooLarge)
  if (domain.zoneId === null) await notifyJoined(deps, trx, result.joined)
}

async function notifyJoined(deps: Deps, trx: Transaction, domain: DomainRow): Promise<void> {
  for (const { domain: hooks } of deps.features) await hooks?.joinedZone?.(deps, trx, domain)
}

function joinError({ hostname }: DomainRow, zoneName: string, problem: JoinProblem): AppError {
  if (problem.code === 'DNS_RECORD_LIMIT') return zoneTooLarge(zoneName, `${problem.message} (adding ${hostname})`)
  return new AppError(
    'DNS_RECORD_CONFLICT',
    `Existing records of ${hostname} conflict with records of the zone ${zoneName}. Delete the conflicting records in that zone.`
  )
}

async function openZone(deps: Deps, trx: Transaction, domain: DomainRow): Promise<string[]> {
  const now = deps.now()
  const zone = await insertZone(trx, { domainId: domain.id, name: domain.hostname }, now)
  if (!zone)
    throw new AppError(
      'DNS_ZONE_CONFLICT',
      `Another account already manages the zone ${domain.hostname} on this server`
    )
  const contents = emptyContents(zone)
  await enter(deps, trx, domain, contents)
  const below = await listDomainsBelow(trx, domain.userId, domain.hostname)
  const previous = below.filter((row) => row.zoneId === row.id).map((row) => row.id)
  for (const row of below) {
    const result = await addToZone(deps, trx, row, contents)
    if ('joined' in result) {
      if (row.dnsMode === 'CONNECTED') {
        await seedRecords(deps, trx, result.joined, contents, ['@ A'])
        await notifyJoined(deps, trx, result.joined)
      }
      continue
    }
    // A domain that is served now must not be dropped for lack of room.
    if (row.dnsMode === 'MANAGED' && result.problem.code === 'DNS_RECORD_LIMIT')
      throw joinError(row, zone.name, result.problem)
    await removeFromZones(trx, [row.id], now)
  }
  for (const id of previous) await deleteZone(trx, id)
  return [domain.id]
}

/** Keeps the records. If the domain is an apex, every domain leaves the zone. */
async function becomeConnected(deps: Deps, origin: AuditOrigin, domain: DomainRow, force: boolean): Promise<string[]> {
  if (domain.zoneId === domain.id && !force) await requireNoPublishedDs(deps, domain.id)
  return accountTransaction(deps.db, domain.userId, async (trx) => {
    const current = await lockOwnDomain(trx, domain.id, domain.userId)
    if (current.zoneId === null) return []
    const now = deps.now()
    const isApex = current.zoneId === current.id
    const leaving = isApex ? await listZoneDomainIds(trx, current.id) : [current.id]
    for (const { domain: hooks } of deps.features) await hooks?.leavingZone?.(deps, trx, leaving)
    await markZoneChanged(trx, current.zoneId, now)
    await removeFromZones(trx, leaving, now)
    if (isApex) await deleteZone(trx, current.id)
    await recordMode(deps, trx, origin, current, 'CONNECTED')
    return [current.zoneId]
  })
}

async function requireDelegationIn(deps: Pick<Deps, 'db'>, zone: ZoneRow, hostname: string): Promise<void> {
  const records = await listRecordsAround(deps.db, zone, [hostname])
  if (records.some((record) => record.type === 'NS' && record.owner === hostname)) return
  throw new AppError(
    'DNS_ZONE_CONFLICT',
    `Another account on this server manages a parent zone of ${hostname}. Delegate ${hostname} there with NS records first.`
  )
}

async function recordMode(
  deps: Deps,
  trx: Transaction,
  origin: AuditOrigin,
  { id, userId, hostname }: DomainRow,
  mode: ChangeDnsMode['mode']
): Promise<void> {
  await recordAudit(deps, trx, origin, {
    action: 'domain.dns_mode_changed',
    actorId: userId,
    targetId: id,
    metadata: { hostname, mode }
  })
}

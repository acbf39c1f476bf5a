import { workerVerb } from '../../worker/worker-verb.ts'
import { z } from 'zod'
import type { Dnssec } from '@panel/contract/dns-records'
import type { Dependencies } from '../../dependencies.ts'
import { createConcurrencyLimit } from '../../concurrency/concurrency-limit.ts'
import { AppError } from '../../errors.ts'
import { messageOf } from '../../text/message-of.ts'
import type { DsRecord } from '../../infra/dns-server/dns-server.ts'
import { saysNone } from '../../infra/public-dns/public-dns.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { accountTransaction } from '../users/account-transaction.service.ts'
import { getOwnDomain, lockOwnDomain, notManaged } from '../domains/domain-access.ts'
import { dnssecView } from './dnssec.policy.ts'
import { findZone, setZoneSigned, type ZoneRow } from './zones.repository.ts'
import { tryApplyZones } from './zones.service.ts'

const parentCheckLimit = createConcurrencyLimit({ total: 20, perKey: 4, what: 'parent zone checks' })

type Deps = Pick<Dependencies, 'config' | 'db' | 'dnsServer' | 'logger' | 'now' | 'publicDns'>

export async function getDnssec(deps: Deps, userId: string, id: string): Promise<Dnssec> {
  const zone = await getOwnApexZone(deps, userId, id)
  const [dsRecords, parentDs] = await Promise.all([
    zone.isSigned ? readDs(deps, zone.name) : [],
    parentCheckLimit.run(userId, () => findParentDs(deps, zone.name))
  ])
  return dnssecView({ isSigned: zone.isSigned, dsRecords, parentDs })
}

const readDsOverWorker = workerVerb(
  'dnsZones.readDs',
  [z.string().max(255)],
  (deps: Pick<Deps, 'dnsServer'>, name: string) => deps.dnsServer.readDs(name)
)

async function readDs(deps: Pick<Deps, 'dnsServer' | 'logger'>, name: string): Promise<DsRecord[]> {
  try {
    return await readDsOverWorker(deps, name)
  } catch (error) {
    deps.logger.warn({ zone: name, error: messageOf(error) }, 'Could not read DS records')
    return []
  }
}

/** Enabling signs before the DS is published; disabling needs the DS to be removed first. */
export async function setDnssec(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  id: string,
  input: { enabled: boolean; force: boolean }
): Promise<Dnssec> {
  const zone = await getOwnApexZone(deps, userId, id)
  if (zone.isSigned !== input.enabled) {
    if (!input.enabled && !input.force) await requireNoPublishedDs(deps, id)
    await accountTransaction(deps.db, userId, async (trx) => {
      const domain = await lockOwnDomain(trx, id, userId)
      await setZoneSigned(trx, id, input.enabled, deps.now())
      await recordAudit(deps, trx, origin, {
        action: 'domain.dnssec_changed',
        actorId: userId,
        targetId: id,
        metadata: { hostname: domain.hostname, enabled: input.enabled }
      })
    })
    await tryApplyZones(deps, [id], true)
  }
  return getDnssec(deps, userId, id)
}

/** Throws DNSSEC_DS_PRESENT if the zone is signed, unless a resolver confirms that there is no DS record. */
export async function requireNoPublishedDs(deps: Pick<Deps, 'db' | 'publicDns'>, zoneId: string): Promise<void> {
  const zone = await findZone(deps.db, zoneId)
  if (!zone?.isSigned) return
  const parentDs = await findParentDs(deps, zone.name)
  if (parentDs?.length === 0) return
  const reason =
    parentDs !== null
      ? `The parent zone of ${zone.name} still has a DS record. Remove it at your registrar and wait for its TTL to expire`
      : `No resolver could confirm that the parent zone of ${zone.name} has no DS record`
  throw new AppError(
    'DNSSEC_DS_PRESENT',
    `${reason}. Otherwise validating resolvers can no longer resolve the domain. Force the change to disable signing anyway.`
  )
}

async function findParentDs(deps: Pick<Deps, 'publicDns'>, name: string): Promise<string[] | null> {
  const lookups = await deps.publicDns.lookUp(name, 'DS')
  const found = [...new Set(lookups.flatMap((lookup) => lookup.values))]
  return found.length > 0 || lookups.some(saysNone) ? found : null
}

/** Returns the zone whose apex is the caller's domain; only an apex has DNSSEC settings. */
export async function getOwnApexZone(deps: Pick<Deps, 'db'>, userId: string, id: string): Promise<ZoneRow> {
  const domain = await getOwnDomain(deps.db, id, userId)
  if (domain.zoneId === null) throw notManaged(domain.hostname)
  const zone = await findZone(deps.db, domain.zoneId)
  if (!zone) throw notManaged(domain.hostname)
  if (zone.domainId !== domain.id)
    throw new AppError(
      'INVALID_TARGET',
      `${domain.hostname} is part of the zone ${zone.name}. Change DNSSEC for ${zone.name} instead.`
    )
  return zone
}

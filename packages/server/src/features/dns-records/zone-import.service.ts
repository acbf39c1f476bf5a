import type { ImportPreview, ImportZone, ZoneLine } from '@panel/contract/dns-records'
import { createConcurrencyLimit } from '../../concurrency/concurrency-limit.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { findZone, markZoneChanged, readZoneRecords } from '../dns-zones/zone-access.ts'
import { deleteRecords, insertRecordsFrom, type ListedRecords, listRecords } from './dns-records.repository.ts'
import { getManagedDomain, type ManagedDomain } from './record-access.ts'
import { changeZone, movingZone } from './zone-change.service.ts'
import { type PlannedImport, planZoneImport } from './zone-import-planning.service.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'dnsServer' | 'logger' | 'now'>

// A large file occupies a worker thread for up to a second.
const zoneImportLimit = createConcurrencyLimit({ total: 20, perKey: 1, what: 'zone imports' })

/** A plan is valid for one zone revision; give up after this many concurrent changes. */
const maxPlans = 5

export async function importZone(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  domainId: string,
  input: ImportZone
): Promise<{ preview: ImportPreview | null; records: ListedRecords; skipped: ZoneLine[]; errors: string[] }> {
  await getManagedDomain(deps.db, domainId, userId)
  return zoneImportLimit.run(userId, async () => {
    for (let plans = 0; plans < maxPlans; plans++) {
      const domain = await getManagedDomain(deps.db, domainId, userId)
      const { revision, plan } = await planFor(deps, domain, input)
      const { preview, skipped, errors } = plan
      if (preview) return { preview, records: { count: 0, json: '[]' }, skipped, errors }
      const isDone = await changeZone(deps, userId, domainId, async ({ trx, domain: { zoneId, hostname }, zone }) => {
        if (zoneId !== domain.zoneId || zone.revision !== revision) return false
        if (plan.ids.length + plan.removed.length > 0) {
          await deleteRecords(trx, plan.removed)
          await insertRecordsFrom(trx, domainId, plan.inserted, deps.now())
          await markZoneChanged(trx, zone.domainId, deps.now())
        }
        await recordAudit(deps, trx, origin, {
          action: 'domain.zone_imported',
          actorId: userId,
          targetId: domainId,
          metadata: {
            hostname,
            strategy: input.strategy,
            imported: plan.ids.length,
            removed: plan.removed.length,
            skipped: plan.skippedCount,
            errors: plan.errorCount
          }
        })
        return true
      })
      if (!isDone) continue
      const records = await listRecords(deps.db, domain, deps.config.DNS_NAMESERVERS, { ids: plan.ids })
      return { preview, records, skipped, errors }
    }
    throw new AppError('CONFLICT', 'The zone changed repeatedly during the import. Try again.')
  })
}

async function planFor(
  deps: Deps,
  domain: ManagedDomain,
  { zoneContent, strategy, dryRun }: ImportZone
): Promise<{ revision: number; plan: PlannedImport }> {
  const { zone, records } = await deps.db.transaction(
    async (trx) => ({
      zone: await findZone(trx, domain.zoneId),
      records: await readZoneRecords(trx, domain.zoneId)
    }),
    { isolationLevel: 'repeatable read', accessMode: 'read only' }
  )
  if (!zone) throw movingZone(domain)
  const plan = await planZoneImport(domain.userId, {
    content: zoneContent,
    strategy,
    isPreview: dryRun,
    nameservers: deps.config.DNS_NAMESERVERS,
    domain: { id: domain.id, hostname: domain.hostname },
    zoneName: zone.name,
    records
  })
  return { revision: zone.revision, plan }
}

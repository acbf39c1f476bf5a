import { type ImportResult, type ImportZone } from '@panel/contract/dns-records'
import { createConcurrencyLimit } from '../../concurrency-limit.ts'
import type { Dependencies } from '../../dependencies.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { markZoneChanged } from '../dns-zones/zone-access.ts'
import { baseOf } from '../domains/hostname.policy.ts'
import { deleteRecords, insertRecords } from './dns-records.repository.ts'
import { isVerificationRecord } from './record-order.policy.ts'
import { getManagedDomain } from './record-access.ts'
import { recordList } from './record-view.ts'
import { changeZone, type ZoneChange } from './zone-change.service.ts'
import { readZoneFile } from './zone-file.service.ts'
import { type ImportPlan, planImport } from './zone-import-plan.policy.ts'
import { bounded, toImport } from './zone-import.policy.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'dnsServer' | 'logger' | 'now'>

// Each takes a worker of this process and, for a large file, a good part of a second.
const zoneImportLimit = createConcurrencyLimit({ total: 4, perKey: 1, what: 'zone imports' })

/** Imports what the domain can have of a zone file, and says of each other line why not. */
export async function importZone(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  domainId: string,
  { zoneContent, strategy }: ImportZone
): Promise<ImportResult> {
  const { hostname } = await getManagedDomain(deps.db, domainId, userId)
  return zoneImportLimit.run(userId, async () => {
    const parsed = await readZoneFile(zoneContent, baseOf(hostname))
    return changeZone(deps, userId, domainId, async (change) => {
      const { zone, records } = change
      const { records: wanted, errors } = toImport(parsed, hostname, zone.name, deps.config.DNS_NAMESERVERS)
      const plan = planImport({
        existing: records.map((record) => ({
          ...record,
          isFixed: record.domainId !== domainId || isVerificationRecord(record, hostname)
        })),
        wanted,
        strategy,
        hostname,
        zoneName: zone.name
      })
      const imported = await write(deps, change, plan)
      await recordAudit(deps, change.trx, origin, {
        action: 'domain.zone_imported',
        actorId: userId,
        targetId: domainId,
        metadata: {
          hostname,
          strategy,
          imported: imported.length,
          removed: plan.remove.length,
          errors: errors.length + plan.errors.length
        }
      })
      return {
        importedCount: imported.length,
        records: recordList(imported, hostname),
        errors: [...errors, ...bounded(plan.errors)]
      }
    })
  })
}

async function write(deps: Deps, { trx, domain, zone }: ZoneChange, { insert, remove }: ImportPlan) {
  if (insert.length + remove.length === 0) return []
  const now = deps.now()
  await deleteRecords(trx, remove)
  const inserted = await insertRecords(trx, domain.id, insert, now)
  await markZoneChanged(trx, zone.domainId, now)
  return inserted
}

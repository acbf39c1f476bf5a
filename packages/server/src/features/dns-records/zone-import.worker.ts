// Untrusted zone files and large zones run in a thread, which can be terminated and has its own memory limit.
import { serveRequests } from '../../infra/worker-thread/serve-requests.mjs'
import { newId } from '../../security/ids.ts'
import { baseOf } from '../domains/hostname.policy.ts'
import { isVerificationRecord } from './verification-record.policy.ts'
import { parseZoneFile } from './zone-file-parser.policy.ts'
import { planImport, type ExistingRecord } from './zone-import-plan.policy.ts'
import type { PlannedImport, ZoneImportRequest } from './zone-import-planning.service.ts'
import { previewOf } from './zone-import-preview.policy.ts'
import { bounded, boundedLines, toImport } from './zone-import.policy.ts'
import { errorOf } from './zone-line.policy.ts'

// Stack traces of 100,000 invalid lines would take longer than parsing.
Error.stackTraceLimit = 0

serveRequests((request: ZoneImportRequest): { answer: PlannedImport } => {
  const { content, strategy, isPreview, nameservers, domain, zoneName } = request
  const { hostname } = domain
  const parsed = parseZoneFile(content, baseOf(hostname))
  const { records: wanted, skipped, errors } = toImport(parsed, hostname, zoneName, nameservers)
  const rows = JSON.parse(request.records) as (Omit<ExistingRecord, 'isFixed'> & { domainId: string })[]
  const existing = rows.map((record) => ({
    ...record,
    isFixed: record.domainId !== domain.id || isVerificationRecord(record, hostname)
  }))
  const plan = planImport({
    existing,
    wanted,
    strategy,
    hostname,
    zoneName
  })
  const inserted = plan.insert.map((record) => ({ id: newId(), ...record }))
  return {
    answer: {
      preview: isPreview ? previewOf({ existing, plan, skipped, errors }) : null,
      removed: plan.remove,
      inserted: JSON.stringify(inserted),
      ids: inserted.map(({ id }) => id),
      skipped: boundedLines([...skipped, ...plan.skipped]),
      skippedCount: skipped.length + plan.skipped.length,
      errors: bounded([...errors, ...plan.errors].map(errorOf)),
      errorCount: errors.length + plan.errors.length
    }
  }
})

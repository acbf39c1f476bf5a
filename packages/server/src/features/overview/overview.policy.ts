import { maxOverviewItems, type OverviewCode, overviewCodes, type OverviewItem } from '@panel/contract/overview'
import type { AttentionFound } from '../attention.ts'

const warnings: readonly OverviewCode[] = [
  'CONTAINER_RESTARTING',
  'WORKER_OUT_OF_MEMORY',
  'WORKER_CRASH_LOOPING',
  'CERTIFICATE_EXPIRING',
  'DISK_FILLING_UP',
  'MACHINE_HAS_PROBLEMS',
  'MACHINE_NO_SPARE',
  'QUOTA_NEARLY_USED',
  'MAIL_HELD',
  'TWO_FACTOR_OFF',
  'DOMAIN_NOT_VERIFIED'
]

const severityOf = (code: OverviewCode): OverviewItem['severity'] => (warnings.includes(code) ? 'warning' : 'problem')

export function gatherOverview(found: readonly AttentionFound[]): { items: OverviewItem[]; total: number } {
  const items = found
    .flatMap((each) => each.items)
    .map((item): OverviewItem => ({ ...item, severity: severityOf(item.code) }))
    .toSorted(
      (a, b) =>
        rank(a) - rank(b) ||
        (b.since ?? '').localeCompare(a.since ?? '') ||
        overviewCodes.indexOf(a.code) - overviewCodes.indexOf(b.code)
    )
  return { items: items.slice(0, maxOverviewItems), total: found.reduce((sum, { total }) => sum + total, 0) }
}

const rank = ({ severity }: OverviewItem): number => (severity === 'problem' ? 0 : 1)

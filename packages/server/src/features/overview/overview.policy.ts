import { maxOverviewItems, type OverviewCode, overviewCodes, type OverviewItem } from '@panel/contract/overview'

/** Of one kind: those that are told one by one, and how many there are. */
export interface Found {
  items: readonly OverviewItem[]
  total: number
}

const warnings: readonly OverviewCode[] = [
  'CONTAINER_RESTARTING',
  'CERTIFICATE_EXPIRING',
  'QUOTA_NEARLY_USED',
  'MAIL_HELD',
  'TWO_FACTOR_OFF',
  'DOMAIN_NOT_VERIFIED'
]

export const severityOf = (code: OverviewCode): OverviewItem['severity'] =>
  warnings.includes(code) ? 'warning' : 'problem'

/** Problems before warnings, the newest first; of one time in the order of their codes. */
export function gatherOverview(found: readonly Found[]): { items: OverviewItem[]; total: number } {
  const items = found
    .flatMap((each) => each.items)
    .toSorted(
      (a, b) =>
        rank(a) - rank(b) ||
        (b.since ?? '').localeCompare(a.since ?? '') ||
        overviewCodes.indexOf(a.code) - overviewCodes.indexOf(b.code)
    )
  return { items: items.slice(0, maxOverviewItems), total: found.reduce((sum, { total }) => sum + total, 0) }
}

const rank = ({ severity }: OverviewItem): number => (severity === 'problem' ? 0 : 1)

interface ContainerFacts {
  containerStatus: string | null
  stopReason: string | null
}

export function containerCode({ containerStatus, stopReason }: ContainerFacts): OverviewCode {
  if (stopReason !== null) return 'CONTAINER_LIMIT'
  return containerStatus === 'restarting' ? 'CONTAINER_RESTARTING' : 'CONTAINER_STOPPED'
}

interface CertificateFacts {
  status: string
  isServed: boolean
  validTo: Date | null
  failures: number
}

/** What is wrong with a certificate that is served, or should be; the caller has found that something is. */
export function certificateCode({ status, isServed, validTo, failures }: CertificateFacts, now: Date): OverviewCode {
  if (!isServed || status === 'ERROR') return 'CERTIFICATE_FAILED'
  if (validTo !== null && validTo <= now) return 'CERTIFICATE_EXPIRED'
  return failures > 0 ? 'CERTIFICATE_RENEWAL_FAILING' : 'CERTIFICATE_EXPIRING'
}

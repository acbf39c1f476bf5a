/** Names below a domain that has mail at which the panel answers, unless they are somebody's. */
export const mailHostLabels = ['autoconfig', 'autodiscover', 'mail', 'mta-sts'] as const
export type MailHostLabel = (typeof mailHostLabels)[number]

const minuteMs = 60_000
const dayMs = 24 * 3_600_000

/** When a host is looked at again that does not lead here: soon after it was made, and once a day in the end. */
export function nextProbe(createdAt: Date, now: Date): Date {
  const ageMs = now.getTime() - createdAt.getTime()
  return new Date(now.getTime() + Math.min(Math.max(ageMs / 2, minuteMs), dayMs))
}

/** What is there of a certificate for a host. */
export interface HostCertificate {
  isServed: boolean
  /** Ordered, or to be tried again by itself. */
  isUnderWay: boolean
}

interface HostFacts {
  /** Of its own. */
  certificate: HostCertificate | undefined
  /** Whether a wildcard's is served in its place. */
  isCovered: boolean
  hasCapacity: boolean
  /** Whether its name leads here; asked of the public DNS, and only where it counts. */
  pointsHere(): Promise<boolean>
}

/** Whether a certificate is ordered, and when it is looked again; null where it is renewed by itself from now on. */
export async function decideOrder(
  facts: HostFacts,
  { createdAt, now }: { createdAt: Date; now: Date }
): Promise<{ isOrdered: boolean; probeAt: Date | null }> {
  const later = (ms: number) => ({ isOrdered: false, probeAt: new Date(now.getTime() + ms) })
  if (facts.certificate?.isServed) return { isOrdered: false, probeAt: null }
  if (facts.certificate?.isUnderWay || facts.isCovered) return later(dayMs)
  if (!(await facts.pointsHere())) return { isOrdered: false, probeAt: nextProbe(createdAt, now) }
  return facts.hasCapacity ? { ...later(dayMs), isOrdered: true } : later(60 * minuteMs)
}

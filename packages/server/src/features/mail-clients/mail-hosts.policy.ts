/** Hostnames below a mail domain that the panel serves, unless the account uses them itself. */
export const mailHostLabels = ['autoconfig', 'autodiscover', 'mail', 'mta-sts'] as const
export type MailHostLabel = (typeof mailHostLabels)[number]

const minuteMs = 60_000
const dayMs = 24 * 3_600_000

/** Probe interval for hosts that do not point here yet: grows with their age, from a minute to a day. */
export function nextProbe(createdAt: Date, now: Date): Date {
  const ageMs = now.getTime() - createdAt.getTime()
  return new Date(now.getTime() + Math.min(Math.max(ageMs / 2, minuteMs), dayMs))
}

export interface HostCertificate {
  isServed: boolean
  isUnderWay: boolean
}

interface HostFacts {
  certificate: HostCertificate | undefined
  isCovered: boolean
  hasCapacity: boolean
  /** Queries public DNS; called only if the result matters. */
  pointsHere(): Promise<boolean>
}

/** Whether to order a certificate, and when to probe again; null once automatic renewal takes over. */
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

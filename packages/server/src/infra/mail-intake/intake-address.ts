// Internal addresses, below `invalid` (RFC 6761) and not accepted from outside.
export const intakeDomain = 'intake.invalid'

export const reportIntakeAddress = (domain: string): string => `${domain}@${intakeDomain}`

export function reportedDomain(address: string): string | undefined {
  const end = address.length - intakeDomain.length - 1
  return end > 0 && address.endsWith(`@${intakeDomain}`) ? address.slice(0, end) : undefined
}

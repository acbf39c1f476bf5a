// Internal addresses of mail that Postfix passes to the panel. Below `invalid` (RFC 6761), and not accepted from
// outside.
export const intakeDomain = 'intake.invalid'

/** Target of copies of mail to the domain's report address. */
export const reportIntakeAddress = (domain: string): string => `${domain}@${intakeDomain}`

/** Reverse of `reportIntakeAddress`; undefined for other addresses. */
export function reportedDomain(address: string): string | undefined {
  const end = address.length - intakeDomain.length - 1
  return end > 0 && address.endsWith(`@${intakeDomain}`) ? address.slice(0, end) : undefined
}

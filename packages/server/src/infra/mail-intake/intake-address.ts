// Addresses under which Postfix hands the panel what it reads itself. Nobody can have a name below `invalid` (RFC 6761), and from outside none of these is taken.
export const intakeDomain = 'intake.invalid'

/** Where copies of mail to the report address of the domain go. */
export const reportIntakeAddress = (domain: string): string => `${domain}@${intakeDomain}`

/** The domain whose report address it stands for; undefined of any other address. */
export function reportedDomain(address: string): string | undefined {
  const end = address.length - intakeDomain.length - 1
  return end > 0 && address.endsWith(`@${intakeDomain}`) ? address.slice(0, end) : undefined
}

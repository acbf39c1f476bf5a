import { parseDomainName } from '../domains/hostname.policy.ts'

/** RFC 5321 §4.5.3.1.3: 256 including the angle brackets. */
const maxLength = 254

/** A forwarding target, without characters that Postfix tables could interpret (RFC 5321 §4.1.2). */
export function parseMailAddress(text: string): { address: string } | { problem: string } {
  const at = text.lastIndexOf('@')
  if (at < 1) return { problem: 'must be an address such as ann@example.com' }
  const localPart = text.slice(0, at).toLowerCase()
  if (localPart.length > 64 || !/^(?!-)[a-z0-9_+=~&'-]+(?:\.[a-z0-9_+=~&'-]+)*$/.test(localPart))
    return { problem: "must have letters, digits and . _ + = ~ & ' - before the @, at most 64" }
  const domain = parseDomainName(text.slice(at + 1))
  if ('problem' in domain) return { problem: `has no domain after the @: it ${domain.problem}` }
  if (domain.hostname.startsWith('*.')) return { problem: 'must not have a wildcard after the @' }
  const address = `${localPart}@${domain.hostname}`
  return address.length > maxLength ? { problem: `must have at most ${maxLength} characters` } : { address }
}

export const addressOf = ({ localPart, domainName }: { localPart: string; domainName: string }): string =>
  `${localPart}@${domainName}`

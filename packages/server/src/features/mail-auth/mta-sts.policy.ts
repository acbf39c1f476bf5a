import { createHash } from 'node:crypto'
import type { MtaStsMode } from '@panel/contract/mail-auth'

const daySeconds = 24 * 3600
/** For how long others go by it: a week where it keeps mail back, and a day where it may soon be another. */
const maxAge: Readonly<Record<MtaStsMode, number>> = {
  testing: daySeconds,
  enforce: 7 * daySeconds,
  none: daySeconds
}

/** The policy of a domain (RFC 8461 §3.2). */
export const renderMtaStsPolicy = (domain: string, mode: MtaStsMode): string =>
  ['version: STSv1', `mode: ${mode}`, `mx: mail.${domain}`, `max_age: ${maxAge[mode]}`, ''].join('\r\n')

/** What the record at `_mta-sts` says (RFC 8461 §3.1). The id is another as soon as the policy is: by it others see that they have to ask again. */
export function mtaStsValue(domain: string, mode: MtaStsMode): string {
  const id = createHash('sha256').update(renderMtaStsPolicy(domain, mode)).digest('hex').slice(0, 32)
  return `v=STSv1; id=${id};`
}

export const isMtaStsRecord = (text: string): boolean => /^v=STSv1\s*(?:;|$)/i.test(text)

/**
 * What stands against keeping mail back that comes without TLS which is trusted: it would be lost. `mx` are the hosts of the domain's MX records, and
 * `isTrusted` says whether that of our own has a certificate.
 */
export function enforceProblem(domain: string, mx: readonly string[], isTrusted: boolean): string | undefined {
  const own = `mail.${domain}`
  const others = mx.filter((host) => host !== own)
  if (others.length > 0)
    return `Mail to ${domain} also comes to ${others.slice(0, 5).join(', ').slice(0, 300)}, which the policy does not name: it would be kept back`
  if (mx.length === 0) return `${domain} has no MX record that leads to ${own}`
  if (!isTrusted) return `${own} has no certificate that others trust yet: no mail would come`
  return undefined
}

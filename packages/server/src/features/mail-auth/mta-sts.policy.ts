import { createHash } from 'node:crypto'
import type { MtaStsMode } from '@panel/contract/mail-auth'

const daySeconds = 24 * 3600
/** Cache lifetime in seconds: a week for `enforce`, a day for modes that may soon change. */
const maxAge: Readonly<Record<MtaStsMode, number>> = {
  testing: daySeconds,
  enforce: 7 * daySeconds,
  none: daySeconds
}

/** The policy file (RFC 8461 §3.2). */
export const renderMtaStsPolicy = (domain: string, mode: MtaStsMode): string =>
  ['version: STSv1', `mode: ${mode}`, `mx: mail.${domain}`, `max_age: ${maxAge[mode]}`, ''].join('\r\n')

/** Value of the `_mta-sts` TXT record (RFC 8461 §3.1). The id changes with the policy. */
export function mtaStsValue(domain: string, mode: MtaStsMode): string {
  const id = createHash('sha256').update(renderMtaStsPolicy(domain, mode)).digest('hex').slice(0, 32)
  return `v=STSv1; id=${id};`
}

export const isMtaStsRecord = (text: string): boolean => /^v=STSv1\s*(?:;|$)/i.test(text)

/** Why `enforce` would lose mail. `mx`: targets of the MX records; `isTrusted`: for `mail.<domain>`. */
export function enforceProblem(domain: string, mx: readonly string[], isTrusted: boolean): string | undefined {
  const own = `mail.${domain}`
  const others = mx.filter((host) => host !== own)
  if (others.length > 0)
    return `The MX records of ${domain} also point to ${others.slice(0, 5).join(', ').slice(0, 300)}, which the policy does not list: mail through it would be lost`
  if (mx.length === 0) return `${domain} has no MX record that points to ${own}`
  if (!isTrusted) return `${own} has no trusted certificate yet: no mail would arrive`
  return undefined
}

import { z } from 'zod'

export interface SignIn {
  ip: string | null
  userAgent: string | null
}

/** Order matters: browsers include the names of others for compatibility. */
const families = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\b(?:OPR|Opera)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|Chromium|CriOS)\//],
  ['Safari', /\bSafari\//]
] as const

/** Browser name without version, or the product name of another client. */
export function agentFamily(userAgent: string | null): string {
  const text = userAgent ?? ''
  const [family] = families.find(([, pattern]) => pattern.test(text)) ?? []
  return family ?? (/^[\w.-]{1,40}/.exec(text)?.[0].toLowerCase() || 'unknown')
}

const isIPv4 = (text: string): boolean => z.ipv4().safeParse(text).success
const isAddress = (text: string): boolean => isIPv4(text) || z.ipv6().safeParse(text.split('%')[0]).success

/** Network in which an address usually stays: /24, or /48 for IPv6. */
export function networkOf(ip: string | null): string {
  if (ip === null || !isAddress(ip)) return 'unknown'
  const plain = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1] ?? ip
  if (isIPv4(plain)) return `${plain.split('.').slice(0, 3).join('.')}.0/24`
  return `${groupsOf(plain).slice(0, 3).join(':')}::/48`
}

function groupsOf(ip: string): string[] {
  const [before = '', after] = ip.split('%')[0]!.split('::')
  const head = before === '' ? [] : before.split(':')
  const tail = after === undefined || after === '' ? [] : after.split(':')
  const missing = after === undefined ? 0 : Math.max(0, 8 - head.length - tail.length)
  return [...head, ...Array.from({ length: missing }, () => '0'), ...tail].map((group) =>
    parseInt(group, 16).toString(16)
  )
}

const placeOf = ({ ip, userAgent }: SignIn): string => `${networkOf(ip)} ${agentFamily(userAgent)}`

export function isNewPlace(now: SignIn, before: readonly SignIn[]): boolean {
  return before.length > 0 && !before.some((one) => placeOf(one) === placeOf(now))
}

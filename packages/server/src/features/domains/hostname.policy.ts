import { words } from '@panel/contract/details'
import { domainToASCII, domainToUnicode } from 'node:url'
import { isHostname } from '../../net/hostname.ts'

const panelLabels = ['panel', 'api', 'www', 'mail', 'webmail', 'ns1', 'ns2', 'autoconfig', 'autodiscover', 'mta-sts']

/** `{name}.{BASE_DOMAIN}`, then `{name}-{last 6 characters of its id}.{BASE_DOMAIN}`. */
export function projectHostnames(
  project: { id: string; name: string },
  baseDomain: string,
  panelDomain: string | undefined
): string[] {
  const suffix = project.id.replace(/[^a-z0-9]/g, '').slice(-6)
  // Labels have at most 63 octets; truncation must not leave a double hyphen.
  const suffixed = `${project.name.slice(0, 63 - suffix.length - 1).replace(/-+$/, '')}-${suffix}.${baseDomain}`
  const plain = `${project.name}.${baseDomain}`
  return panelLabels.includes(project.name) || plain === panelDomain ? [suffixed] : [plain, suffixed]
}

/** The hostname that a project is served at, or will be. */
export const siteHostname = (
  config: { BASE_DOMAIN: string; PANEL_DOMAIN?: string | undefined },
  project: { id: string; name: string; deployedDomain: string | null }
): string => project.deployedDomain ?? projectHostnames(project, config.BASE_DOMAIN, config.PANEL_DOMAIN)[0]!

/** Lower case, A-labels (UTS #46), at least two labels, optionally `*.`; or the problem. */
export function parseDomainName(text: string): { hostname: string } | { problem: string } {
  if (/[\s\u0000-\u001f\u007f]/.test(text)) return { problem: words.DOMAIN_SPACES }
  if (text.includes('://')) return { problem: words.DOMAIN_PROTOCOL }
  if (/[^\p{L}\p{M}\p{N}.*-]/u.test(text))
    return {
      problem: words.DOMAIN_FORM
    }
  if (text.endsWith('.')) return { problem: words.DOMAIN_DOT }
  const isWildcard = text.startsWith('*.')
  const hostname = domainToASCII((isWildcard ? text.slice(2) : text).toLowerCase())
  const labels = hostname.split('.')
  if (hostname.includes('*')) return { problem: words.DOMAIN_WILDCARD }
  if (!isHostname(hostname) || labels.some(isBrokenALabel)) return { problem: words.DOMAIN_NAME }
  if (labels.length < 2) return { problem: words.DOMAIN_FULL }
  // Includes anything a browser parses as an IPv4 address, such as 1.2.3.4 and 0x7f.1.
  if (/^(\d+|0x[0-9a-f]*)$/.test(labels.at(-1)!)) return { problem: words.DOMAIN_ADDRESS }
  const full = isWildcard ? `*.${hostname}` : hostname
  return full.length > 253 ? { problem: words.DOMAIN_LENGTH } : { hostname: full }
}

/** Detects A-labels that do not decode. Before Node.js 24, domainToASCII rejects them too. */
const isBrokenALabel = (label: string): boolean =>
  label.startsWith('xn--') && !/[^\u0000-\u007f]/.test(domainToUnicode(label))

/** Parent names, nearest first: `b.example.com` and `example.com` for `a.b.example.com`. */
export function namesAbove(hostname: string): string[] {
  const labels = hostname.split('.')
  return labels.slice(1, -1).map((_label, index) => labels.slice(index + 1).join('.'))
}

export const isAtOrBelow = (hostname: string, parent: string): boolean =>
  hostname === parent || hostname.endsWith(`.${parent}`)

export const baseOf = (hostname: string): string => hostname.replace(/^\*\./, '')

/** The name to query in DNS: for a wildcard, a fixed name that it matches. */
export const probedName = (hostname: string): string => hostname.replace(/^\*\./, 'panel-probe.')

/** An ADMIN may add the panel's own names, to manage their zones and certificates. */
export function isReservedName(
  hostname: string,
  names: { baseDomain: string; panelDomain: string | undefined; nameservers: readonly string[] },
  isAdmin: boolean
): boolean {
  const { baseDomain, panelDomain, nameservers } = names
  const own = [
    baseDomain,
    `*.${baseDomain}`,
    ...(panelDomain === undefined ? [] : [panelDomain, `webmail.${panelDomain}`, `mail.${panelDomain}`])
  ]
  if (own.includes(hostname)) return !isAdmin
  if (isAtOrBelow(hostname, baseDomain) || nameservers.includes(hostname)) return true
  // Reserved for the name server's catalog zone (infra/dns-server).
  if (isAtOrBelow(baseOf(hostname), 'panel.invalid')) return true
  return panelDomain !== undefined && ['*', ...panelLabels].some((label) => hostname === `${label}.${panelDomain}`)
}

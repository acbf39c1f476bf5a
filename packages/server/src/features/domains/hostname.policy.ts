import { words } from '@panel/contract/details'
import { domainToASCII, domainToUnicode } from 'node:url'
import { isHostname } from '../../net/hostname.ts'

/** Labels of the panel itself below BASE_DOMAIN; never given out. */
const panelLabels = ['panel', 'api', 'www', 'mail', 'webmail', 'ns1', 'ns2', 'autoconfig', 'autodiscover', 'mta-sts']

/**
 * The host names a project may take, best first: `{name}.{BASE_DOMAIN}`, and `{name}-{6 characters of its id}.{BASE_DOMAIN}`
 * where the first is held by another project or by the panel.
 */
export function projectHostnames(
  project: { id: string; name: string },
  baseDomain: string,
  panelDomain: string | undefined
): string[] {
  const suffix = project.id.replace(/[^a-z0-9]/g, '').slice(-6)
  // A label holds 63 octets; cutting must not leave a hyphen before ours doubled at the edge.
  const suffixed = `${project.name.slice(0, 63 - suffix.length - 1).replace(/-+$/, '')}-${suffix}.${baseDomain}`
  const plain = `${project.name}.${baseDomain}`
  return panelLabels.includes(project.name) || plain === panelDomain ? [suffixed] : [plain, suffixed]
}

/**
 * A domain as people type it, in the form that we keep: lower case, internationalized names as A-labels (UTS #46), of two labels or
 * more, or `*.` and such a name. Returns what is wrong with it instead where it is none: a URL, a port, an address.
 */
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
  // Also what a browser would read as an address, such as 1.2.3.4 and 0x7f.1.
  if (/^(\d+|0x[0-9a-f]*)$/.test(labels.at(-1)!)) return { problem: words.DOMAIN_ADDRESS }
  const full = isWildcard ? `*.${hostname}` : hostname
  return full.length > 253 ? { problem: words.DOMAIN_LENGTH } : { hostname: full }
}

/** Whether it only looks like an A-label: nothing comes out of it. Before Node.js 24 domainToASCII refuses it too. */
const isBrokenALabel = (label: string): boolean =>
  label.startsWith('xn--') && !/[^\u0000-\u007f]/.test(domainToUnicode(label))

/** The names above, nearest first: of `a.b.example.com`, `b.example.com` and `example.com`. */
export function namesAbove(hostname: string): string[] {
  const labels = hostname.split('.')
  return labels.slice(1, -1).map((_label, index) => labels.slice(index + 1).join('.'))
}

/** Whether the first is the second or below it. */
export const isAtOrBelow = (hostname: string, parent: string): boolean =>
  hostname === parent || hostname.endsWith(`.${parent}`)

/** Of a wildcard, the name that it stands below; else the name itself. */
export const baseOf = (hostname: string): string => hostname.replace(/^\*\./, '')

/** What resolvers are asked for in place of a name: of a wildcard, a fixed name that it answers for. */
export const probedName = (hostname: string): string => hostname.replace(/^\*\./, 'panel-probe.')

/**
 * Names that are nobody's to claim: what lies below BASE_DOMAIN belongs to the projects, PANEL_DOMAIN and the names of the panel's own
 * services to the panel. An ADMIN may add BASE_DOMAIN, `*.BASE_DOMAIN`, PANEL_DOMAIN and the names at which
 * the webmail and the mail servers are themselves, for their zones and certificates.
 */
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
  // The name server's own list of zones (infra/dns-server) has its name there.
  if (isAtOrBelow(baseOf(hostname), 'panel.invalid')) return true
  return panelDomain !== undefined && ['*', ...panelLabels].some((label) => hostname === `${label}.${panelDomain}`)
}

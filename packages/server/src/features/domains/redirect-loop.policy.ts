import { testRules } from '@panel/contract/domain-rule-test'
import type { DomainRule } from '@panel/contract/domain-rules'
import type { RouteKey } from './routes.repository.ts'

export interface SiteRules extends RouteKey {
  rules: readonly DomainRule[]
}

/** Browsers give up after 20. */
const maxRedirects = 10

/**
 * The addresses of a redirect loop that the rules of `changed` are part of, as `host/path`. Follows redirects between the
 * account's domains from the rules of the changed domain, and from other domains' rules that point to it.
 */
export function findRedirectLoop(changed: SiteRules, others: readonly SiteRules[]): string[] | undefined {
  const sites = [changed, ...others].map((site) => ({ ...site, rules: site.rules.filter(isRoute) }))
  for (const start of [...starts(sites[0]!), ...sites.slice(1).flatMap((site) => starts(site, changed.hostname))]) {
    const loop = follow(start, sites)
    if (loop) return loop
  }
  return undefined
}

const isRoute = ({ kind, enabled }: DomainRule) => enabled && (kind === 'REDIRECT' || kind === 'REWRITE')

function starts({ hostname, rules }: SiteRules, target?: string): URL[] {
  const host = hostname.replace('*', 'any')
  return rules.flatMap((rule) => {
    if (rule.kind !== 'REDIRECT') return []
    const from = new URL(`https://${host}${rule.path}`)
    if (target !== undefined && !isCovered(new URL(rule.to, from).hostname, target)) return []
    return rule.match === 'EXACT' ? [from] : [from, new URL(`https://${host}${rule.path.replace(/\/$/, '')}/x`)]
  })
}

function follow(start: URL, sites: readonly SiteRules[]): string[] | undefined {
  const seen: string[] = []
  for (let at = start; seen.length <= maxRedirects;) {
    const name = `${at.hostname}${at.pathname}`
    if (seen.includes(name)) return [...seen.slice(seen.indexOf(name)), name]
    seen.push(name)
    const next = redirectOf(at, sites)
    if (!next) return undefined
    at = next
  }
  return seen
}

function redirectOf(at: URL, sites: readonly SiteRules[]): URL | undefined {
  // Another port is another server.
  if (at.port !== '') return undefined
  const rules = siteAt(at, sites)?.rules ?? []
  const query = at.search === '' ? undefined : at.search.slice(1)
  const { location } = testRules(rules, { isHttps: true, path: at.pathname, query, isIn: () => false })
  return location === null || !URL.canParse(location, at.href) ? undefined : new URL(location, at)
}

/** An exact host wins over a wildcard, then the longest path prefix. */
function siteAt({ hostname, pathname }: URL, sites: readonly SiteRules[]): SiteRules | undefined {
  const rank = (site: SiteRules) => (site.hostname === hostname ? 1_000 : 0) + (site.pathPrefix?.length ?? 0)
  return sites
    .filter((site) => isCovered(hostname, site.hostname))
    .filter(({ pathPrefix }) => `${pathname}/`.startsWith(`${pathPrefix ?? ''}/`))
    .toSorted((a, b) => rank(b) - rank(a))[0]
}

const isCovered = (hostname: string, by: string): boolean =>
  hostname === by || (by.startsWith('*.') && hostname.replace(/^[^.]+/, '*') === by)

import { getDomain } from 'tldts'
import type { Config } from '../config.ts'

/**
 * The domain that panel and sites have in common, as the public suffix list divides names; undefined where there is none. Within one, a site
 * can set cookies that the panel gets, and counts as the same site where browsers decide by that.
 */
export function sharedDomainOf({
  BASE_DOMAIN,
  PANEL_DOMAIN
}: Pick<Config, 'BASE_DOMAIN' | 'PANEL_DOMAIN'>): string | undefined {
  if (PANEL_DOMAIN === undefined) return undefined
  // Also the private part of the list: what lies below github.io is as foreign to each other as what lies below com.
  const [sites, panel] = [BASE_DOMAIN, PANEL_DOMAIN].map((name) => getDomain(name, { allowPrivateDomains: true }))
  return sites != null && sites === panel ? sites : undefined
}

import { getDomain } from 'tldts'
import type { Config } from '../config.ts'

/** Shared registrable domain; undefined if none. Sites below it could set cookies that the panel receives. */
export function sharedDomainOf({
  BASE_DOMAIN,
  PANEL_DOMAIN
}: Pick<Config, 'BASE_DOMAIN' | 'PANEL_DOMAIN'>): string | undefined {
  if (PANEL_DOMAIN === undefined) return undefined
  // Includes the list's private section: subdomains of github.io are unrelated to each other.
  const [sites, panel] = [BASE_DOMAIN, PANEL_DOMAIN].map((name) => getDomain(name, { allowPrivateDomains: true }))
  return sites != null && sites === panel ? sites : undefined
}

/** A list of addresses that send what nobody wants, asked over DNS (RFC 5782). */
export interface Blocklist {
  zone: string
  /** Lists IPv6 addresses too. */
  hasIpv6: boolean
  /** Where its operator says why an address is listed, and how it gets off. */
  website: string | null
}

/** Those that receivers use much and that anybody may ask without an account. */
const known: readonly Blocklist[] = [
  { zone: 'zen.spamhaus.org', hasIpv6: true, website: 'https://check.spamhaus.org/' },
  { zone: 'bl.spamcop.net', hasIpv6: false, website: 'https://www.spamcop.net/bl.shtml' },
  { zone: 'dnsbl.dronebl.org', hasIpv6: true, website: 'https://dronebl.org/lookup' },
  { zone: 'psbl.surriel.com', hasIpv6: false, website: 'https://psbl.org/' },
  { zone: 'dnsbl-1.uceprotect.net', hasIpv6: false, website: 'https://www.uceprotect.net/en/rblcheck.php' }
]

/** The lists of these zones. Of one that is not in the table nobody says that it has no IPv6. */
export const blocklistsOf = (zones: readonly string[]): readonly Blocklist[] =>
  zones.map((zone) => known.find((list) => list.zone === zone) ?? { zone, hasIpv6: true, website: null })

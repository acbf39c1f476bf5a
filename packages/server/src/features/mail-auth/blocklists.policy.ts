export interface Blocklist {
  zone: string
  hasIpv6: boolean
  website: string | null
}

const known: readonly Blocklist[] = [
  { zone: 'zen.spamhaus.org', hasIpv6: true, website: 'https://check.spamhaus.org/' },
  { zone: 'bl.spamcop.net', hasIpv6: false, website: 'https://www.spamcop.net/bl.shtml' },
  { zone: 'dnsbl.dronebl.org', hasIpv6: true, website: 'https://dronebl.org/lookup' },
  { zone: 'psbl.surriel.com', hasIpv6: false, website: 'https://psbl.org/' },
  { zone: 'dnsbl-1.uceprotect.net', hasIpv6: false, website: 'https://www.uceprotect.net/en/rblcheck.php' }
]

/** Unknown zones are assumed to support IPv6. */
export const blocklistsOf = (zones: readonly string[]): readonly Blocklist[] =>
  zones.map((zone) => known.find((list) => list.zone === zone) ?? { zone, hasIpv6: true, website: null })

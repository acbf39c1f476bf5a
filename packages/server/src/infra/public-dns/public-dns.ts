import type { DnsRecordType } from '@panel/contract/dns-records'

/** Record types that can be looked up: those of our zones, and DS. */
export type LookupType = DnsRecordType | 'DS'

/** Result of one resolver. */
export interface Lookup {
  /** `ip` or `ip:port`, as configured. */
  resolver: string
  /**
   * One string per record, in the format of our own records (`fromWire` in record-types/): canonical addresses;
   * lower-case host names without trailing dot (`.` for the root, as in a null MX); TXT joined to plain text (invalid
   * UTF-8 as U+FFFD); MX `10 mail.example.com`; CAA `0 issue "ca.example.net"`; DS `12345 13 2 <DIGEST>`. Untrusted:
   * any length and any characters. CNAMEs are followed. Empty if there is none.
   */
  values: string[]
  /**
   * Why there are no values; otherwise null. From the resolver: NXDOMAIN, NODATA (no record of this type), SERVFAIL
   * (the domain's name servers or DNSSEC fail), REFUSED, FORMERR, NOTIMP or a rarer RCODE. Local: TIMEOUT, UNREACHABLE,
   * BAD_RESPONSE, BAD_NAME (invalid name, not queried), FAILED.
   */
  error: string | null
  /** Rounded to whole milliseconds. */
  latencyMs: number
}

/** Whether the resolver states that there are no records. */
export const saysNone = ({ error }: Pick<Lookup, 'error'>): boolean => error === 'NXDOMAIN' || error === 'NODATA'

/** Public DNS as seen by the configured resolvers (DNS_RESOLVERS), never the host's own. Methods never reject. */
export interface PublicDns {
  /** Queries all resolvers in parallel, each with a timeout; results in configuration order. */
  lookUp(name: string, type: LookupType): Promise<Lookup[]>
  /**
   * NS records of the name, queried at the parent zone's servers. These know the delegation even while the new servers
   * do not serve the zone yet and every resolver returns SERVFAIL. Lower case, sorted; empty if none.
   */
  delegatedNameservers(name: string): Promise<string[]>
}

import type { DnsRecordType } from '@panel/contract/dns-records'

/** A record type that we ask resolvers for: those of our zones, and what a parent zone says of one. */
export type LookupType = DnsRecordType | 'DS'

/** What one resolver said. */
export interface Lookup {
  /** `ip` or `ip:port`, as configured. */
  resolver: string
  /**
   * One text per record, in the form of our own records (`fromWire` in record-types/): addresses in their canonical form, host names
   * in lower case without the dot at the end (the root, as of a null MX, is `.`), TXT joined to its plain text (bytes that are no UTF-8
   * as U+FFFD), MX `10 mail.example.com`, CAA `0 issue "ca.example.net"`, DS `12345 13 2 <DIGEST>`. They are what
   * strangers wrote: of any length and any characters. Records behind a CNAME count as the name's own. Empty where there is none.
   */
  values: string[]
  /**
   * Why there are none; null with values. From the resolver: NXDOMAIN (no such name), NODATA (the name has no record of this type),
   * SERVFAIL (the domain's own name servers fail, or DNSSEC does), REFUSED, FORMERR, NOTIMP or a rarer response code. Without it: TIMEOUT,
   * UNREACHABLE, BAD_RESPONSE, BAD_NAME (nothing can have this name; nobody was asked), FAILED.
   */
  error: string | null
  /** Whole milliseconds until the answer. */
  latencyMs: number
}

/** Whether the resolver says for sure that there are none. */
export const saysNone = ({ error }: Pick<Lookup, 'error'>): boolean => error === 'NXDOMAIN' || error === 'NODATA'

/** The public DNS as the configured resolvers (DNS_RESOLVERS) see it, never the host's own resolver. Methods never reject. */
export interface PublicDns {
  /** Asks every resolver, at the same time, each within a time limit; in the order of the configuration. */
  lookUp(name: string, type: LookupType): Promise<Lookup[]>
  /**
   * The name servers that the parent zone delegates the name to, asked for at the parent zone's own servers: these know of a delegation
   * also while the new servers do not answer for the zone yet, when every resolver fails. In lower case, sorted; empty where none is
   * found.
   */
  delegatedNameservers(name: string): Promise<string[]>
}

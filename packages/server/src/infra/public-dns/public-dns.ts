import type { DnsRecordType } from '@panel/contract/dns-records'

export type LookupType = DnsRecordType | 'DS'

export interface Lookup {
  resolver: string
  /**
   * In the format of our own records (`fromWire` in record-types/), with CNAMEs followed. Untrusted: any length and any
   * characters. Empty if there is none.
   */
  values: string[]
  /**
   * Null with values. NXDOMAIN, NODATA, SERVFAIL, REFUSED or another RCODE of the resolver; or TIMEOUT, UNREACHABLE,
   * BAD_RESPONSE, BAD_NAME (not queried), FAILED.
   */
  error: string | null
  latencyMs: number
}

export const saysNone = ({ error }: Pick<Lookup, 'error'>): boolean => error === 'NXDOMAIN' || error === 'NODATA'

/** Public DNS as seen by the configured resolvers (DNS_RESOLVERS), never the host's own. Methods never reject. */
export interface PublicDns {
  lookUp(name: string, type: LookupType): Promise<Lookup[]>
  /** From the parent zone's servers, which know the delegation even while resolvers still return SERVFAIL. Sorted. */
  delegatedNameservers(name: string): Promise<string[]>
}

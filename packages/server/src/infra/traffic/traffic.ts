/** Traffic of a site since the last `take`. */
export interface SiteTraffic {
  site: string
  requests: number
  /** 4xx responses. */
  clientErrors: number
  /** 5xx responses. */
  serverErrors: number
  /** Including headers. */
  bytesIn: number
  bytesOut: number
  /** Sum over all responses. */
  milliseconds: number
  /** Response time histogram, packed (packTimes). */
  times: number[]
}

export interface TakenTraffic {
  sites: SiteTraffic[]
  /** Requests that were dropped before they were read, or exceeded the limit of sites. */
  lost: number
}

/** Requests to the sites on this machine, from the reverse proxy's log. */
export interface SiteTrafficLog {
  /** Everything since the last call; the first call starts reading. */
  take(): Promise<TakenTraffic>
  close(): Promise<void>
}

/** What came for a site, since it was taken last. */
export interface SiteTraffic {
  site: string
  requests: number
  /** Answered with 4xx. */
  clientErrors: number
  /** Answered with 5xx. */
  serverErrors: number
  /** With their heads. */
  bytesIn: number
  bytesOut: number
  /** Of all answers together. */
  milliseconds: number
  /** Packed (packTimes). */
  times: number[]
}

export interface TakenTraffic {
  sites: SiteTraffic[]
  /** Requests that could not be kept until they were read, or that had no place. */
  lost: number
}

/** Requests to sites on this machine, as the reverse proxy tells of them. */
export interface SiteTrafficLog {
  /** All since the last time, and nothing before the first. It is read from then on. */
  take(): Promise<TakenTraffic>
  close(): Promise<void>
}

export interface SiteTraffic {
  site: string
  requests: number
  clientErrors: number
  serverErrors: number
  bytesIn: number
  bytesOut: number
  milliseconds: number
  times: number[]
}

export interface TakenTraffic {
  sites: SiteTraffic[]
  /** Requests that were dropped before they were read, or exceeded the limit of sites. */
  lost: number
}

export interface SiteTrafficLog {
  take(): Promise<TakenTraffic>
  close(): Promise<void>
}

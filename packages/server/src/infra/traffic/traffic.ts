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

/** Requests that sign in to WordPress, by client. A page with the form again means that the sign-in failed. */
export interface SiteLogIns {
  address: string
  /** Failed sign-ins on wp-login.php. */
  failed: number
  /** Requests to xmlrpc.php, which answers alike to right and wrong passwords. */
  xmlrpc: number
}

export interface SiteTrafficLog {
  take(): Promise<TakenTraffic>
  takeLogIns(): Promise<SiteLogIns[]>
  close(): Promise<void>
}

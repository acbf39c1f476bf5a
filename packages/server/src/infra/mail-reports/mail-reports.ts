/** Result for mail from one source. Untrusted texts, shortened and on one line. */
export interface DmarcRow {
  /** Canonical form; undefined in rows that sum up surplus rows. */
  sourceIp: string | undefined
  messages: number
  disposition: 'none' | 'quarantine' | 'reject'
  /** Whether the DKIM domain or the SPF domain is aligned with the From domain (RFC 7489 §3.1). */
  dkimAligned: boolean
  spfAligned: boolean
  headerFrom: string | undefined
  /** DKIM and SPF domains, aligned or not: they identify services that send for the domain. */
  dkimDomain: string | undefined
  spfDomain: string | undefined
}

/** A DMARC aggregate report (RFC 7489 §7.2). Not authenticated. */
export interface DmarcReport {
  reporter: string
  reportId: string
  domain: string
  begin: Date
  end: Date
  policy: 'none' | 'quarantine' | 'reject' | undefined
  /** Most messages first. */
  rows: readonly DmarcRow[]
}

/** Extracts the reports of a message, in a thread. Resolves with none if it is not a report, damaged or too large. */
export type ReadMailReports = (message: Buffer) => Promise<readonly DmarcReport[]>

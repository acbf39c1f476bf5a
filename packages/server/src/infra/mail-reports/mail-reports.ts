/** What a receiver has done with mail from one address. Texts of strangers, cut and on one line. */
export interface DmarcRow {
  /** In canonical form; undefined of those that were summed up since there were too many. */
  sourceIp: string | undefined
  messages: number
  disposition: 'none' | 'quarantine' | 'reject'
  /** Whether the signature, or the sender of the envelope, is one of the domain in the header (RFC 7489 §3.1). */
  dkimAligned: boolean
  spfAligned: boolean
  /** The domain in the header: the report's own, or one below it. */
  headerFrom: string | undefined
  /** Domains that signed it and sent it, whether aligned or not: by these one knows a service that sends as us. */
  dkimDomain: string | undefined
  spfDomain: string | undefined
}

/** A DMARC aggregate report (RFC 7489 §7.2). Anybody can write one. */
export interface DmarcReport {
  reporter: string
  reportId: string
  /** In lower case. */
  domain: string
  begin: Date
  end: Date
  policy: 'none' | 'quarantine' | 'reject' | undefined
  /** The most messages first. */
  rows: readonly DmarcRow[]
}

/** Reads what reports a message brings, in a thread. Resolves with none where it is no report, damaged, or more than any honest one. */
export type ReadMailReports = (message: Buffer) => Promise<readonly DmarcReport[]>

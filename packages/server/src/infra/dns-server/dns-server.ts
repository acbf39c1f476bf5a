/** A zone that the server answers for. */
export interface ServedZone {
  /** In lower case, without the dot at the end. */
  name: string
  /** Whether the server signs it (DNSSEC). */
  isSigned: boolean
}

/** What a registrar needs of a signed zone (RFC 4034 §5). */
export interface DsRecord {
  keyTag: number
  algorithm: number
  digestType: number
  /** Upper-case hexadecimal. */
  digest: string
}

/**
 * The authoritative name server in our words. Every method rejects with AdapterError name-server-unavailable when the server does not
 * answer within its time limit; what was written to disk by then takes effect when it is back. All are safe to repeat. A name that is
 * none in lower case without the dot at the end is a TypeError. The name of the server's own catalog is that of no zone: its text is
 * refused, and in a list it is passed over, so that whoever gets hold of it keeps no other zone from changing.
 */
export interface DnsServer {
  /** Version of the running server. */
  ping(): Promise<string>
  /**
   * Puts the whole text of a zone in place, after the server's own checker has accepted it, and resolves when the server answers from
   * it; of a zone that is not among the served ones, when it is on disk. Rejects with ZoneRefusedError, and the zone stays as it was,
   * when the checker refuses the text. The serial that is answered never falls, whatever the text has.
   */
  putZone(name: string, text: string): Promise<void>
  /**
   * Makes the server answer for exactly these zones, each signed or not; resolves when it does, with whether anything had to change.
   * A zone's file should be in place before (putZone): until it comes, every question for the zone fails. Files of zones that are not
   * among these are removed, but for those that were put and never listed: the list may be older than they are. Of lists at the same
   * time the last one stands. Switching signing on and off keeps a zone's key; leaving the list loses it.
   */
  setZones(zones: readonly ServedZone[]): Promise<boolean>
  /** Names of the zones whose files are in place. */
  listZoneFiles(): Promise<string[]>
  /** The DS records of a signed zone; none while it is not signed. */
  readDs(name: string): Promise<DsRecord[]>
  /** The serial numbers that the server answers with, by zone name; of all its zones. */
  readSerials(): Promise<Map<string, number>>
  /** Has the server look for changed files by itself, where one has changed since the last time: the safety net. */
  reload(): Promise<void>
}

/** The server's own checker refused a zone: a defect of whoever rendered it. `message` has what it said. */
export class ZoneRefusedError extends Error {
  constructor(name: string, output: string) {
    super(`The name server refuses the zone ${name}: ${output.slice(0, 2_000)}`)
    this.name = 'ZoneRefusedError'
  }
}

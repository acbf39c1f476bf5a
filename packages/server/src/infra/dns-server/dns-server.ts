export interface ServedZone {
  name: string
  isSigned: boolean
}

export interface DsRecord {
  keyTag: number
  algorithm: number
  digestType: number
  digest: string
}

/**
 * The authoritative name server. All methods are idempotent and reject with AdapterError name-server-unavailable on
 * timeout; what is on disk by then takes effect when the server is back. An invalid zone name is a TypeError. The name
 * of the server's own catalog zone is refused as a zone and skipped in lists, so that it cannot be used to block
 * changes to other zones.
 */
export interface DnsServer {
  ping(): Promise<string>
  /**
   * Replaces a zone file after the server's checker accepted it. Resolves when the server serves it, or when it is on
   * disk if the zone is not in the served list. Rejects with ZoneRefusedError and keeps the old zone if the checker
   * refuses the text. The served serial never decreases.
   */
  putZone(name: string, text: string): Promise<void>
  /**
   * Sets the exact list of served zones and whether each is signed. Resolves when the server applies it, with whether
   * anything changed. Call putZone before: a listed zone without a file fails all queries. Files of unlisted zones are
   * removed, except those put but never listed, which may be newer than this list. With concurrent calls the last wins.
   * Switching signing keeps the zone's key; leaving the list loses it.
   */
  setZones(zones: readonly ServedZone[]): Promise<boolean>
  listZoneFiles(): Promise<string[]>
  /** DS records of a signed zone; empty while it is not signed. */
  readDs(name: string): Promise<DsRecord[]>
  readSerials(): Promise<Map<string, number>>
  /**
   * Copies the server's own state, DNSSEC keys, journals and timers, as of one moment into a new directory; nothing
   * if the server never had any.
   */
  copyState(directory: string): Promise<void>
  /**
   * Replaces the DNSSEC key of a served, signed zone by the one in a copy of `copyState`, so that the DS record at the
   * registrar matches again.
   */
  restoreKey(name: string, copy: string): Promise<void>
  /** Makes the server reload changed zone files if any changed since the last call; a safety net. */
  reload(): Promise<void>
}

/** The server's checker refused a zone, which is a bug in the renderer. `message` contains its output. */
export class ZoneRefusedError extends Error {
  constructor(name: string, output: string) {
    super(`The name server rejected the zone ${name}: ${output.slice(0, 2_000)}`)
    this.name = 'ZoneRefusedError'
  }
}

/** Byte counters since boot (host) or start (container). */
export interface ByteCounters {
  networkReceived: number | null
  networkSent: number | null
}

export interface Rates {
  receivedPerSecond: number | null
  sentPerSecond: number | null
}

/** Bytes per second; null if a reading is missing or the counter was reset. */
export function ratesBetween(before: ByteCounters | undefined, after: ByteCounters, seconds: number): Rates {
  const rate = (from: number | null | undefined, to: number | null) =>
    from === null || from === undefined || to === null || to < from || seconds <= 0 ? null : (to - from) / seconds
  return {
    receivedPerSecond: rate(before?.networkReceived, after.networkReceived),
    sentPerSecond: rate(before?.networkSent, after.networkSent)
  }
}

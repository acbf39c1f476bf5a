/** Bytes since the start, as a machine or a container counts them. */
export interface Counted {
  networkReceived: number | null
  networkSent: number | null
}

export interface Rates {
  receivedPerSecond: number | null
  sentPerSecond: number | null
}

/** Between two readings; null where one is missing, or where the counters began anew. */
export function ratesBetween(before: Counted | undefined, after: Counted, seconds: number): Rates {
  const rate = (from: number | null | undefined, to: number | null) =>
    from === null || from === undefined || to === null || to < from || seconds <= 0 ? null : (to - from) / seconds
  return {
    receivedPerSecond: rate(before?.networkReceived, after.networkReceived),
    sentPerSecond: rate(before?.networkSent, after.networkSent)
  }
}

interface Options {
  keptMs?: number
  most?: number
  now?: () => number
}

/**
 * Bounded buffer of recent events for clients that are connecting: a page fetches its data before its live connection
 * is open.
 */
export function createRecentEvents<Event>({
  keptMs = 60_000,
  most = 1_000,
  now = () => performance.now()
}: Options = {}) {
  const recent: { at: number; event: Event }[] = []
  let unknownUntil = now()
  return {
    add(event: Event): void {
      const at = now()
      recent.push({ at, event })
      while (recent.length > most || at - recent[0]!.at > keptMs) unknownUntil = recent.shift()!.at
    },
    lose(): void {
      unknownUntil = now()
    },
    ofLast(ms: number): Event[] | undefined {
      const from = now() - ms
      return from < unknownUntil ? undefined : recent.filter(({ at }) => at >= from).map(({ event }) => event)
    }
  }
}

interface Options {
  keptMs?: number
  most?: number
  now?: () => number
}

/** What was told lately, for who was on the way: a page asks for its content before it is connected. Bounded, whoever is told. */
export function createRecentEvents<Event>({
  keptMs = 60_000,
  most = 1_000,
  now = () => performance.now()
}: Options = {}) {
  const recent: { at: number; event: Event }[] = []
  /** Of what was told until then not all is known. */
  let unknownUntil = now()
  return {
    add(event: Event): void {
      const at = now()
      recent.push({ at, event })
      while (recent.length > most || at - recent[0]!.at > keptMs) unknownUntil = recent.shift()!.at
    },
    /** Something may have been told that was not heard. */
    lose(): void {
      unknownUntil = now()
    },
    /** What was told in the last so many milliseconds, in its order; undefined where that is not known. */
    ofLast(ms: number): Event[] | undefined {
      const from = now() - ms
      return from < unknownUntil ? undefined : recent.filter(({ at }) => at >= from).map(({ event }) => event)
    }
  }
}

interface Entry<T> {
  owner: string
  since: number
  value: T | undefined
}

interface Bounds {
  keptMs: number
  /** Total, and per owner, so that no owner evicts the entries of others. */
  most: number
  mostOfOne: number
}

export function createRememberedAddresses<T>({ keptMs, most, mostOfOne }: Bounds) {
  const entries = new Map<string, Entry<T>>()
  const owners = new Map<string, Set<string>>()
  const forget = (address: string | undefined) => {
    const entry = address === undefined ? undefined : entries.get(address)
    if (!entry) return
    entries.delete(address!)
    const own = owners.get(entry.owner)!
    own.delete(address!)
    if (own.size === 0) owners.delete(entry.owner)
  }
  const oldestOf = (addresses: Iterable<string>) => addresses[Symbol.iterator]().next().value as string | undefined
  return {
    remember(owner: string, address: string, now: number): void {
      forget(address)
      const own = owners.get(owner)
      if (own && own.size >= mostOfOne) forget(oldestOf(own))
      if (entries.size >= most) forget(oldestOf(entries.keys()))
      entries.set(address, { owner, since: now, value: undefined })
      owners.set(owner, (owners.get(owner) ?? new Set()).add(address))
    },
    find(address: string, now: number): Entry<T> | undefined {
      const entry = entries.get(address)
      return entry && now - entry.since <= keptMs ? entry : undefined
    },
    size: (): number => entries.size
  }
}

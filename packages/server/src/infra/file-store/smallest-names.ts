export interface WantedNames {
  count: number
  after?: string | undefined
  started?: string | undefined
}

/** Collects the first `count` names by code units in bounded memory. Leaves out names that are not UTF-8. */
export function createSmallest({ count, after, started }: WantedNames) {
  let names: string[] = []
  const cut = () => (names = names.sort().slice(0, count))
  return {
    add(name: string | undefined): void {
      if (name === undefined || (after !== undefined && name <= after && name !== started)) return
      if (names.push(name) >= 2 * count + 1000) cut()
    },
    names: () => cut()
  }
}

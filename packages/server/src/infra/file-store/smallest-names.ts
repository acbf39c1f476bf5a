/** Which names of a directory a listing wants. */
export interface WantedNames {
  count: number
  /** Those that come after this one; */
  after?: string | undefined
  /** and this one. */
  started?: string | undefined
}

/** The first names in code unit order, of a directory of any size in memory for `count` of them. Names that are not UTF-8 are left out. */
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

/** Set of names in canonical DNS order, where subdomains directly follow their parent: O(log n) lookups. */
interface SortedNames {
  add(name: string): void
  remove(name: string): void
  firstBelow(name: string): string | undefined
  /** The nearest ancestor, provided that no name in the set is below another. */
  above(name: string): string | undefined
}

export function sortedNames(): SortedNames {
  const keys: string[] = []

  function positionOf(key: string): number {
    let low = 0
    let high = keys.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (keys[middle]! < key) low = middle + 1
      else high = middle
    }
    return low
  }

  return {
    add(name) {
      const key = keyOf(name)
      const position = positionOf(key)
      if (keys[position] !== key) keys.splice(position, 0, key)
    },
    remove(name) {
      const key = keyOf(name)
      const position = positionOf(key)
      if (keys[position] === key) keys.splice(position, 1)
    },
    firstBelow(name) {
      const key = keyOf(name)
      const position = positionOf(key)
      const next = keys[position] === key ? keys[position + 1] : keys[position]
      return next?.startsWith(key) ? nameOf(next) : undefined
    },
    above(name) {
      if (keys.length === 0) return undefined
      const key = keyOf(name)
      const before = keys[positionOf(key) - 1]
      return before !== undefined && key.startsWith(before) ? nameOf(before) : undefined
    }
  }
}

/** Reversed labels: the key of a name is a prefix of the keys of its subdomains. */
const keyOf = (name: string): string => `${name.split('.').reverse().join('\0')}\0`
const nameOf = (key: string): string => key.slice(0, -1).split('\0').reverse().join('.')

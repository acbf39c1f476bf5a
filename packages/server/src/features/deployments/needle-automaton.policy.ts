/** Aho-Corasick: finds all needles in a single pass, however many there are. */
export interface Automaton {
  /** Number of states; 0 is the initial state. */
  readonly size: number
  next(state: number, character: number): number
  /** How many of the last characters may belong to a needle that is incomplete or ends here. */
  depth(state: number): number
  /** Length of the longest needle that ends here; 0 if none. */
  longest(state: number): number
}

/** Time and memory are linear in the total length of the needles. */
export function buildAutomaton(needles: readonly string[]): Automaton {
  const sorted = [...new Set(needles)].filter((needle) => needle !== '').sort()
  const most = sorted.reduce((sum, needle) => sum + needle.length, 1)
  // A state is a prefix shared by the needles from `first` to `end`. Its children are adjacent and sorted by character.
  const first = new Int32Array(most)
  const end = new Int32Array(most)
  const children = new Int32Array(most + 1)
  const characters = new Uint16Array(most)
  const depths = new Int32Array(most)
  const fallbacks = new Int32Array(most)
  const longest = new Int32Array(most)
  let size = 1
  end[0] = sorted.length

  const childOf = (state: number, character: number): number => {
    let low = children[state]!
    let high = children[state + 1]!
    while (low < high) {
      const middle = (low + high) >> 1
      if (characters[middle]! < character) low = middle + 1
      else high = middle
    }
    return low < children[state + 1]! && characters[low] === character ? low : 0
  }
  const next = (from: number, character: number): number => {
    for (let state = from; ; state = fallbacks[state]!) {
      const child = childOf(state, character)
      if (child !== 0 || state === 0) return child
    }
  }

  // Breadth first, so that the fallbacks of a state are complete before it.
  for (let state = 0; state < size; state++) {
    children[state] = size
    const depth = depths[state]!
    let at = first[state]!
    const last = end[state]!
    longest[state] = longest[fallbacks[state]!]!
    if (at < last && sorted[at]!.length === depth) {
      longest[state] = depth
      at++
    }
    while (at < last) {
      const character = sorted[at]!.charCodeAt(depth)
      const child = size++
      first[child] = at
      while (at < last && sorted[at]!.charCodeAt(depth) === character) at++
      end[child] = at
      characters[child] = character
      depths[child] = depth + 1
      fallbacks[child] = state === 0 ? 0 : next(fallbacks[state]!, character)
    }
    children[state + 1] = size
  }
  return { size, next, depth: (state) => depths[state]!, longest: (state) => longest[state]! }
}

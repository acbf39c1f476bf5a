/**
 * Pieces of work of many streams, so many in one turn of the event loop, so that requests come in between however fast the streams are.
 * Those of one key come in the order of asking, and the keys take turns: twenty streams of one account leave another's half of it.
 */
export function createTurns(perTurn: number): (key: string) => Promise<void> {
  /** Those with pieces that wait, whose turn is next first. */
  const waiting = new Map<string, (() => void)[]>()
  let taken = 0
  let isTurning = false
  const next = () => {
    const [[key, pieces]] = waiting as unknown as [[string, (() => void)[]]]
    waiting.delete(key)
    const [piece] = pieces.splice(0, 1)
    if (pieces.length > 0) waiting.set(key, pieces)
    piece!()
  }
  const turn = () => {
    taken = 0
    for (; taken < perTurn && waiting.size > 0; taken++) next()
    isTurning = taken > 0
    if (isTurning) setImmediate(turn)
  }
  return async (key) => {
    if (!isTurning) {
      isTurning = true
      setImmediate(turn)
    }
    if (taken < perTurn && waiting.size === 0) {
      taken++
      return
    }
    await new Promise<void>((resolve) => {
      const pieces = waiting.get(key)
      if (pieces) pieces.push(resolve)
      else waiting.set(key, [resolve])
    })
  }
}

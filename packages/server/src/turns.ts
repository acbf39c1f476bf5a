/**
 * Pieces of work of many streams, in the order of asking and so many in one turn of the event loop, so that requests come in between however
 * fast the streams are.
 */
export function createTurns(perTurn: number): () => Promise<void> {
  const waiting: (() => void)[] = []
  let taken = 0
  let isTurning = false
  const turn = () => {
    taken = 0
    while (taken < perTurn && waiting.length > 0) {
      taken++
      waiting.shift()!()
    }
    isTurning = taken > 0
    if (isTurning) setImmediate(turn)
  }
  return async () => {
    if (!isTurning) {
      isTurning = true
      setImmediate(turn)
    }
    if (taken < perTurn && waiting.length === 0) taken++
    else await new Promise<void>((resolve) => waiting.push(resolve))
  }
}

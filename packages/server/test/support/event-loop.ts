/**
 * How much of the time that the work takes goes into the longest single turn of the event loop, in which nobody else is answered: near 1
 * where all of it is one computation.
 */
export async function longestTickShare(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  let last = began
  let longest = 0
  let isOver = false
  const check = () => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    if (!isOver) setImmediate(check)
  }
  setImmediate(check)
  await work()
  isOver = true
  const now = performance.now()
  return Math.max(longest, now - last) / (now - began)
}

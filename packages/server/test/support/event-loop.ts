/** Longest event-loop tick as a share of the work's duration; near 1 if the work is one blocking computation. */
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

/** Hands out bytes of this process until they are used up; what is taken is given back once, however often the returned function is called. */
interface ByteBudget {
  take(bytes: number): (() => void) | undefined
}

export function createByteBudget(total: number): ByteBudget {
  let left = total
  return {
    take(bytes) {
      if (bytes > left) return undefined
      left -= bytes
      let isTaken = true
      return () => {
        if (isTaken) left += bytes
        isTaken = false
      }
    }
  }
}

// A wait that ends early leaves the work to its own end; whatever comes of that later is nobody's.

/** What the work gives, or a rejection with the signal's reason if that comes first. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort: () => void = () => {}
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
  })
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', onAbort))
}

/** What the work gives, or a rejection when it takes longer. */
export function withTimeLimit<T>(work: Promise<T>, limitMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const outOfTime = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done within ${limitMs} ms`)), limitMs)
  })
  return Promise.race([work, outOfTime]).finally(() => clearTimeout(timer))
}

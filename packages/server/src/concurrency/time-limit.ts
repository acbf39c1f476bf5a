/** Result of the work, or a rejection with the signal's reason if that fires first. Does not cancel the work. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort: () => void = () => {}
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
  })
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', onAbort))
}

/** Does not cancel the work either; its later result or error is ignored. */
export function withTimeLimit<T>(work: Promise<T>, limitMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const outOfTime = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done within ${limitMs} ms`)), limitMs)
  })
  return Promise.race([work, outOfTime]).finally(() => clearTimeout(timer))
}

/**
 * Aborts with one of the signals, or after `limitMs`. In place of AbortSignal.any with AbortSignal.timeout, which Node.js 20
 * may collect as garbage before it fires.
 */
export function signalWithin(limitMs: number, ...signals: readonly AbortSignal[]): AbortSignal {
  const timeout = AbortSignal.timeout(limitMs)
  timeout.addEventListener('abort', () => {}, { once: true }) // Keeps it until it fires.
  return AbortSignal.any([timeout, ...signals])
}

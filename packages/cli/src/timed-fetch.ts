const answerWithinMs = 30_000

/** fetch with a timeout, by default 30 s. Follows no redirects, so that the token goes only to the given host. */
export const timedFetch =
  (signal: AbortSignal) =>
  (request: Request, withinMs = answerWithinMs): Promise<Response> => {
    const timeout = AbortSignal.timeout(withinMs)
    // Without a listener, Node.js 20 may collect it as garbage before it fires.
    timeout.addEventListener('abort', () => {}, { once: true })
    return fetch(request, { redirect: 'error', signal: AbortSignal.any([signal, timeout]) })
  }

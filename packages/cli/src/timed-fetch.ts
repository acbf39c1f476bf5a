const answerWithinMs = 30_000

/** fetch with a timeout. Follows no redirects, so that the token goes only to the given host. */
export const timedFetch =
  (signal: AbortSignal) =>
  (request: Request): Promise<Response> =>
    fetch(request, { redirect: 'error', signal: AbortSignal.any([signal, AbortSignal.timeout(answerWithinMs)]) })

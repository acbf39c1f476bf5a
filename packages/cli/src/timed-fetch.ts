const answerWithinMs = 30_000

/** fetch with a timeout, by default 30 s. Follows no redirects, so that the token goes only to the given host. */
export const timedFetch =
  (signal: AbortSignal) =>
  (request: Request, withinMs = answerWithinMs): Promise<Response> =>
    fetch(request, { redirect: 'error', signal: AbortSignal.any([signal, AbortSignal.timeout(withinMs)]) })

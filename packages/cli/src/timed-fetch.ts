const answerWithinMs = 30_000

/** As fetch, but it gives up: a panel that takes longer does not answer. A token goes nowhere but where it was sent, so it follows no redirect. */
export const timedFetch =
  (signal: AbortSignal) =>
  (request: Request): Promise<Response> =>
    fetch(request, { redirect: 'error', signal: AbortSignal.any([signal, AbortSignal.timeout(answerWithinMs)]) })

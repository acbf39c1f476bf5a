export const waitingActions = new Set<() => Promise<unknown>>()

/** Call before a session ends, because pending actions could not be sent afterwards. */
export const sendWaitingActions = (): Promise<unknown> => Promise.all([...waitingActions].map((send) => send()))

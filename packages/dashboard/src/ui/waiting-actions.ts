/** What can still be taken back, by whoever shows it: each sends what it has. */
export const waitingActions = new Set<() => Promise<unknown>>()

/** Before a session ends: afterwards nobody may do it any more, and the page has said that it is done. */
export const sendWaitingActions = (): Promise<unknown> => Promise.all([...waitingActions].map((send) => send()))

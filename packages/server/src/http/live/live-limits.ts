export interface LiveLimits {
  /** What one client follows at once. */
  perClient: number
  /** What one client says within ten seconds. */
  messagesInWindow: number
  /** How long a client may take to say that it took an event. */
  acknowledgeMs: number
  /** How often what is followed is asked for anew. */
  authorizeEveryMs: number
}

export const liveLimits: LiveLimits = {
  perClient: 20,
  // A page that opens says some twenty things at once.
  messagesInWindow: 100,
  acknowledgeMs: 30_000,
  authorizeEveryMs: 60_000
}

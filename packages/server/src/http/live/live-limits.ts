export interface LiveLimits {
  perClient: number
  messagesInWindow: number
  acknowledgeMs: number
  authorizeEveryMs: number
}

export const liveLimits: LiveLimits = {
  perClient: 20,
  messagesInWindow: 100,
  acknowledgeMs: 30_000,
  authorizeEveryMs: 60_000
}

export type SubjectState = 'problem' | 'recovered'

/** Recent notifications of a subject. Times are milliseconds since 1970. */
export interface SubjectMemory {
  toldState: SubjectState | null
  toldAt: readonly number[]
  /** Latest notification that was held back, and when it is sent unless the state changes again. */
  heldId: string | null
  settleAt: number | null
}

export const noMemory: SubjectMemory = { toldState: null, toldAt: [], heldId: null, settleAt: null }

export const dampingLimits = { windowMs: 30 * 60_000, messages: 4, steadyMs: 15 * 60_000 }

/** What a message says besides its notifications. */
export type DeliveryNote = 'FLAPPING'

/**
 * Sends a limited number of messages per window for a flapping subject, the last with a note. After that, holds back
 * the latest until the subject is steady.
 */
export function damp(
  memory: SubjectMemory,
  event: { id: string; state: SubjectState },
  now: number,
  { windowMs, messages, steadyMs } = dampingLimits
): { memory: SubjectMemory; isSent: boolean; note: DeliveryNote | null } {
  const notifiedAt = memory.toldAt.filter((at) => now - at < windowMs && at <= now)
  if (memory.heldId !== null || notifiedAt.length >= messages)
    return {
      memory: { ...memory, toldAt: notifiedAt, heldId: event.id, settleAt: now + steadyMs },
      isSent: false,
      note: null
    }
  const isLast = notifiedAt.length + 1 >= messages
  return {
    memory: { toldState: event.state, toldAt: [...notifiedAt, now], heldId: null, settleAt: null },
    isSent: true,
    note: isLast ? 'FLAPPING' : null
  }
}

/**
 * Sends the held notification, if its state differs from the last one sent, once the subject is steady. A time more
 * than twice as far ahead means that the clock was set back.
 */
export function settle(
  memory: SubjectMemory,
  heldState: SubjectState | null,
  now: number,
  { steadyMs } = dampingLimits
): { memory: SubjectMemory; isSent: boolean } {
  if (memory.settleAt === null) return { memory, isSent: false }
  const leftMs = memory.settleAt - now
  if (leftMs > 0 && leftMs <= 2 * steadyMs) return { memory, isSent: false }
  const isSent = heldState !== null && heldState !== memory.toldState
  return {
    memory: {
      toldState: isSent ? heldState : memory.toldState,
      toldAt: isSent ? [now] : [],
      heldId: null,
      settleAt: null
    },
    isSent
  }
}

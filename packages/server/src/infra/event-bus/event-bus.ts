import type { LiveEventName, LiveEvents } from '@panel/contract/live'
import type { Queryable } from '../../db/database.ts'

export interface ProcessEvents {
  [noEvent]: never
}
declare const noEvent: unique symbol

/** Recipients: an account's clients on the live channel, those of all ADMINs, or the panel's processes only. */
export type PanelEvent =
  | {
      [Name in LiveEventName]: { to: { userId: string } | 'admins'; name: Name; data: LiveEvents[Name] }
    }[LiveEventName]
  | {
      [Name in keyof ProcessEvents & string]: { to: 'processes'; name: Name; data: ProcessEvents[Name] }
    }[keyof ProcessEvents & string]

/** Best effort: disconnected processes miss events, so consumers that must not miss any also read the store. */
export interface EventBus {
  /** Delivered to every process on commit. Carries references, not content: rejects above 7,500 bytes of JSON. */
  publish(trx: Queryable, event: PanelEvent): Promise<void>
  /** `onEvent` runs in commit order; `onGap` on every (re)connection, when events may have been missed. */
  subscribe(listener: { onEvent(event: PanelEvent): void; onGap?(): void }): () => void
  close(): Promise<void>
}

import type { LiveEventName, LiveEvents } from '@panel/contract/live'
import type { Queryable } from '../../db/database.ts'

/** What processes of the panel tell each other, besides what goes to people. A feature declares its own, as it does with queues. */
export interface ProcessEvents {
  /** Events that carry nothing need no type of their own. */
  [noEvent]: never
}
declare const noEvent: unique symbol

/** Who hears of it: an account's clients on the live channel, those of every ADMIN, or the panel's processes alone. */
export type PanelEvent =
  | {
      [Name in LiveEventName]: { to: { userId: string } | 'admins'; name: Name; data: LiveEvents[Name] }
    }[LiveEventName]
  | {
      [Name in keyof ProcessEvents & string]: { to: 'processes'; name: Name; data: ProcessEvents[Name] }
    }[keyof ProcessEvents & string]

/**
 * Tells all processes of the panel that something has changed. It is for being quick, not for being sure: who was away when something was
 * told never hears of it, so that whoever must not miss it reads the store too.
 */
export interface EventBus {
  /**
   * Told to every process, this one too, when the transaction commits; of one that rolls back nobody hears. Events carry what has changed
   * and not its content: one of more than 7,500 bytes as JSON is a defect and rejects.
   */
  publish(trx: Queryable, event: PanelEvent): Promise<void>
  /**
   * Calls `onEvent` in the order of the commits, until the returned function is called. `onGap` is called when events may have been missed:
   * the connection to the store is there, for the first time since or again.
   */
  subscribe(listener: { onEvent(event: PanelEvent): void; onGap?(): void }): () => void
  close(): Promise<void>
}

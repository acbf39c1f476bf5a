/**
 * All queues with the data of their jobs. Features declare their own next to the handler: `declare module
 * '../../jobs.ts' { interface Queues { 'greetings.send': { name: string } } }`. A queue without a handler does not
 * compile (features/index.ts).
 */
export interface Queues {
  /** Placeholder, so that the interface is not empty. */
  [noQueue]: never
}
declare const noQueue: unique symbol

export type QueueName = keyof Queues & string

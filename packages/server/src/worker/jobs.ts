/**
 * Every queue and what its jobs carry. A feature declares its own beside its handler, in its module:
 * `declare module '../../jobs.ts' { interface Queues { 'greetings.send': { name: string } } }`. A queue without a handler does not
 * compile (features/index.ts).
 */
export interface Queues {
  /** Jobs that carry nothing but a wake-up need no type of their own. */
  [noQueue]: never
}
declare const noQueue: unique symbol

export type QueueName = keyof Queues & string

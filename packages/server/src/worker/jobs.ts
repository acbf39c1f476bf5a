/**
 * Features declare their queues next to the handler: `declare module '../../jobs.ts' { interface Queues {
 * 'greetings.send': { name: string } } }`. A queue without a handler does not compile (features/index.ts).
 */
export interface Queues {
  [noQueue]: never
}
declare const noQueue: unique symbol

export type QueueName = keyof Queues & string

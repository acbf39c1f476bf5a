import { createConcurrencyLimit } from '../../concurrency/concurrency-limit.ts'

/** Mailboxes that are packed as they are sent, for as long as the client takes: per process, whose open files and processor they guard. */
export const exportLimit = createConcurrencyLimit({ total: 8, perKey: 2, what: 'exports of mailboxes' })

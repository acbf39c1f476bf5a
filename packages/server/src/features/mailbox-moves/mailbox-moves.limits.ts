import { createConcurrencyLimit } from '../../concurrency/concurrency-limit.ts'

/** Exports hold files open and use CPU for as long as the client downloads. Per process. */
export const exportLimit = createConcurrencyLimit({ total: 8, perKey: 2, what: 'exports of mailboxes' })

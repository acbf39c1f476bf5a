import { createConcurrencyLimit } from '../../concurrency/concurrency-limit.ts'

/** Per process: each takes memory and a connection to the engine while the site's code runs. */
export const scriptLimit = createConcurrencyLimit({ total: 16, perKey: 4, what: 'requests to WordPress sites' })

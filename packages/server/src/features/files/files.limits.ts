import { createConcurrencyLimit } from '../../concurrency/concurrency-limit.ts'

// All per process: they guard its memory, open files and threads. What is on the disk is safe however many are at it.

/** Copies, searches and extractions: each keeps the disk busy for seconds or minutes. By user. */
export const treeOperationLimit = createConcurrencyLimit({
  total: 6,
  perKey: 2,
  what: 'copies, searches and extractions'
})

/** Each has its page in memory, up to 7 MB. */
export const listingLimit = createConcurrencyLimit({ total: 100, perKey: 20, what: 'listings' })

/** Folders that are packed as they are sent, for as long as the client takes. */
export const archiveLimit = createConcurrencyLimit({ total: 16, perKey: 2, what: 'folder downloads' })

/** Each holds a file open for as long as the client takes; browsers send several at once. */
export const uploadLimit = createConcurrencyLimit({ total: 100, perKey: 20, what: 'uploads' })
export const downloadLimit = createConcurrencyLimit({
  total: 400,
  perKey: 40,
  what: 'downloads'
})

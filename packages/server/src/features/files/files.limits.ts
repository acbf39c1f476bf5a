import { createConcurrencyLimit } from '../../concurrency/concurrency-limit.ts'

// Per process: these limits protect its memory, file descriptors and threads, not the files.

/** Each keeps the disk busy for seconds or minutes. Keyed by user. */
export const treeOperationLimit = createConcurrencyLimit({
  total: 6,
  perKey: 2,
  what: 'copies, searches and extractions'
})

export const listingLimit = createConcurrencyLimit({ total: 100, perKey: 20, what: 'listings' })

export const archiveLimit = createConcurrencyLimit({ total: 16, perKey: 2, what: 'folder downloads' })

export const uploadLimit = createConcurrencyLimit({ total: 100, perKey: 20, what: 'uploads' })
export const downloadLimit = createConcurrencyLimit({
  total: 400,
  perKey: 40,
  what: 'downloads'
})

import { constants } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { createThreadPool } from '../../concurrency/thread-pool.ts'
import { threadScript } from '../worker-thread/worker-thread.ts'
import { self } from './directory.ts'
import { mapConcurrently } from './map-concurrently.ts'
import { type ListingAnswers, type ListingRequest, namesOfText, textOfNames } from './listing-request.ts'
import type { WantedNames } from './smallest-names.ts'

export interface Facts {
  mode: number
  size: number
  mtimeMs: number
}

const batchNames = 1_000

// Each listing waits with up to two requests; files.limits.ts limits the listings per account.
const threads = createThreadPool<ListingRequest, ListingAnswers['names' | 'facts']>(
  threadScript('./list.worker', import.meta.url),
  { what: 'listings', threads: 2, waiting: 256, answerWithinMs: 60_000 }
)

export const isLink = ({ mode }: Facts): boolean => (mode & constants.S_IFMT) === constants.S_IFLNK

export async function namesOfLargeDirectory(
  owner: string,
  directory: FileHandle,
  wanted: WantedNames
): Promise<string[]> {
  const request = { kind: 'names', directory: self(directory), wanted } as const
  return namesOfText((await threads.run(owner, request)) as ListingAnswers['names'])
}

/** Calls `describe` with each name's facts, undefined if gone, while the threads read the next batch. */
export async function describeNames(
  owner: string,
  directory: FileHandle,
  names: readonly string[],
  describe: (index: number, facts: Facts | undefined) => void
): Promise<void> {
  const starts = Array.from({ length: Math.ceil(names.length / batchNames) }, (_, batch) => batch * batchNames)
  await mapConcurrently(
    starts,
    async (start) => {
      const batch = names.slice(start, start + batchNames)
      const request = { kind: 'facts', directory: self(directory), names: textOfNames(batch) } as const
      const facts = (await threads.run(owner, request)) as ListingAnswers['facts']
      for (let index = 0; index < batch.length; index++) describe(start + index, factsAt(facts, 3 * index))
    },
    2
  )
}

function factsAt(facts: Float64Array, at: number): Facts | undefined {
  const mode = facts[at]!
  return Number.isNaN(mode) ? undefined : { mode, size: facts[at + 1]!, mtimeMs: facts[at + 2]! }
}

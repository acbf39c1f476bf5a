import { constants } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { createThreadPool } from '../../thread-pool.ts'
import { threadScript } from '../worker-thread/worker-thread.ts'
import { self } from './directory.ts'
import { mapConcurrently } from './map-concurrently.ts'
import type { WantedNames } from './smallest-names.ts'

/** Directories are named as `self` does, so that a thread asks the very one that is open here; it stays open until the thread has answered. */
export type ListingRequest =
  | { kind: 'names'; directory: string; wanted: WantedNames }
  | { kind: 'facts'; directory: string; names: readonly string[] }

export interface ListingAnswers {
  names: string[]
  /** Mode, size and time of each; not a number where it is gone. */
  facts: Float64Array<ArrayBuffer>
}

/** What a listing says of an entry, a link as itself. */
export interface Facts {
  mode: number
  size: number
  mtimeMs: number
}

/** A few milliseconds: after so many entries of one account it is another's turn. */
const batchNames = 1_000

// A listing waits with two requests, and files.limits.ts says how many listings there are of an account.
const threads = createThreadPool<ListingRequest, ListingAnswers['names' | 'facts']>(
  threadScript('./list.worker', import.meta.url),
  { what: 'listings', threads: 2, waiting: 256, answerWithinMs: 60_000 }
)

export const isLink = ({ mode }: Facts): boolean => (mode & constants.S_IFMT) === constants.S_IFLNK

/** @param owner whose turn it is */
export async function namesOfLargeDirectory(
  owner: string,
  directory: FileHandle,
  wanted: WantedNames
): Promise<string[]> {
  return (await threads.run(owner, { kind: 'names', directory: self(directory), wanted })) as string[]
}

/** In the order of the names; undefined for one that is gone. */
export async function factsOfNames(
  owner: string,
  directory: FileHandle,
  names: readonly string[]
): Promise<(Facts | undefined)[]> {
  const starts = Array.from({ length: Math.ceil(names.length / batchNames) }, (_, batch) => batch * batchNames)
  const batches = await mapConcurrently(
    starts,
    async (start) => {
      const batch = names.slice(start, start + batchNames)
      const facts = (await threads.run(owner, {
        kind: 'facts',
        directory: self(directory),
        names: batch
      })) as ListingAnswers['facts']
      return batch.map((_, index) => factsAt(facts, index))
    },
    2
  )
  return batches.flat()
}

function factsAt(facts: Float64Array, index: number): Facts | undefined {
  const [mode, size, mtimeMs] = facts.subarray(3 * index, 3 * index + 3)
  return Number.isNaN(mode) ? undefined : { mode: mode!, size: size!, mtimeMs: mtimeMs! }
}

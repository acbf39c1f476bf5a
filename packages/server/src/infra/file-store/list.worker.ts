// Large directories: thousands of calls to the kernel, which one by one through the event loop take several times as long.
import { lstatSync, opendirSync } from 'node:fs'
import { serveRequests } from '../worker-thread/serve-requests.mjs'
import { nameBelow, textOf } from './directory.ts'
import { createSmallest } from './smallest-names.ts'
import type { ListingRequest, ListingAnswers } from './large-directory.ts'

serveRequests((request: ListingRequest): { answer: ListingAnswers['names' | 'facts']; transfer?: ArrayBuffer[] } => {
  if (request.kind === 'names') return { answer: readNames(request) }
  const answer = readFacts(request)
  return { answer, transfer: [answer.buffer] }
})

function readNames({ directory, wanted }: ListingRequest & { kind: 'names' }): string[] {
  const smallest = createSmallest(wanted)
  // @types/node knows the names as text only.
  const entries = opendirSync(directory, { encoding: 'buffer' as BufferEncoding, bufferSize: 512 })
  try {
    for (let entry = entries.readSync(); entry !== null; entry = entries.readSync())
      smallest.add(textOf(entry.name as unknown as Buffer))
    return smallest.names()
  } finally {
    entries.closeSync()
  }
}

/** Of the entry itself, as openEntry does: what a link leads to is never asked here. */
function readFacts({ directory, names }: ListingRequest & { kind: 'facts' }): Float64Array<ArrayBuffer> {
  const facts = new Float64Array(3 * names.length).fill(Number.NaN)
  names.forEach((name, index) => {
    const stats = lstatSync(nameBelow(directory, name), { throwIfNoEntry: false })
    if (stats) facts.set([stats.mode, stats.size, stats.mtimeMs], 3 * index)
  })
  return facts
}

// Thousands of syscalls for large directories: synchronous calls in a thread are several times faster than the event
// loop.
import { lstatSync, opendirSync } from 'node:fs'
import { serveRequests } from '../worker-thread/serve-requests.mjs'
import { isText, nameBelow } from './directory.ts'
import { createSmallest } from './smallest-names.ts'
import { type ListingAnswers, type ListingRequest, namesOfText, textOfNames } from './listing-request.ts'

serveRequests((request: ListingRequest): { answer: ListingAnswers['names' | 'facts']; transfer?: ArrayBuffer[] } => {
  if (request.kind === 'names') return { answer: readNames(request) }
  const answer = readFacts(request)
  return { answer, transfer: [answer.buffer] }
})

function readNames({ directory, wanted }: ListingRequest & { kind: 'names' }): string {
  const smallest = createSmallest(wanted)
  const entries = opendirSync(directory, { bufferSize: 512 })
  try {
    for (let entry = entries.readSync(); entry !== null; entry = entries.readSync())
      if (isText(entry.name)) smallest.add(entry.name)
    return textOfNames(smallest.names())
  } finally {
    entries.closeSync()
  }
}

function readFacts({ directory, names: text }: ListingRequest & { kind: 'facts' }): Float64Array<ArrayBuffer> {
  const names = namesOfText(text)
  const facts = new Float64Array(3 * names.length)
  let at = 0
  for (const name of names) {
    const stats = lstatSync(nameBelow(directory, name), allowMissing)
    facts[at++] = stats?.mode ?? Number.NaN
    facts[at++] = stats?.size ?? Number.NaN
    facts[at++] = stats?.mtimeMs ?? Number.NaN
  }
  return facts
}

const allowMissing = { throwIfNoEntry: false } as const

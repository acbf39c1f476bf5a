import { setTimeout as sleep } from 'node:timers/promises'
import { isApiError, unwrap } from '@panel/client'
import { type SignedInCall, UsageError } from '../context.ts'
import { newLines } from '../new-lines.ts'
import { patiently } from '../patiently.ts'
import { findProject } from '../projects.ts'
import { printableLog } from '../table.ts'

const pollEveryMs = 1_000
/** Looked at each time: what comes between two looks is shown where it is no more than this. */
const followedLines = 2_000

export async function logs({ client, args, options, stdout, signal, print }: SignedInCall): Promise<void> {
  const tail = options.tail === undefined ? 200 : Number(options.tail)
  if (!Number.isInteger(tail) || tail < 1 || tail > 10_000)
    throw new UsageError('--tail takes a number from 1 to 10000')
  const { id } = await findProject(client, args[0]!)
  const read = async (lines: number) =>
    (await unwrap(client.GET('/api/projects/{id}/logs', { params: { path: { id }, query: { tail: lines } } }))).logs
  const first = await read(tail)
  if (options.follow !== true) return print({ logs: first }, ended(printableLog(first)))
  stdout.write(ended(printableLog(first)))
  let seen = await read(followedLines)
  const missed = newLines(first, seen)
  stdout.write(printableLog(missed))
  for (;;) {
    await sleep(pollEveryMs, undefined, { signal })
    // Between two containers there is none for a moment.
    const now = await patiently(signal, () => read(followedLines)).catch((error: unknown) => {
      if (isApiError(error, 'CONTAINER_MISSING', 'CONFLICT')) return seen
      throw error
    })
    stdout.write(printableLog(newLines(seen, now)))
    seen = now
  }
}

const ended = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`)

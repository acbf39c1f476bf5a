import { setTimeout as sleep } from 'node:timers/promises'
import { isApiError, unwrap } from '@panel/client'
import { type SignedInCall, UsageError } from '../context.ts'
import { lastLines, newLines } from '../log-lines.ts'
import { withRetries } from '../with-retries.ts'
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
  if (options.follow !== true) {
    const found = await read(tail)
    return print({ logs: found }, ended(printableLog(found)))
  }
  // What follows is told from all that is looked at, so that nothing is missed between this look and the next one.
  let seen = await read(Math.max(tail, followedLines))
  stdout.write(printableLog(lastLines(seen, tail)))
  for (;;) {
    await sleep(pollEveryMs, undefined, { signal })
    // Between two containers there is none for a moment.
    const now = await withRetries(signal, () => read(followedLines)).catch((error: unknown) => {
      if (isApiError(error, 'CONTAINER_MISSING', 'CONFLICT')) return seen
      throw error
    })
    stdout.write(printableLog(newLines(seen, now)))
    seen = now
  }
}

const ended = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`)

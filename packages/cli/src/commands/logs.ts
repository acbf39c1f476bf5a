import { setTimeout as sleep } from 'node:timers/promises'
import { isApiError, unwrap } from '@panel/client'
import { type SignedInCall, UsageError } from '../context.ts'
import { lastLines, newLines } from '../log-lines.ts'
import { withRetries } from '../with-retries.ts'
import { findProject } from '../projects.ts'
import { printableLog } from '../table.ts'

const pollEveryMs = 1_000
/** Lines fetched per poll; more than this between two polls are lost. */
const followedLines = 2_000

export async function logs({ client, args, options, stdout, signal, print }: SignedInCall): Promise<void> {
  const tail = options.tail === undefined ? 200 : Number(options.tail)
  if (!Number.isInteger(tail) || tail < 1 || tail > 10_000)
    throw new UsageError('--tail must be a number from 1 to 10000')
  const { id } = await findProject(client, args[0]!)
  const read = async (lines: number) =>
    (await unwrap(client.GET('/api/projects/{id}/logs', { params: { path: { id }, query: { tail: lines } } }))).logs
  if (options.follow !== true) {
    const found = await read(tail)
    return print({ logs: found }, ended(printableLog(found)))
  }
  // Fetch at least as many lines as each poll does, so that nothing is missed in between.
  let seen = await read(Math.max(tail, followedLines))
  stdout.write(printableLog(lastLines(seen, tail)))
  for (;;) {
    await sleep(pollEveryMs, undefined, { signal })
    const now = await withRetries(signal, () => read(followedLines)).catch((error: unknown) => {
      if (isApiError(error, 'CONTAINER_MISSING', 'CONFLICT')) return seen
      throw error
    })
    stdout.write(printableLog(newLines(seen, now)))
    seen = now
  }
}

const ended = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`)

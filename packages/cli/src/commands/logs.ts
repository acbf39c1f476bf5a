import { setTimeout as sleep } from 'node:timers/promises'
import { isApiError, unwrap } from '@panel/client'
import type { Command } from '../command.ts'
import { UsageError } from '../context.ts'
import { countLines, lastLines, matchingLines, newLines, timeIn } from '../log-lines.ts'
import { projectOf } from '../projects.ts'
import { printableLog } from '../table.ts'
import { withRetries } from '../with-retries.ts'

const pollEveryMs = 1_000
/** Lines fetched per poll; more than this between two polls are lost. */
const followedLines = 2_000

export const logs: Command = {
  name: 'logs',
  about: 'show the log of the site or of a worker; with -f, follow it',
  args: '[project]',
  options: [
    ['-f, --follow', 'follow the log until Ctrl-C'],
    ['--tail <lines>', 'number of lines, 1 to 10000; default 200, with --since 10000'],
    ['--since <time>', 'only lines since then: 30s, 10m, 2h, 3d or a time such as 2026-01-31T12:00:00Z'],
    ['--process <name>', 'a worker, or worker.2 for its second instance; default: web'],
    ['--search <text>', 'only lines with this text']
  ],
  example: 'logs shop -f --since 10m --search error',
  async run(call) {
    const { client, options, stdout, signal, print, next } = call
    const since = typeof options.since === 'string' ? sinceIn(options.since, Date.now()) : undefined
    const tail = options.tail === undefined ? (since === undefined ? 200 : 10_000) : Number(options.tail)
    if (!Number.isInteger(tail) || tail < 1 || tail > 10_000)
      throw new UsageError('--tail must be a number from 1 to 10000')
    const search = typeof options.search === 'string' ? options.search : ''
    const source = sourceIn(options.process)
    const { id, name: project } = await projectOf(call)
    const read = async (lines: number, from?: { since: string }) => {
      const query = { tail: lines, ...source, ...from }
      return (await unwrap(client.GET('/api/projects/{id}/logs', { params: { path: { id }, query } }))).logs
    }
    const from = since === undefined ? undefined : { since }
    if (options.follow !== true) {
      const found = matchingLines(await read(tail, from), search)
      print({ logs: found }, printableLog(found))
      return next(`logs ${project} -f`)
    }
    const shown = from === undefined ? tail : countLines(await read(tail, from))
    // Fetch at least as many lines as each poll does, so that nothing is missed in between.
    let seen = await read(Math.max(shown, followedLines))
    stdout.write(printableLog(matchingLines(lastLines(seen, shown), search)))
    for (;;) {
      await sleep(pollEveryMs, undefined, { signal })
      const now = await withRetries(signal, () => read(followedLines)).catch((error: unknown) => {
        if (isApiError(error, 'CONTAINER_MISSING', 'CONFLICT')) return seen
        throw error
      })
      stdout.write(printableLog(matchingLines(newLines(seen, now), search)))
      seen = now
    }
  }
}

function sinceIn(given: string, now: number): string {
  const found = timeIn(given, now)
  if (!found) throw new UsageError('--since must be a time, or a duration such as 30s, 10m, 2h or 3d')
  return found.toISOString()
}

/** `worker.2` is the second instance of `worker`. */
function sourceIn(given: string | boolean | undefined): { process?: string; instance?: number } {
  if (typeof given !== 'string' || given === 'web') return {}
  const [process = '', instance = '1'] = given.split('.')
  return { process, instance: Number(instance) }
}

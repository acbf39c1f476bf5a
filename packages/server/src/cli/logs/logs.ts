import { parseArgs } from 'node:util'
import { secretsOfConfig } from '../../config/secret-values.ts'
import { run } from '../../infra/process/run.ts'
import { redacted } from '../../text/redacted.ts'
import type { CommandContext } from '../command.ts'
import { loadConfig } from '../settings.ts'
import { type LogLine, readLines, selectLines, sinceOf } from './log-lines.policy.ts'
import { logPartNames, logParts, type LogPartName } from './log-parts.ts'
import { followLog, readTail } from './log-source.ts'

const usage = `Usage: ./panel logs [part] [-f] [--since 1h] [--lines 100]

Parts: ${logPartNames.join(', ')}. Without a part, all of them, in order of time.`

/** `./panel logs`: the logs of the panel and of the programs that it runs, with secrets redacted. */
export async function logs({ args, env }: CommandContext): Promise<void> {
  const { names, isFollowing, since, count } = parse(args)
  const config = await loadConfig(env, { SESSION_SECRET: 'only for reading logs, never stored by it' })
  const secrets = secretsOfConfig(config)
  const width = Math.max(...names.map((name) => name.length))
  const print = (lines: readonly LogLine[]) => {
    for (const { part, text } of lines)
      process.stdout.write(`${names.length === 1 ? '' : `${part.padEnd(width)}  `}${text}\n`)
  }
  const read = async (name: LogPartName) =>
    readLines(name, redacted(await readTail(name, config, run), secrets), new Date())
  print(selectLines(await Promise.all(names.map(read)), since, count))
  if (!isFollowing) return
  const stopping = new AbortController()
  process.once('SIGINT', () => stopping.abort())
  process.once('SIGTERM', () => stopping.abort())
  const follow = (name: LogPartName) =>
    followLog(name, config, (text) => print(readLines(name, redacted(text, secrets), new Date())), stopping.signal)
  await Promise.all(names.map(follow))
}

function parse(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        follow: { type: 'boolean', short: 'f', default: false },
        since: { type: 'string' },
        lines: { type: 'string', short: 'n', default: '100' },
        help: { type: 'boolean', short: 'h', default: false }
      }
    })
    const [name, ...others] = positionals
    const since = values.since === undefined ? undefined : sinceOf(values.since, new Date())
    const count = Number(values.lines)
    const isValid = Number.isSafeInteger(count) && count > 0 && (values.since === undefined || since !== undefined)
    if (!values.help && isValid && others.length === 0 && (name === undefined || isPart(name)))
      return { names: name === undefined ? logPartNames : [name], isFollowing: values.follow, since, count }
  } catch {
    // An unknown option.
  }
  throw new Error(`${usage}\n${logPartNames.map((part) => `  ${part.padEnd(12)}${logParts[part].about}`).join('\n')}`)
}

const isPart = (name: string): name is LogPartName => Object.hasOwn(logParts, name)

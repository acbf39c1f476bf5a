import { parseArgs, type ParseArgsConfig } from 'node:util'
import { ApiError, createClient } from '@panel/client'
import { commands, usage, usageOf } from './commands.ts'
import { CommandError, type Context, exitCodes, UsageError } from './context.ts'
import { readCredentials } from './credentials.ts'
import { printable } from './table.ts'
import { timedFetch } from './timed-fetch.ts'

export async function run(argv: readonly string[], context: Context): Promise<number> {
  const [name = 'help', ...rest] = argv
  if (['help', '--help', '-h'].includes(name)) {
    context.stdout.write(usage())
    return exitCodes.done
  }
  const words = commands[`${name} ${rest[0] ?? ''}`] ? `${name} ${rest[0]}` : name
  try {
    const command = commands[words]
    if (!command) throw new UsageError(`Unknown command "${words}"`)
    const { values, positionals } = parsed(words === name ? rest : rest.slice(1), command.options ?? {})
    const { json = false, ...options } = values
    const call = {
      ...context,
      args: positionals,
      options,
      print: (value: unknown, text: string) =>
        void context.stdout.write(json === true ? `${JSON.stringify(value, null, 2)}\n` : text)
    }
    if (positionals.length < command.least || positionals.length > (command.most ?? command.least))
      throw new UsageError(positionals.length < command.least ? 'Missing arguments' : 'Too many arguments')
    if ('start' in command) await command.start(call)
    else {
      const { url, token } = await readCredentials(context.env)
      await command.run({ ...call, client: createClient({ baseUrl: url, token, fetch: timedFetch(context.signal) }) })
    }
    return exitCodes.done
  } catch (error) {
    return explain(error, words, context)
  }
}

function parsed(args: string[], options: NonNullable<ParseArgsConfig['options']>) {
  try {
    return parseArgs({ args, options: { ...options, json: { type: 'boolean' } }, allowPositionals: true }) as {
      values: Record<string, string | boolean | undefined>
      positionals: string[]
    }
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

function explain(error: unknown, words: string, { stderr, signal }: Context): number {
  if (signal.aborted) return 130
  // Server messages may contain escape sequences.
  const say = (text: string) => void stderr.write(`panel-cli: ${printable(text)}\n`)
  if (error instanceof UsageError) {
    say(`${error.message}.`)
    stderr.write(commands[words] ? `Usage: ${usageOf(words)}\n` : usage())
    return exitCodes.usage
  }
  if (error instanceof CommandError) {
    say(error.message)
    return error.exitCode
  }
  if (error instanceof ApiError) {
    say(error.code === undefined ? `${error.message}. Check the URL of the panel` : `${error.message} (${error.code})`)
    for (const { path, message } of error.details ?? []) stderr.write(`  ${printable(`${path}: ${message}`)}\n`)
    if (error.retryAfterSeconds !== undefined) stderr.write(`  Try again in ${error.retryAfterSeconds} seconds.\n`)
    if (error.status !== 401) return exitCodes.failed
    stderr.write('  Run panel-cli login to sign in again.\n')
    return exitCodes.notSignedIn
  }
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (error instanceof TypeError || (error instanceof Error && error.name === 'TimeoutError')) {
    say(`Could not reach the panel: ${cause instanceof Error ? cause.message : String(cause)}`)
    return exitCodes.unreachable
  }
  say(error instanceof Error ? error.message : String(error))
  return exitCodes.failed
}

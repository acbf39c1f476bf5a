import { ApiError, createClient } from '@panel/client'
import { paint } from './colour.ts'
import { argumentsWith, type Command, splitArguments, takesProject } from './command.ts'
import { commands } from './commands.ts'
import { type Call, CommandError, type Context, exitCodes, program, UsageError } from './context.ts'
import { readCredentials } from './credentials.ts'
import { findLink } from './link.ts'
import { createProgram, isHelp, isWrongCall } from './program.ts'
import { printable } from './table.ts'
import { timedFetch } from './timed-fetch.ts'

export async function run(argv: readonly string[], context: Context): Promise<number> {
  let started: Command | undefined
  const parser = createProgram(commands, context, (command, args, options) => {
    started = command
    return start(command, args, options, context)
  })
  try {
    await parser.parseAsync(argv.length === 0 ? ['--help'] : argv, { from: 'user' })
    return exitCodes.done
  } catch (error) {
    return explain(error, started, context)
  }
}

async function start(
  command: Command,
  given: readonly string[],
  { json, ...options }: Call['options'],
  context: Context
): Promise<void> {
  const named = typeof options.project === 'string' ? options.project : undefined
  const split = splitArguments(argumentsWith(command, options), given, named)
  if (typeof split === 'string') throw new UsageError(split)
  const call: Call = {
    ...context,
    args: split.rest,
    options,
    project: split.project,
    print: (value, text) => void context.stdout.write(json === true ? `${JSON.stringify(value, null, 2)}\n` : text),
    next: (words) => {
      if (json !== true) context.stderr.write(`${paint(context, context.stderr, 'dim', `Next: ${program} ${words}`)}\n`)
    }
  }
  if ('start' in command) return command.start(call)
  const { url, token } = await readCredentials(context.env)
  const fetch = timedFetch(context.signal)
  const linked = takesProject(command) && call.project === undefined ? await linkedProject(context, url) : undefined
  await command.run({
    ...call,
    project: call.project ?? linked,
    url,
    token,
    client: createClient({ baseUrl: url, token, fetch: (request) => fetch(request) }),
    send: (path, init, withinMs) => {
      const request = new Request(`${url}${path}`, init)
      request.headers.set('Authorization', `Bearer ${token}`)
      return fetch(request, withinMs)
    }
  })
}

async function linkedProject({ cwd }: Context, url: string): Promise<string | undefined> {
  const link = await findLink(cwd)
  if (link !== undefined && link.url !== url)
    throw new CommandError(
      `${link.file} links this folder to a project on ${link.url}, but you are signed in to ${url}. ` +
        `Run ${program} login --url ${link.url}`
    )
  return link?.projectId
}

function explain(error: unknown, command: Command | undefined, context: Context): number {
  const { stderr, signal } = context
  if (signal.aborted) return 130
  if (isHelp(error)) return exitCodes.done
  if (isWrongCall(error)) {
    stderr.write(`Run ${program} ${command === undefined ? '' : `${command.name} `}--help\n`)
    return exitCodes.usage
  }
  // Server messages may contain escape sequences.
  const say = (text: string) => void stderr.write(`${paint(context, stderr, 'red', 'panel:')} ${printable(text)}\n`)
  if (error instanceof UsageError) {
    say(`${error.message}.`)
    if (command) stderr.write(`Usage: ${program} ${command.name} ${command.args ?? ''}\n`)
    stderr.write(`Run ${program} ${command?.name ?? ''} --help\n`)
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
    stderr.write(`  Run ${program} login to sign in again.\n`)
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

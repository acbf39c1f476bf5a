import type { Readable } from 'node:stream'
import type { z } from 'zod'
import type { Dependencies } from '../dependencies.ts'
import { AppError, asStoreError } from '../errors.ts'
import { type SocketVerb, verbName } from '../infra/verb-socket/verb.ts'

export interface WorkerCall {
  signal?: AbortSignal | undefined
  input?: Readable | undefined
}

interface VerbOptions {
  /** Until the response starts. Default 5 minutes; Infinity if an upload precedes it. */
  timeoutMs?: number
  isSecret?: true
}

interface DeclaredVerb extends VerbOptions {
  schemas: readonly z.ZodType[]
  run: (deps: Dependencies, ...args: never[]) => Promise<unknown>
}

const declared = new Map<string, DeclaredVerb>()
const defaultTimeoutMs = 5 * 60_000

/**
 * Runs directly in the worker; in the web process it calls the worker. Both sides validate the arguments, and the
 * worker looks up itself what ids refer to. A result may contain a Readable as `stream`.
 */
export function workerVerb<Deps, Args extends unknown[], Result>(
  name: string,
  schemas: readonly z.ZodType[],
  run: (deps: Deps, ...args: Args) => Promise<Result>,
  options: VerbOptions = {}
): (deps: Deps, ...args: Args) => Promise<Result> {
  // Checked here, because otherwise it fails only in the web process.
  if (!verbName.test(name)) throw new Error(`Invalid verb name: ${name}`)
  if (declared.has(name)) throw new Error(`Duplicate verb ${name}`)
  // On the wire, undefined and null are the same.
  const takesNullAlone = (schema: z.ZodType) => schema.safeParse(null).success && !schema.safeParse(undefined).success
  if (schemas.some(takesNullAlone)) throw new Error(`${name} accepts null: make the argument optional instead`)
  declared.set(name, { ...options, schemas, run: run as unknown as DeclaredVerb['run'] })
  return async (deps, ...given) => {
    // Callers in the worker do not have `worker` in their dependency type.
    const { worker } = deps as Pick<Dependencies, 'worker'>
    if (!worker) return run(deps, ...given)
    const { signal, input } = (given[schemas.length] ?? {}) as WorkerCall
    const timeoutMs = options.timeoutMs ?? defaultTimeoutMs
    return (await worker.ask(name, parseArguments(schemas, given.slice(0, schemas.length)), {
      signal,
      input,
      timeoutMs: timeoutMs === Infinity ? undefined : timeoutMs
    })) as Result
  }
}

// Far more than an account looks at, but dumping all secrets of a machine would take hours and be visible in the log.
const secretsPerMinute = 300

export function workerVerbs(deps: Dependencies): ReadonlyMap<string, SocketVerb> {
  const allowSecret = createAllowance(secretsPerMinute, deps.now)
  const forSocket = ([name, { schemas, run, isSecret }]: [string, DeclaredVerb]): [string, SocketVerb] => [
    name,
    {
      parse: (args) => {
        if (!Array.isArray(args) || args.length > schemas.length) throw new TypeError('invalid arguments')
        return parseArguments(schemas, args)
      },
      async run(args, call) {
        if (isSecret) requireAllowance(deps, allowSecret, name, args.filter(isText))
        return run(deps, ...([...args, call] as never[])).catch((error: unknown) => {
          if (asStoreError(error))
            deps.logger.error({ err: error, verb: name }, 'worker verb failed: database unavailable')
          throw error
        })
      }
    }
  ]
  return new Map([...declared].map(forSocket))
}

/** Drops arguments without a schema and fills missing ones, because the call options follow them. */
const parseArguments = (schemas: readonly z.ZodType[], args: readonly unknown[]): unknown[] =>
  schemas.map((schema, index) => schema.parse(args[index] ?? undefined))

const isText = (value: unknown): value is string => typeof value === 'string'

type Allow = (secret: string) => boolean

function requireAllowance({ logger }: Pick<Dependencies, 'logger'>, allow: Allow, verb: string, of: string[]): void {
  const isAllowed = allow([verb, ...of].join(' '))
  logger[isAllowed ? 'info' : 'warn']({ verb, of }, isAllowed ? 'secret requested' : 'too many secrets requested')
  if (isAllowed) return
  throw new AppError('BUSY', 'Too many secrets requested. Try again in a minute.', { retryAfterSeconds: 60 })
}

function createAllowance(perMinute: number, now: () => Date): Allow {
  let minute = 0
  const seen = new Set<string>()
  return (secret) => {
    const current = Math.floor(now().getTime() / 60_000)
    if (current !== minute) seen.clear()
    minute = current
    if (seen.size < perMinute) seen.add(secret)
    return seen.has(secret)
  }
}

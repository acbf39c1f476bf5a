import type { Readable } from 'node:stream'
import type { z } from 'zod'
import type { Dependencies } from '../dependencies.ts'
import { AppError, asStoreError } from '../errors.ts'
import { type SocketVerb, verbName } from '../infra/worker-socket/verb.ts'

/** What a call may have besides its arguments, last. */
export interface WorkerCall {
  /** Fires when nobody waits for the answer any more. */
  signal?: AbortSignal | undefined
  /** A stream that goes to the worker. */
  input?: Readable | undefined
}

interface VerbOptions {
  /** Until the answer begins. Default 5 minutes; Infinity where somebody's upload goes before it. */
  timeoutMs?: number
  /** Its answer has a secret in it: the worker gives out a bounded number of those. */
  isSecret?: true
}

interface DeclaredVerb extends VerbOptions {
  schemas: readonly z.ZodType[]
  run: (deps: Dependencies, ...args: never[]) => Promise<unknown>
}

const declared = new Map<string, DeclaredVerb>()
const defaultTimeoutMs = 5 * 60_000

/**
 * A function that takes rights or secrets. In a process that has them it is just that function. In the one that listens to the Internet and
 * has none, calling it asks the worker, by name: the arguments are checked by these schemas on both sides, and the worker looks up by itself
 * what belongs to the ids in them. A result may have a Readable, as its `stream`.
 */
export function workerVerb<Deps, Args extends unknown[], Result>(
  name: string,
  schemas: readonly z.ZodType[],
  run: (deps: Deps, ...args: Args) => Promise<Result>,
  options: VerbOptions = {}
): (deps: Deps, ...args: Args) => Promise<Result> {
  // Else it is found out only where a process without rights asks for it.
  if (!verbName.test(name)) throw new Error(`No name of a verb: ${name}`)
  if (declared.has(name)) throw new Error(`There are two verbs ${name}`)
  // On the way an argument that is left out and null become the same.
  const takesNullAlone = (schema: z.ZodType) => schema.safeParse(null).success && !schema.safeParse(undefined).success
  if (schemas.some(takesNullAlone)) throw new Error(`${name} takes null: leave the argument out instead`)
  declared.set(name, { ...options, schemas, run: run as unknown as DeclaredVerb['run'] })
  return async (deps, ...given) => {
    // Whoever has the worker's adapters has no need for it, and says nothing of it in what it takes.
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

// What an account may look at in a minute, many times over; of all secrets of a machine it is a part that takes hours, and is in the log.
const secretsPerMinute = 300

/** All verbs that were declared, on these dependencies, for the socket. */
export function workerVerbs(deps: Dependencies): ReadonlyMap<string, SocketVerb> {
  const allowSecret = createAllowance(secretsPerMinute, deps.now)
  const forSocket = ([name, { schemas, run, isSecret }]: [string, DeclaredVerb]): [string, SocketVerb] => [
    name,
    {
      parse: (args) => {
        if (!Array.isArray(args) || args.length > schemas.length) throw new TypeError('not the arguments')
        return parseArguments(schemas, args)
      },
      async run(args, call) {
        if (isSecret) requireAllowance(deps, allowSecret, name, args.filter(isText))
        return run(deps, ...([...args, call] as never[])).catch((error: unknown) => {
          // Its cause does not go over the socket.
          if (asStoreError(error)) deps.logger.error({ err: error, verb: name }, 'the store kept a verb from its work')
          throw error
        })
      }
    }
  ]
  return new Map([...declared].map(forSocket))
}

/** Without what the schemas do not name; and none of them is left out, as the call comes behind them. */
const parseArguments = (schemas: readonly z.ZodType[], args: readonly unknown[]): unknown[] =>
  schemas.map((schema, index) => schema.parse(args[index] ?? undefined))

const isText = (value: unknown): value is string => typeof value === 'string'

type Allow = (secret: string) => boolean

function requireAllowance({ logger }: Pick<Dependencies, 'logger'>, allow: Allow, verb: string, of: string[]): void {
  const isAllowed = allow([verb, ...of].join(' '))
  logger[isAllowed ? 'info' : 'warn']({ verb, of }, isAllowed ? 'secret asked for' : 'too many secrets asked for')
  if (isAllowed) return
  throw new AppError('BUSY', 'Too many secrets are being looked at; try again in a minute', { retryAfterSeconds: 60 })
}

/** The same secret again tells nobody more, so that no other one is kept back by it. */
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

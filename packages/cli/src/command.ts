import type { Call, SignedInCall } from './context.ts'

interface Description {
  /** One or two words: `deploy`, `env pull`. */
  name: string
  about: string
  /** `<required>`, `[project]` in front only, `<more…>` at the end. */
  args?: string
  /** The arguments with one of these options instead. */
  argsWith?: Readonly<Record<string, string>>
  /** Flags and description; `--file <file>` takes a value. */
  options?: readonly (readonly [flags: string, about: string])[]
  /** Arguments of one call that works, without the name of the program. */
  example: string
}

/** `run` needs a login, `start` does not. */
export type Command = Description &
  ({ start: (call: Call) => Promise<void> } | { run: (call: SignedInCall) => Promise<void> })

export const takesProject = ({ args = '' }: Pick<Description, 'args'>): boolean => args.startsWith('[project]')

/** The command with the arguments that it takes with these options. */
export function argumentsWith(
  { args = '', argsWith = {} }: Pick<Description, 'args' | 'argsWith'>,
  options: Readonly<Record<string, unknown>>
): Pick<Description, 'args'> {
  const found = Object.keys(argsWith).find((name) => options[name] === true)
  return { args: found === undefined ? args : argsWith[found]! }
}

export interface SplitArguments {
  project: string | undefined
  rest: readonly string[]
}

/** Of words without a fixed number, the first is a project only if it can be the name or id of one, unlike `port=3000`. */
const isProject = (args: string, word: string): boolean => !args.includes('…') || /^[a-z0-9-]+$/i.test(word)

/** Splits the project, which is optional, from the other arguments; a text is what is wrong. */
export function splitArguments(
  { args = '' }: Pick<Description, 'args'>,
  given: readonly string[],
  named: string | undefined
): SplitArguments | string {
  const required = args.match(/</g)?.length ?? 0
  const hasProject =
    takesProject({ args }) && named === undefined && given.length > required && isProject(args, given[0]!)
  const rest = hasProject ? given.slice(1) : given
  if (rest.length < required) return 'Missing arguments'
  const most = args.replace('[project]', '').match(/[<[]/g)?.length ?? 0
  if (rest.length > most && !args.includes('…')) return 'Too many arguments'
  return { project: hasProject ? given[0] : named, rest }
}

import type { RunOptions } from './process.ts'
import { resolveProgram } from './program-path.ts'

/** Whom a program runs as. */
export interface SystemUser {
  uid: number
  gid: number
  /** With the one right to listen on ports below 1024. */
  isBindingLowPorts?: boolean
}

type Argv = readonly [string, ...string[]]

/** By setpriv(1): what it starts, and all that comes from that, has no capability and no way to one; but for what `user` says. */
export const withoutPrivileges = ({ uid, gid, isBindingLowPorts }: SystemUser, argv: Argv): [string, ...string[]] => [
  'setpriv',
  `--reuid=${uid}`,
  `--regid=${gid}`,
  '--clear-groups',
  '--no-new-privs',
  ...(isBindingLowPorts ? bindingLowPorts : ['--inh-caps=-all', '--bounding-set=-all']),
  '--',
  ...argv
]

const bindingLowPorts = ['inh-caps', 'ambient-caps', 'bounding-set'].map((set) => `--${set}=-all,+net_bind_service`)

/** As root with these capabilities (capabilities(7)) and no way to another. */
export const withCapabilities = (names: readonly string[], argv: Argv): [string, ...string[]] => [
  'setpriv',
  '--clear-groups',
  '--no-new-privs',
  '--inh-caps=-all',
  `--bounding-set=${['-all', ...names.map((name) => `+${name}`)].join(',')}`,
  '--',
  ...argv
]

/** Where a program finds its working directory that may not pass through the folders above it. Empty, for everybody else. */
export const workPlace = '/run/panel-job'

/** A directory, and where the program finds it. Both are there. */
interface Place {
  directory: string
  at: string
}

// A constant; the words after it are passed on as they are.
const bindEach = 'while [ "$1" != -- ]; do mount --bind "$1" "$2" && cd "$2" || exit; shift 2; done; shift; exec "$@"'

/**
 * As that user, with directories at places that it may reach, whatever lies above them: PostgreSQL and git look at each folder from the root
 * down to their own. It begins in the last one. This view of the file systems ends with the program, and follows what others mount and unmount.
 */
export const inPlaces = (places: readonly Place[], user: SystemUser, argv: Argv): [string, ...string[]] => [
  'unshare',
  '--mount',
  '--propagation=slave',
  '--',
  'sh',
  '-c',
  bindEach,
  'sh',
  ...places.flatMap(({ directory, at }) => [directory, at]),
  '--',
  ...withoutPrivileges(user, argv)
]

/** What is executed for a command; a program that is not installed stays a name, for the start to say so. */
export function commandFor([file, ...args]: Argv, path: string, { as, cwd }: Pick<RunOptions, 'as' | 'cwd'>): Argv {
  const argv: Argv = [resolveProgram(file, path), ...args]
  if (!as || !argv[0].includes('/')) return argv
  const [program, ...rest] =
    cwd === undefined ? withoutPrivileges(as, argv) : inPlaces([{ directory: '.', at: workPlace }], as, argv)
  return [resolveProgram(program, path), ...rest]
}

import type { RunOptions } from './process.ts'
import { resolveProgram } from './program-path.ts'

export interface SystemUser {
  uid: number
  gid: number
  /** Grants CAP_NET_BIND_SERVICE only. */
  isBindingLowPorts?: boolean
}

type Argv = readonly [string, ...string[]]

/** setpriv(1): the program and its children have no capabilities and cannot gain any, except as `user` states. */
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

export const withCapabilities = (names: readonly string[], argv: Argv): [string, ...string[]] => [
  'setpriv',
  '--clear-groups',
  '--no-new-privs',
  '--inh-caps=-all',
  `--bounding-set=${['-all', ...names.map((name) => `+${name}`)].join(',')}`,
  '--',
  ...argv
]

/** Mount point for working directories whose parents the user cannot access. Empty outside of the namespace. */
export const workPlace = '/run/panel-job'

interface Place {
  directory: string
  at: string
}

// A constant; the words after it are passed on as arguments.
const bindEach = 'while [ "$1" != -- ]; do mount --bind "$1" "$2" && cd "$2" || exit; shift 2; done; shift; exec "$@"'

/**
 * Runs as that user in a private mount namespace with directories bound to accessible places: PostgreSQL and git check
 * every parent from the root. Starts in the last one. Mount changes of the host still propagate into the namespace.
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

/** The argv to execute. A missing program keeps its bare name, so that the start reports it. */
export function commandFor([file, ...args]: Argv, path: string, { as, cwd }: Pick<RunOptions, 'as' | 'cwd'>): Argv {
  const argv: Argv = [resolveProgram(file, path), ...args]
  if (!as || !argv[0].includes('/')) return argv
  const [program, ...rest] =
    cwd === undefined ? withoutPrivileges(as, argv) : inPlaces([{ directory: '.', at: workPlace }], as, argv)
  return [resolveProgram(program, path), ...rest]
}

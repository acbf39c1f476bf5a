import type { RunOptions } from './process.ts'
import { resolveProgram } from './program-path.ts'

/** Whom a program runs as. */
export interface SystemUser {
  uid: number
  gid: number
}

type Argv = readonly [string, ...string[]]

/** By setpriv(1): what it starts, and all that comes from that, has no capability and no way to one. */
export const withoutPrivileges = ({ uid, gid }: SystemUser, argv: Argv): [string, ...string[]] => [
  'setpriv',
  `--reuid=${uid}`,
  `--regid=${gid}`,
  '--clear-groups',
  '--no-new-privs',
  '--inh-caps=-all',
  '--bounding-set=-all',
  '--',
  ...argv
]

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

// A constant; what comes after it is passed on as it is.
const enterWorkPlace = 'mount --bind . "$0" && cd "$0" && exec "$@"'

/**
 * As that user, in the working directory alone: git for one looks at every folder from the root down to its own. The view of the file systems
 * in which the directory lies at `workPlace` ends with the program, and follows what others mount and unmount.
 */
const inWorkPlace = (user: SystemUser, argv: Argv): Argv => [
  'unshare',
  '--mount',
  '--propagation=slave',
  '--',
  'sh',
  '-c',
  enterWorkPlace,
  workPlace,
  ...withoutPrivileges(user, argv)
]

/** What is executed for a command; a program that is not installed stays a name, for the start to say so. */
export function commandFor([file, ...args]: Argv, path: string, { as, cwd }: Pick<RunOptions, 'as' | 'cwd'>): Argv {
  const argv: Argv = [resolveProgram(file, path), ...args]
  if (!as || !argv[0].includes('/')) return argv
  const [program, ...rest] = cwd === undefined ? withoutPrivileges(as, argv) : inWorkPlace(as, argv)
  return [resolveProgram(program, path), ...rest]
}

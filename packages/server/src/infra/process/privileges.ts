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

/** Whom an SSH server of the machine confines, and where. */
export interface Confinement {
  group: string
  projectsDirectory: string
  keysDirectory: string
}

export interface SshdConfigOptions extends Confinement {
  /** Addresses and one port; nothing else is listened on. */
  listen: readonly string[]
  port: number
  hostKeys: readonly string[]
  pidFile: string
}

// In sshd_config(5), %U is the number of the account and %u its name.
const chroot = (projectsDirectory: string) => quote(`${escapeTokens(projectsDirectory)}/u/%U`)

// Nothing for others: a project's files are its account's, whose containers run as the same uid.
const sftp = 'internal-sftp -u 0027'

/**
 * What an account of the group may do: transfer files below its own directory, with its password or a key of its own. Each by its own name
 * as well, since a setting that stands earlier in the machine's file would win over a general one.
 */
const renderConfinement = ({ projectsDirectory, keysDirectory }: Confinement): string[] => [
  `ChrootDirectory ${chroot(projectsDirectory)}`,
  `ForceCommand ${sftp}`,
  `AuthorizedKeysFile ${quote(`${escapeTokens(keysDirectory)}/%u`)}`,
  'AuthorizedKeysCommand none',
  'AuthorizedPrincipalsFile none',
  'TrustedUserCAKeys none',
  'PasswordAuthentication yes',
  'PubkeyAuthentication yes',
  'KbdInteractiveAuthentication no',
  'HostbasedAuthentication no',
  'GSSAPIAuthentication no',
  'PermitEmptyPasswords no',
  'DisableForwarding yes',
  'AllowTcpForwarding no',
  'AllowStreamLocalForwarding no',
  'AllowAgentForwarding no',
  'X11Forwarding no',
  'PermitTunnel no',
  'GatewayPorts no',
  'PermitTTY no',
  'PermitUserRC no',
  'MaxSessions 10',
  'ClientAliveInterval 60',
  'ClientAliveCountMax 3',
  'Banner none'
]

/** The block that confines the group in the machine's own server. Throws on a value that has no place in it. */
export function renderDropIn(confinement: Confinement): string {
  return `# Written by the panel: the SFTP accounts of its users, confined. It goes with the last of them.
Match Group ${word(confinement.group)}
${renderConfinement(confinement)
  .map((line) => `    ${line}\n`)
  .join('')}`
}

/** The whole configuration of a server for these accounts alone. Throws on a value that has no place in it. */
export function renderSshdConfig(options: SshdConfigOptions): string {
  const { port, listen, hostKeys, pidFile, group } = options
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error('not a port')
  return `# Written by the panel.
Port ${port}
${listen.map((address) => `ListenAddress ${word(address)}\n`).join('')}${hostKeys.map((path) => `HostKey ${quote(path)}\n`).join('')}PidFile ${quote(pidFile)}
LogLevel VERBOSE
UsePAM yes
UseDNS no
PrintMotd no
PermitRootLogin no
PermitUserEnvironment no
AllowGroups ${word(group)}
MaxAuthTries 6
LoginGraceTime 30
MaxStartups 30:30:100
PerSourceMaxStartups 10
Subsystem sftp ${sftp}
${renderConfinement(options).join('\n')}
`
}

// Each as `sshd -T` prints it: what lets an account out, were it otherwise.
const essentials = [
  'ChrootDirectory',
  'ForceCommand',
  'AuthorizedKeysFile',
  'AuthorizedKeysCommand',
  'DisableForwarding',
  'PermitUserRC'
]

/** Which setting that holds the account in is not in effect, by what `sshd -T` prints for it; undefined when all are. */
export function confinementProblem(effective: string, confinement: Confinement): string | undefined {
  const lines = new Set(effective.split('\n'))
  for (const setting of renderConfinement(confinement)) {
    const [, keyword = '', value = ''] = /^(\w+) (.*)$/.exec(setting)!
    const isEssential = essentials.includes(keyword)
    if (isEssential && !lines.has(`${keyword.toLowerCase()} ${value.replaceAll('"', '')}`))
      return `${keyword} is not in effect`
  }
  return undefined
}

function word(value: string): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9.:_-]*$|^::$/.test(value))
    throw new Error(`not a word of an SSH server's configuration: ${value}`)
  return value
}

function quote(path: string): string {
  if (!/^\/[\x20-\x7e]+$/.test(path) || /["\\]/.test(path))
    throw new Error(`a path that an SSH server's configuration cannot hold: ${path}`)
  return `"${path}"`
}

const escapeTokens = (path: string): string => path.replaceAll('%', '%%')

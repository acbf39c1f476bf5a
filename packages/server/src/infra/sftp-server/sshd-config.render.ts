export interface Confinement {
  group: string
  projectsDirectory: string
  keysDirectory: string
}

export interface SshdConfigOptions extends Confinement {
  listen: readonly string[]
  port: number
  hostKeys: readonly string[]
  pidFile: string
}

// sshd_config(5): %U is the account's uid and %u its name.
const chroot = (projectsDirectory: string) => quote(`${escapeTokens(projectsDirectory)}/u/%U`)

// umask 0027: a project's files belong to its account, whose containers run under the same uid.
const sftp = 'internal-sftp -u 0027'

/** Forwarding types are disabled individually too: an earlier setting in the machine's file would win. */
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

export function renderDropIn(confinement: Confinement): string {
  return `# Written by the panel: the SFTP accounts of its users, confined. It goes with the last of them.
Match Group ${word(confinement.group)}
${renderConfinement(confinement)
  .map((line) => `    ${line}\n`)
  .join('')}`
}

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

// As `sshd -T` prints them. An account could escape if one of these had another value.
const essentials = [
  'ChrootDirectory',
  'ForceCommand',
  'AuthorizedKeysFile',
  'AuthorizedKeysCommand',
  'DisableForwarding',
  'PermitUserRC'
]

/** First essential setting that `sshd -T` reports as not in effect for an account; undefined if all are. */
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

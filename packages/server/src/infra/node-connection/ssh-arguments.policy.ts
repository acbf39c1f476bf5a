/** How to reach a machine's SSH server. */
export interface SshTarget {
  host: string
  port: number
  /** Public key of the server, the only one that is accepted. */
  hostKey: string
}

interface SshFiles {
  keyPath: string
  /** Contains `hostKey` under `hostAlias`. */
  knownHostsPath: string
  controlPath: string
}

/** In place of the address, so that known_hosts needs no address. */
const hostAlias = 'panel-machine'

export const knownHostsLine = ({ hostKey }: SshTarget): string => `${hostAlias} ${hostKey}\n`

/** Options of every call. `-F none`: no configuration of the user or the machine applies. */
function options({ keyPath, knownHostsPath, controlPath }: SshFiles, target: SshTarget): string[] {
  const settings = {
    BatchMode: 'yes',
    IdentityFile: keyPath,
    IdentitiesOnly: 'yes',
    PreferredAuthentications: 'publickey',
    UserKnownHostsFile: knownHostsPath,
    GlobalKnownHostsFile: '/dev/null',
    StrictHostKeyChecking: 'yes',
    HostKeyAlias: hostAlias,
    HostKeyAlgorithms: algorithmsOf(target.hostKey),
    UpdateHostKeys: 'no',
    ForwardAgent: 'no',
    LogLevel: 'ERROR',
    ConnectTimeout: '10',
    // A cut is known after about 8 s.
    ServerAliveInterval: '3',
    ServerAliveCountMax: '2',
    ControlPath: controlPath
  }
  return ['-F', 'none', ...Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`])]
}

const destination = ({ host, port }: SshTarget): string[] => ['-l', 'root', '-p', String(port), '--', host]

const algorithmsOf = (hostKey: string): string => {
  const type = hostKey.split(' ', 1)[0]!
  return type === 'ssh-rsa' ? 'rsa-sha2-512,rsa-sha2-256' : type
}

// Ends with its standard input, and the connection with it. `ssh` would wait for relayed connections that are still open.
const untilInputEnds = "exec sh -c 'cat; kill $PPID'"

/** The connection that all others share. It ends when the panel is killed. */
export const masterArguments = (files: SshFiles, target: SshTarget): [string, ...string[]] => [
  'ssh',
  ...options(files, target),
  ...['-o', 'ControlMaster=yes', '-o', 'ControlPersist=no'],
  ...['-o', 'StreamLocalBindUnlink=yes', '-o', 'StreamLocalBindMask=0177'],
  '-T',
  ...destination(target),
  untilInputEnds
]

const through = (files: SshFiles, target: SshTarget): string[] => [
  ...options(files, target),
  // Never a connection of its own.
  ...['-o', 'ControlMaster=no', '-o', 'ProxyCommand=false']
]

export const commandArguments = (
  files: SshFiles,
  target: SshTarget,
  argv: readonly [string, ...string[]]
): [string, ...string[]] => ['ssh', ...through(files, target), '-T', ...destination(target), shellLine(argv)]

export const forwardArguments = (
  files: SshFiles,
  target: SshTarget,
  { from, to }: { from: string; to: string }
): [string, ...string[]] => [
  'ssh',
  ...through(files, target),
  ...['-o', 'StreamLocalBindUnlink=yes', '-o', 'StreamLocalBindMask=0177'],
  ...['-O', 'forward', '-L', `${from}:${to}`],
  ...destination(target)
]

/**
 * Prints the port of the machine's loopback that the SSH server there has chosen; the same one again while it is open.
 * `to` is an address with its port, or the path of a socket.
 */
export const relayArguments = (files: SshFiles, target: SshTarget, to: string): [string, ...string[]] => [
  'ssh',
  ...through(files, target),
  ...['-O', 'forward', '-R', `127.0.0.1:0:${to}`],
  ...destination(target)
]

export const connectArguments = (
  files: SshFiles,
  target: SshTarget,
  { address, port }: { address: string; port: number }
): [string, ...string[]] => [
  'ssh',
  ...through(files, target),
  ...['-W', `${address.includes(':') ? `[${address}]` : address}:${port}`],
  ...destination(target)
]

/** SSH hands one line to the shell of the other machine: every argument is quoted as a whole. */
export function shellLine(argv: readonly [string, ...string[]]): string {
  if (argv.some((argument) => argument.includes('\0'))) throw new RangeError('An argument contains NUL')
  return argv.map((argument) => `'${argument.replaceAll("'", `'\\''`)}'`).join(' ')
}

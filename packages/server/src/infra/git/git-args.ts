import { isAbsolute } from 'node:path'

export interface GitSettings {
  /** known_hosts file with every host key that ssh may meet (host-keys.ts). */
  knownHostsPath: string
  /** PEM file of the certificate authorities to trust instead of the system's. */
  caFile?: string
}

export type Argv = readonly [string, ...string[]]

/** Where a fetched branch is kept. One name for any branch, since `a` and `a/b` cannot both be refs. */
export const branchRef = 'refs/panel/branch'

/** What `git fsck` finds in old but harmless history. All else refuses the fetch, a `..` in a tree above all. */
const harmless = [
  'zeroPaddedFilemode',
  'missingSpaceBeforeDate',
  'badTimezone',
  'missingEmail',
  'missingNameBeforeEmail',
  'nulInCommit'
]

const configuration: readonly string[] = [
  'protocol.ext.allow=never',
  'protocol.file.allow=never',
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.bigFileThreshold=32m', // Larger blobs are streamed, not held in memory.
  'core.packedGitLimit=256m', // What is mapped of a pack counts as address space, which is limited.
  'core.packedGitWindowSize=32m',
  'pack.windowMemory=128m',
  'pack.threads=1', // Each thread would set 128 MiB of address space aside.
  'credential.helper=',
  'http.followRedirects=false', // A redirect could lead to an address inside our own network.
  'http.lowSpeedLimit=1000',
  'http.lowSpeedTime=30',
  'submodule.recurse=false',
  'fetch.recurseSubmodules=false',
  'fetch.unpackLimit=1', // A pack appears as a whole or not at all; loose objects would be left half done.
  'transfer.fsckObjects=true',
  'transfer.bundleURI=false',
  ...harmless.map((id) => `fetch.fsck.${id}=ignore`),
  'gc.auto=0', // A detached collector would outlive the call.
  'maintenance.auto=false',
  'tar.umask=0022',
  'init.defaultBranch=main',
  'advice.defaultBranchName=false'
]

/** A repository is a stranger's: objects can be made such that git needs any amount of memory. Of each process of it, also of ssh. */
export const maxAddressSpaceBytes = 2 * 2 ** 30

/**
 * A git command on the bare repository that it is started in, with nothing left to the configuration of the machine or of the repository's
 * author. It names no path: whom it runs as may reach none but this.
 */
export function gitArgv(...args: string[]): Argv {
  const settings = configuration.flatMap((setting) => ['-c', setting])
  const limited = ['prlimit', `--as=${maxAddressSpaceBytes}`, '--', 'git'] as const
  return [...limited, ...settings, '--literal-pathspecs', '--git-dir=.', ...args]
}

/** `--` before the address: whatever it is, git does not read it as an option. */
export function fetchArgv(url: string, refspec: string, depth: number, filter?: 'tree:0'): Argv {
  const options = [
    '--no-tags',
    '--no-recurse-submodules',
    '--no-write-fetch-head',
    '--no-auto-maintenance',
    '--force',
    '--progress',
    ...(filter === undefined ? [] : [`--filter=${filter}`])
  ]
  return gitArgv('fetch', '--depth', String(depth), ...options, '--', url, refspec)
}

/** `HEAD` and the branches, of all that the server names. */
export const listArgv = (url: string): Argv => gitArgv('ls-remote', '--symref', '--', url, 'HEAD', 'refs/heads/*')

export function gitEnv(settings: GitSettings, privateKeyPath?: string): Record<string, string> {
  return {
    LC_ALL: 'C', // Its messages are read by git-problem.ts.
    HOME: '/nonexistent',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_ALLOW_PROTOCOL: 'https:http:ssh',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '/bin/false',
    SSH_ASKPASS: '/bin/false',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_SSH_VARIANT: 'ssh',
    GIT_SSH_COMMAND: sshCommand(settings.knownHostsPath, privateKeyPath),
    ...(settings.caFile === undefined ? {} : { GIT_SSL_CAINFO: settings.caFile, SSL_CERT_FILE: settings.caFile })
  }
}

/** Git hands GIT_SSH_COMMAND to a shell, so each word is quoted; the only words not written here are two paths of ours. */
export function sshCommand(knownHostsPath: string, privateKeyPath: string | undefined): string {
  const options = [
    'BatchMode=yes',
    'StrictHostKeyChecking=yes',
    `UserKnownHostsFile=${sshPath(knownHostsPath)}`,
    'GlobalKnownHostsFile=/dev/null',
    'UpdateHostKeys=no',
    'IdentitiesOnly=yes',
    'IdentityAgent=none',
    // Without `none` ssh would offer the keys of the account that runs the panel.
    `IdentityFile=${privateKeyPath === undefined ? 'none' : sshPath(privateKeyPath)}`,
    'PreferredAuthentications=publickey',
    'ConnectTimeout=10',
    'ServerAliveInterval=15',
    'ServerAliveCountMax=4',
    'ForwardAgent=no',
    'ClearAllForwardings=yes',
    'ControlMaster=no',
    'ControlPath=none',
    'ProxyCommand=none',
    'PermitLocalCommand=no'
  ]
  return ['ssh', '-F', '/dev/null', ...options.flatMap((option) => ['-o', option])].map(quoteWord).join(' ')
}

/** Inside an option ssh splits at spaces, expands `%x` and `${X}`, and knows quotes. */
function sshPath(path: string): string {
  if (!(isAbsolute(path) || path.startsWith('./')) || /["\\$\p{Cc}]/u.test(path))
    throw new Error(`ssh cannot be given the path ${JSON.stringify(path)}`)
  return `"${path.replaceAll('%', '%%')}"`
}

const quoteWord = (word: string) => `'${word.replaceAll("'", "'\\''")}'`

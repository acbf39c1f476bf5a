import { isAbsolute } from 'node:path'

export interface GitSettings {
  knownHostsPath: string
  caFile?: string
}

export type Argv = readonly [string, ...string[]]

/** Ref of the fetched branch. One fixed name for any branch, since `a` and `a/b` cannot both be refs. */
export const branchRef = 'refs/panel/branch'

/** `git fsck` findings in old but harmless history. All others, `..` in a tree above all, fail the fetch. */
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
  'core.bigFileThreshold=32m', // larger blobs are streamed instead of loaded into memory
  'core.packedGitLimit=256m', // mapped packs count towards the address space limit
  'core.packedGitWindowSize=32m',
  'pack.windowMemory=128m',
  'pack.threads=1', // each thread would reserve 128 MiB of address space
  'credential.helper=',
  'http.followRedirects=false', // SSRF: a redirect could lead into our own network
  'http.lowSpeedLimit=1000',
  'http.lowSpeedTime=30',
  'submodule.recurse=false',
  'fetch.recurseSubmodules=false',
  'fetch.unpackLimit=1', // packs appear atomically; loose objects could be left incomplete
  'transfer.fsckObjects=true',
  'transfer.bundleURI=false',
  ...harmless.map((id) => `fetch.fsck.${id}=ignore`),
  'gc.auto=0', // a detached gc would outlive the call
  'maintenance.auto=false',
  'tar.umask=0022',
  'init.defaultBranch=main',
  'advice.defaultBranchName=false'
]

/** Per process, also ssh: crafted objects can make git use any amount of memory. */
export const maxAddressSpaceBytes = 2 * 2 ** 30

/** Independent of machine and repository config. Names no path: its user can access nothing else. */
export function gitArgv(...args: string[]): Argv {
  const settings = configuration.flatMap((setting) => ['-c', setting])
  const limited = ['prlimit', `--as=${maxAddressSpaceBytes}`, '--', 'git'] as const
  return [...limited, ...settings, '--literal-pathspecs', '--git-dir=.', ...args]
}

/** `--` before the URL keeps git from reading it as an option. */
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

export const listArgv = (url: string): Argv => gitArgv('ls-remote', '--symref', '--', url, 'HEAD', 'refs/heads/*')

export function gitEnv(settings: GitSettings, privateKeyPath?: string): Record<string, string> {
  return {
    LC_ALL: 'C', // git-problem.ts parses its messages
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

/** Git passes GIT_SSH_COMMAND to a shell, so each word is quoted. Only the two paths are variable. */
export function sshCommand(knownHostsPath: string, privateKeyPath: string | undefined): string {
  const options = [
    'BatchMode=yes',
    'StrictHostKeyChecking=yes',
    `UserKnownHostsFile=${sshPath(knownHostsPath)}`,
    'GlobalKnownHostsFile=/dev/null',
    'UpdateHostKeys=no',
    'IdentitiesOnly=yes',
    'IdentityAgent=none',
    // Without `none` ssh would offer the keys of the panel's account.
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

/** In option values ssh splits at spaces, expands `%x` and `${X}`, and handles quotes. */
function sshPath(path: string): string {
  if (!(isAbsolute(path) || path.startsWith('./')) || /["\\$\p{Cc}]/u.test(path))
    throw new Error(`ssh does not support the path ${JSON.stringify(path)}`)
  return `"${path.replaceAll('%', '%%')}"`
}

const quoteWord = (word: string) => `'${word.replaceAll("'", "'\\''")}'`

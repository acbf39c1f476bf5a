import { maxAddressSpaceBytes } from './git-args.ts'

interface FetchTarget {
  url: string
  branch: string
}

const deployKey = 'add the deploy key of the project to the repository'

const outOfMemory = /out of memory|cannot allocate memory|memory exhausted|mmap failed|unable to create .*thread/i

/** First match wins: what git says last is often only the consequence. */
const sentences: readonly [RegExp, (target: FetchTarget) => string][] = [
  [
    outOfMemory,
    () =>
      `The repository needs more memory to be read than the ${maxAddressSpaceBytes / 2 ** 30} GiB that git may use here. A very large commit, tree or file in its history is the likely reason`
  ],
  [
    /host key verification failed|remote host identification has changed|host key is known for/i,
    () =>
      'The SSH host key of the git server is not the one this panel knows, so nothing was sent; an administrator can add it to GIT_KNOWN_HOSTS'
  ],
  [
    /permission denied \(|load key |too many authentication failures/i,
    () => `The git server refused the SSH key: ${deployKey}, then try again`
  ],
  [
    /could not read (username|password)|terminal prompts disabled|authentication failed|access denied|returned error: 40[13]/i,
    () => `The repository does not exist or is private. For a private one use its git@ address and ${deployKey}`
  ],
  [
    /repository not found|repository '.*' not found|not appear to be a git repository|could not be found|don't have permission|returned error: 404/i,
    ({ url }) => `The repository was not found. Check the address${url.startsWith('ssh') ? ` and ${deployKey}` : ''}`
  ],
  [/couldn't find remote ref/i, ({ branch }) => `The repository has no branch "${branch}"`],
  [
    /returned error: 30[1278]|url base from redirection/i,
    () =>
      'The git server redirects to another address, which is not followed. Use the present address of the repository (it may have been renamed)'
  ],
  [
    /could not resolve host|name resolution|name or service not known/i,
    () => 'The name of the git server could not be resolved'
  ],
  [/timed out|too slow/i, () => 'The git server did not answer in time'],
  [
    /failed to connect|couldn't connect|connection refused|no route to host|network is unreachable/i,
    () => 'The git server cannot be reached'
  ],
  [/certificate|gnutls|ssl/i, () => 'The TLS certificate of the git server is not trusted'],
  [/returned error: 5\d\d/i, () => 'The git server had an error of its own; try again later'],
  [/no space left on device/i, () => 'The disk of this server is full'],
  [/transport '.*' not allowed/i, () => 'Only https, http and ssh addresses are allowed'],
  [
    /fsck error|in fsck|invalid object|bad object/i,
    () => 'The repository has objects that fail the check of git (git fsck)'
  ],
  [
    /early eof|unexpected disconnect|rpc failed|hung up|could not read from remote|invalid index-pack/i,
    () => 'The git server broke off the connection'
  ]
]

/** Why a fetch failed, as a sentence for the owner of the project. */
export function fetchProblem(stderr: string, target: FetchTarget): string {
  const text = stderr.replace(/\r/g, '\n')
  const sentence = sentences.find(([pattern]) => pattern.test(text))?.[1](target)
  if (sentence !== undefined) return `${sentence}.`
  const message = text
    .split('\n')
    .filter((line) => /^(fatal|error): /.test(line))
    .at(-1)
  return `Git could not fetch the repository: ${message === undefined ? 'it gave no reason' : cleanGitLine(message, target.url)}.`
}

const userInfo = /([a-z][a-z0-9+.-]*:\/\/)[^\s/@']*@/gi

/** Whether a key that the server takes may be all that is missing: providers say the same of what is private and of what is not there. */
export const mayBePrivate = (stderr: string): boolean =>
  /could not read (username|password)|terminal prompts disabled|authentication failed|access denied|returned error: 40[134]|permission denied \(|load key |repository not found|could not be found|don't have permission/i.test(
    stderr
  )

/** A line of git's that can be shown: the address (it may be an inner mirror) and credentials are left out. */
export function cleanGitLine(line: string, url: string): string {
  const address = url.replace(userInfo, '$1')
  return (line.split('\r').findLast((part) => part.trim() !== '') ?? '')
    .replace(userInfo, '$1')
    .replaceAll(address, 'the repository')
    .replaceAll(address.replace(/\.git$/, ''), 'the repository') // As git shortens it.
    .replace(/\p{Cc}\[[0-9;?]*[A-Za-z]|\p{Cc}/gu, '')
    .trim()
    .slice(0, 300)
}

/** The local repository is at fault, not the remote one: fetching into a new one is the cure. */
export function isLocalDamage(stderr: string): boolean {
  if (outOfMemory.test(stderr)) return false // What git says then sounds like damage; a new repository would not help.
  return /not a git repository|bad object refs|is corrupt|far too short|does not match index|missing (blob|tree|commit)|unable to read (tree|sha1)|bad tree object|did not send all necessary objects|shallow file has changed|unable to (create|parse)|index file .* is too small|could not parse/i.test(
    stderr
  )
}

/** The remote repository names its objects by another hash function than ours. */
export function wantedObjectFormat(stderr: string): 'sha1' | 'sha256' | undefined {
  return /mismatched algorithms: client \w+; server (sha1|sha256)/.exec(stderr)?.[1] as 'sha1' | 'sha256' | undefined
}

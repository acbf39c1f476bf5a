import type { FailureCode } from '@panel/contract/failure-texts'
import type { Sentence } from '@panel/contract/sentences'
import { maxAddressSpaceBytes } from './git-args.ts'

interface FetchTarget {
  url: string
  branch: string
}

const outOfMemory = /out of memory|cannot allocate memory|memory exhausted|mmap failed|unable to create .*thread/i

/** First match wins: git's last message is often only a consequence. */
const reasons: readonly [RegExp, FailureCode | ((target: FetchTarget) => Sentence<FailureCode>)][] = [
  [outOfMemory, () => ({ code: 'GIT_OUT_OF_MEMORY', values: { gibibytes: maxAddressSpaceBytes / 2 ** 30 } })],
  [/host key verification failed|remote host identification has changed|host key is known for/i, 'GIT_HOST_KEY'],
  [/permission denied \(|load key |too many authentication failures/i, 'GIT_KEY_REFUSED'],
  [
    /could not read (username|password)|terminal prompts disabled|authentication failed|access denied|returned error: 40[13]/i,
    'GIT_PRIVATE'
  ],
  [
    /repository not found|repository '.*' not found|not appear to be a git repository|could not be found|don't have permission|returned error: 404/i,
    ({ url }) => ({ code: url.startsWith('ssh') ? 'GIT_NOT_FOUND_BY_SSH' : 'GIT_NOT_FOUND' })
  ],
  [/couldn't find remote ref/i, ({ branch }) => ({ code: 'GIT_NO_BRANCH', values: { branch } })],
  [/returned error: 30[1278]|url base from redirection/i, 'GIT_REDIRECTS'],
  [/could not resolve host|name resolution|name or service not known/i, 'GIT_NAME_UNKNOWN'],
  [/timed out|too slow/i, 'GIT_TIMED_OUT'],
  [/failed to connect|couldn't connect|connection refused|no route to host|network is unreachable/i, 'GIT_NOT_REACHED'],
  [/certificate|gnutls|ssl/i, 'GIT_NOT_TRUSTED'],
  [/returned error: 5\d\d/i, 'GIT_SERVER_ERROR'],
  [/no space left on device/i, 'GIT_DISK_FULL'],
  [/transport '.*' not allowed/i, 'GIT_PROTOCOL'],
  [/fsck error|in fsck|invalid object|bad object/i, 'GIT_BAD_OBJECTS'],
  [
    /early eof|unexpected disconnect|rpc failed|hung up|could not read from remote|invalid index-pack/i,
    'GIT_BROKEN_OFF'
  ]
]

export function fetchProblem(stderr: string, target: FetchTarget): Sentence<FailureCode> {
  const text = stderr.replace(/\r/g, '\n')
  const reason = reasons.find(([pattern]) => pattern.test(text))?.[1]
  if (reason !== undefined) return typeof reason === 'string' ? { code: reason } : reason(target)
  const message = text
    .split('\n')
    .filter((line) => /^(fatal|error): /.test(line))
    .at(-1)
  return message === undefined
    ? { code: 'GIT_GAVE_NO_REASON' }
    : { code: 'GIT_FAILED', values: { problem: cleanGitLine(message, target.url) } }
}

const userInfo = /([a-z][a-z0-9+.-]*:\/\/)[^\s/@']*@/gi

/** Whether a deploy key may fix it: providers report private and missing repositories alike. */
export const mayBePrivate = (stderr: string): boolean =>
  /could not read (username|password)|terminal prompts disabled|authentication failed|access denied|returned error: 40[134]|permission denied \(|load key |repository not found|could not be found|don't have permission/i.test(
    stderr
  )

/** Makes a line of git's output safe to show: removes credentials and the address, which may be an internal mirror. */
export function cleanGitLine(line: string, url: string): string {
  const address = url.replace(userInfo, '$1')
  return (line.split('\r').findLast((part) => part.trim() !== '') ?? '')
    .replace(userInfo, '$1')
    .replaceAll(address, 'the repository')
    .replaceAll(address.replace(/\.git$/, ''), 'the repository') // git shortens it
    .replace(/\p{Cc}\[[0-9;?]*[A-Za-z]|\p{Cc}/gu, '')
    .trim()
    .slice(0, 300)
}

export function isLocalDamage(stderr: string): boolean {
  if (outOfMemory.test(stderr)) return false // these messages look like damage, but a new repository would not help
  return /not a git repository|bad object refs|is corrupt|far too short|does not match index|missing (blob|tree|commit)|unable to read (tree|sha1)|bad tree object|did not send all necessary objects|shallow file has changed|unable to (create|parse)|index file .* is too small|could not parse/i.test(
    stderr
  )
}

export function wantedObjectFormat(stderr: string): 'sha1' | 'sha256' | undefined {
  return /mismatched algorithms: client \w+; server (sha1|sha256)/.exec(stderr)?.[1] as 'sha1' | 'sha256' | undefined
}

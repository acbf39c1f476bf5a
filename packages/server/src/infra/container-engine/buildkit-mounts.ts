import { createHash } from 'node:crypto'

/**
 * Secrets are no part of BuildKit's cache key: a step with the same text would take the result that another account's
 * secret produced. A mount of a secret that does not exist changes nothing but the key.
 */
export const accountMark = {
  mount: (account: number | undefined): string => `--mount=type=secret,id=${owner(account)}`,
  /** For logs: without the mark, and with no hash in the options of caches. */
  remove: (instruction: string): string =>
    instruction.replace(/^(RUN )--mount=type=secret,id=panel-\d+ /, '$1').replace(/,id=panel-\d+-[0-9a-f]{32}/g, '')
}

/**
 * A cache of this account only. Hashed, because BuildKit joins ids like paths: `../` would name another account's, also
 * behind a variable. What a variable contains makes no difference.
 */
export const cacheId = (account: number | undefined, name: string): string =>
  `${owner(account)}-${createHash('sha256').update(name).digest('hex').slice(0, 32)}`

const owner = (account: number | undefined): string => `panel-${account ?? 0}`

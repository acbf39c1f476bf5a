import { queryResolver } from './query-resolver.ts'
import { findDelegation } from './delegation.ts'
import { isPublicAddress } from '../../net/public-address.ts'
import type { LookupType, PublicDns } from './public-dns.ts'

export interface ResolverOptions {
  /** `ip`, `ip:port` or `[ip6]:port`. */
  resolvers: readonly string[] | (() => readonly string[])
  /** Of one try; a lookup has two, should the first get no answer. */
  timeoutMs?: number
  /** Of all steps to a delegation together. */
  delegationTimeoutMs?: number
  /** Where the servers of parent zones listen; tests have another. */
  authorityPort?: number
  /** Which of these servers' addresses may be asked: a stranger's zone names them, so ours must not be reached by it. */
  isAllowedAuthority?: (address: string) => boolean
}

/** The public DNS, asked through the given resolvers. */
export function createPublicDns({
  resolvers,
  timeoutMs = 2_000,
  delegationTimeoutMs = 8_000,
  authorityPort = 53,
  isAllowedAuthority = isPublicAddress
}: ResolverOptions): PublicDns {
  const ask = (name: string, type: LookupType) =>
    (typeof resolvers === 'function' ? resolvers() : resolvers).map((resolver) => queryResolver(resolver, name, type, timeoutMs))

  /** Of the first resolver that has any, so that one that is slow keeps nobody back. */
  const resolve = (name: string, type: LookupType) =>
    Promise.any(
      ask(name, type).map(async (lookup) => {
        const { values, error } = await lookup
        return error === null ? values : Promise.reject(new Error(error))
      })
    ).catch(() => []) // None has any.

  return {
    lookUp: (name, type) => Promise.all(ask(name, type)),
    async delegatedNameservers(name) {
      const abort = new AbortController()
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<string[]>((done) => {
        timer = setTimeout(() => done([]), delegationTimeoutMs)
      })
      const options = { resolve, isAllowed: isAllowedAuthority, port: authorityPort, timeoutMs, signal: abort.signal }
      try {
        return await Promise.race([findDelegation(name, options), late])
      } finally {
        clearTimeout(timer)
        abort.abort()
      }
    }
  }
}

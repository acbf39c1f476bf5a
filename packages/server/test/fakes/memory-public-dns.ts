import type { LookupType, PublicDns } from '../../src/infra/public-dns/public-dns.ts'

/** Three in-memory resolvers that return what tests set. */
export interface MemoryPublicDns extends PublicDns {
  readonly resolvers: string[]
  /** Sets values for all resolvers or one; an empty list is NODATA, undefined NXDOMAIN. */
  set(name: string, type: LookupType, values: string[] | undefined, resolver?: string): void
  /** Makes every lookup of this resolver fail, until undefined. */
  failWith(resolver: string, error: string | undefined): void
  readonly delegations: Map<string, string[]>
}

export function createMemoryPublicDns(resolvers: string[] = ['192.0.2.1', '192.0.2.2', '192.0.2.3']): MemoryPublicDns {
  const answers = new Map<string, string[]>()
  const failures = new Map<string, string>()
  const delegations = new Map<string, string[]>()
  const key = (resolver: string, name: string, type: LookupType) => `${resolver} ${name.toLowerCase()} ${type}`
  return {
    resolvers,
    delegations,
    set(name, type, values, resolver) {
      for (const one of resolver === undefined ? resolvers : [resolver]) {
        if (values === undefined) answers.delete(key(one, name, type))
        else answers.set(key(one, name, type), values)
      }
    },
    failWith(resolver, error) {
      if (error === undefined) failures.delete(resolver)
      else failures.set(resolver, error)
    },
    async lookUp(name, type) {
      return resolvers.map((resolver) => {
        const failure = failures.get(resolver)
        const values = failure === undefined ? answers.get(key(resolver, name, type)) : undefined
        const error = failure ?? (values === undefined ? 'NXDOMAIN' : values.length === 0 ? 'NODATA' : null)
        return { resolver, values: values ?? [], error, latencyMs: 1 }
      })
    },
    async delegatedNameservers(name) {
      return (delegations.get(name) ?? []).map((host) => host.toLowerCase()).toSorted()
    }
  }
}

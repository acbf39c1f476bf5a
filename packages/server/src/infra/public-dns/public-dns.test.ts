import { describePublicDns } from '../../../test/contracts/public-dns.contract.ts'
import { createMemoryPublicDns } from '../../../test/fakes/memory-public-dns.ts'
import { startFakeResolver } from '../../../test/support/fake-resolver.ts'
import { createPublicDns } from './resolvers.ts'

describePublicDns('in memory', async () => {
  const dns = createMemoryPublicDns()
  return {
    dns,
    resolvers: dns.resolvers,
    setAddresses: (name, addresses, resolver) => dns.set(name, 'A', [...addresses], resolver),
    refuse: (resolver) => dns.failWith(resolver, 'REFUSED'),
    delegate: (name, nameservers) => void dns.delegations.set(name, [...nameservers]),
    close: async () => {}
  }
})

describePublicDns('three resolvers', async () => {
  const resolvers = await Promise.all(['127.0.0.14', '127.0.0.15', '127.0.0.16'].map((host) => startFakeResolver(host)))
  const parent = await startFakeResolver('127.0.0.17')
  for (const resolver of resolvers) {
    resolver.set('example', 'NS', { values: ['ns.parent.test'] })
    resolver.set('ns.parent.test', 'A', { values: [parent.host] })
  }
  return {
    dns: createPublicDns({
      resolvers: resolvers.map(({ address }) => address),
      timeoutMs: 500,
      delegationTimeoutMs: 2_000,
      authorityPort: parent.port,
      isAllowedAuthority: () => true
    }),
    resolvers: resolvers.map(({ address }) => address),
    setAddresses(name, addresses, resolver) {
      for (const each of resolvers)
        if (resolver === undefined || each.address === resolver) each.set(name, 'A', { values: addresses })
    },
    refuse(resolver) {
      const refusing = resolvers.find(({ address }) => address === resolver)!
      refusing.reset()
      refusing.fallback = { rcode: 'REFUSED' }
    },
    delegate(name, nameservers) {
      parent.set(name, 'NS', { authorities: nameservers.map((data) => ({ type: 'NS', name, ttl: 60, data })) })
    },
    close: async () => void (await Promise.all([...resolvers, parent].map((each) => each.close())))
  }
})

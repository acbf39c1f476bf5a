import { expect, test } from 'vitest'
import { createMemoryReverseProxy } from '../../../test/fakes/memory-reverse-proxy.ts'
import { describeReverseProxy } from '../../../test/contracts/reverse-proxy.contract.ts'

describeReverseProxy('memory', async () => {
  const gateway = '172.28.0.1'
  const proxy = createMemoryReverseProxy({ subnet: '172.28.0.0/20', gateway, pools: [], networkPrefix: 27 })
  return {
    proxy,
    gateway,
    targets: [
      { kind: 'container', address: '172.28.0.2', port: 3000 },
      { kind: 'container', address: '172.28.0.3', port: 3000 }
    ],
    async answer(hostname, path) {
      const target = proxy.find(hostname, path.replace(/\?.*/, ''))?.target
      if (target?.kind === 'container') return `${target.address}:${target.port}`
      return target === undefined || target.kind === 'nothing' ? 'nobody' : target.kind
    },
    servedFingerprint: async (hostname) => proxy.findCertificate(hostname)?.fingerprint ?? 'default',
    mapPath: '/routes.map',
    async whileHanging(work) {
      proxy.fail = true
      await work()
      proxy.fail = false
    },
    async close() {}
  }
})

test('the fake returns the given number of connections', async () => {
  const proxy = createMemoryReverseProxy()
  proxy.connections.set('10.0.0.1:80', 2)
  expect(await proxy.connectionCount('10.0.0.1', 80)).toBe(2)
})

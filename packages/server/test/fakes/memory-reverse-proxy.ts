import { AdapterError } from '../../src/infra/adapter-error.ts'
import { type LoadedBatch, loadInBatches, refusalOf } from '../../src/infra/reverse-proxy/certificate-source.ts'
import { assertCertificateId, prepareCertificate } from '../../src/infra/reverse-proxy/prepared-certificate.ts'
import type {
  ContainerNetwork,
  DownMember,
  InstancePool,
  LoadCertificate,
  ReverseProxy,
  Route,
  RuleSet,
  ServedCertificate,
  TcpRoute
} from '../../src/infra/reverse-proxy/reverse-proxy.ts'
import { renderMachineTable } from '../../src/infra/reverse-proxy/machine-map.render.ts'
import { renderTcpTable } from '../../src/infra/reverse-proxy/tcp-map.render.ts'
import { renderRuleTable, ruleTableChanges } from '../../src/infra/reverse-proxy/rule-map.render.ts'
import {
  checkPool,
  renderRouteKey,
  renderRouteTable,
  renderRouteValue
} from '../../src/infra/reverse-proxy/route-map.render.ts'

export interface MemoryReverseProxy extends ReverseProxy {
  /** By key, `<host><prefix>/`. */
  readonly routes: Map<string, Route>
  /** By `<address>:<port>`, for connectionCount. */
  readonly connections: Map<string, number>
  /** Sets of domain rules by id. */
  readonly ruleSets: Map<string, RuleSet>
  /** Addresses of other machines. */
  machines: readonly string[]
  /** By number. */
  readonly pools: Map<number, InstancePool>
  /** Published ports and TLS names. */
  tcp: readonly TcpRoute[]
  /** Writable: members of pools that do not answer. */
  down: DownMember[]
  /** Addresses of machines whose requests were ended. */
  ended: string[]
  readonly certificates: Map<string, ServedCertificate>
  /** Makes every call reject with REVERSE_PROXY_UNAVAILABLE. */
  fail: boolean
  find(hostname: string, path: string): Route | undefined
  findCertificate(hostname: string): ServedCertificate | undefined
}

/** Validates routes like the real one; without a network, every unicast address counts as a container. */
export function createMemoryReverseProxy(
  network: ContainerNetwork = { subnet: '0.0.0.0/0', gateway: '0.0.0.0', pools: [], networkPrefix: 27 }
): MemoryReverseProxy {
  const routes = new Map<string, Route>()
  const connections = new Map<string, number>()
  const ruleSets = new Map<string, RuleSet>()
  const pools = new Map<number, InstancePool>()
  const certificates = new Map<string, ServedCertificate>()
  const assertAvailable = () => {
    if (proxy.fail) throw new AdapterError('reverse-proxy-unavailable', 'The reverse proxy does not answer')
  }
  const findByKey = (key: string): Route | undefined => {
    const longest = [...routes.keys()]
      .filter((candidate) => key.startsWith(candidate))
      .sort((a, b) => b.length - a.length)
    return longest[0] === undefined ? undefined : routes.get(longest[0])
  }
  const proxy: MemoryReverseProxy = {
    routes,
    connections,
    ruleSets,
    pools,
    certificates,
    fail: false,
    tcp: [],
    machines: [],
    down: [],
    ended: [],
    find(hostname, path) {
      return findByKey(`${hostname}${path}/`) ?? findByKey(`${hostname.replace(/^[^.]+/, '*')}${path}/`)
    },
    findCertificate(hostname) {
      const naming = (name: string) => [...certificates.values()].find(({ hostnames }) => hostnames.includes(name))
      return naming(hostname) ?? naming(hostname.replace(/^[^.]+/, '*'))
    },
    async ping() {
      assertAvailable()
      return 'memory'
    },
    async syncMachines(addresses) {
      renderMachineTable(addresses)
      assertAvailable()
      const hasChanged = addresses.join() !== proxy.machines.join()
      proxy.machines = addresses
      network = { ...network, machines: new Set(addresses) }
      return hasChanged
    },
    async set(route) {
      const key = renderRouteKey(route.hostname, route.pathPrefix)
      renderRouteValue(route, network)
      assertAvailable()
      routes.set(key, structuredClone(route))
    },
    async remove(hostname, pathPrefix) {
      const key = renderRouteKey(hostname, pathPrefix)
      assertAvailable()
      routes.delete(key)
    },
    async sync(wanted) {
      const before = renderRouteTable([...routes.values()], network)
      const after = renderRouteTable(wanted, network)
      assertAvailable()
      routes.clear()
      for (const route of wanted) routes.set(renderRouteKey(route.hostname, route.pathPrefix), structuredClone(route))
      return before.size !== after.size || [...after].some(([key, value]) => before.get(key) !== value)
    },
    async changeRules(before, after) {
      renderRuleTable(after)
      assertAvailable()
      // As in the real proxy, a set that only changes must be loaded already.
      const changed = new Set(before.map(({ id }) => id).filter((id) => !ruleSets.has(id)))
      for (const { id } of before) ruleSets.delete(id)
      for (const set of after) if (!changed.has(set.id)) ruleSets.set(set.id, structuredClone(set))
    },
    async syncRules(wanted) {
      const before = renderRuleTable([...ruleSets.values()])
      const after = renderRuleTable(wanted)
      assertAvailable()
      ruleSets.clear()
      for (const set of wanted) ruleSets.set(set.id, structuredClone(set))
      return ruleTableChanges(before, after).size > 0
    },
    async setCertificate(certificate) {
      prepareCertificate(certificate)
      assertAvailable()
      certificates.set(certificate.id, structuredClone(certificate))
    },
    async removeCertificate(id) {
      assertCertificateId(id)
      assertAvailable()
      certificates.delete(id)
    },
    async syncCertificates(wanted, load) {
      assertAvailable()
      const fingerprints = new Map(wanted.map(({ id, fingerprint }) => [id, fingerprint]))
      const lacking = [...fingerprints].filter(([id, wants]) => certificates.get(id)?.fingerprint !== wants)
      const before = new Set(certificates.values())
      const loaded = new Map<string, ServedCertificate>()
      const loadAndKeep: LoadCertificate = async (id) => {
        const certificate = await load(id)
        if (certificate) loaded.set(id, structuredClone(certificate))
        return certificate
      }
      const failures: LoadedBatch['failures'] = []
      const ids = lacking.map(([id]) => id)
      for await (const batch of loadInBatches(ids, loadAndKeep)) {
        for (const { id } of batch.prepared) certificates.set(id, loaded.get(id)!)
        for (const id of batch.goneIds) certificates.delete(id)
        failures.push(...batch.failures)
      }
      for (const id of certificates.keys()) if (!fingerprints.has(id)) certificates.delete(id)
      const refusal = refusalOf(failures)
      if (refusal) throw refusal
      return before.size !== certificates.size || [...certificates.values()].some((one) => !before.has(one))
    },
    async setPool(pool) {
      checkPool(pool, network)
      assertAvailable()
      pools.set(pool.number, structuredClone(pool))
    },
    async syncPools(wanted) {
      for (const pool of wanted) checkPool(pool, network)
      assertAvailable()
      const before = JSON.stringify([...pools.values()])
      pools.clear()
      for (const pool of wanted) pools.set(pool.number, structuredClone(pool))
      return before !== JSON.stringify(wanted)
    },
    async listDown({ number }) {
      assertAvailable()
      const isMember = (one: DownMember) =>
        pools.get(number)?.members.some(({ address, port }) => address === one.address && port === one.port) === true
      return proxy.down.filter(isMember)
    },
    async endRequests(address) {
      assertAvailable()
      proxy.ended.push(address)
    },
    async syncTcp(wanted) {
      const before = renderTcpTable(proxy.tcp, network)
      const after = renderTcpTable(wanted, network)
      assertAvailable()
      proxy.tcp = structuredClone(wanted)
      return before.size !== after.size || [...after].some(([key, value]) => before.get(key) !== value)
    },
    async connectionCount(address, port) {
      assertAvailable()
      const isMeant = (key: string) =>
        port === undefined ? key.startsWith(`${address}:`) : key === `${address}:${port}`
      return [...connections].reduce((sum, [key, count]) => sum + (isMeant(key) ? count : 0), 0)
    }
  }
  return proxy
}

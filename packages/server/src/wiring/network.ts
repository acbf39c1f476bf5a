import type { Config } from '../config.ts'
import type { Database } from '../db/database.ts'
import { exchangeNetwork, findNode, updateNode } from '../db/nodes.ts'
import { AdapterError } from '../infra/adapter-error.ts'
import { type ContainerEngine, EngineError } from '../infra/container-engine/container-engine.ts'
import { label } from '../infra/container-engine/labels.ts'
import { listOtherPools } from '../infra/host-firewall/other-panels.ts'
import { ProcessError, type Run } from '../infra/process/process.ts'
import type { ReverseProxy } from '../infra/reverse-proxy/reverse-proxy.ts'
import { formatSubnet, freeSubnets, freeSubnetsIn, parseSubnet, type Subnet } from '../net/ipv4-subnet.ts'
import { lazy } from '../concurrency/lazy.ts'
import { firewallTable, panelNetworkNames } from '../net/network-names.ts'
import { accountNetworkPrefix, type PanelNetwork } from '../net/panel-network.ts'

interface Options {
  db: Database
  engine: ContainerEngine
  config: Pick<Config, 'CONTAINER_POOLS'>
  run: Run
  instanceId: string
  nodeId: string
}

const poolPrefixes = [16, 18, 20]

export function storedNetwork(options: Options): () => Promise<PanelNetwork> {
  const { db, nodeId } = options
  return lazy(async () => {
    try {
      const network = await ensurePanelNetwork(options, await agreeOnPools(options))
      await updateNode(db, nodeId, { network: JSON.stringify(network) })
      return network
    } catch (error) {
      if (!(error instanceof AdapterError && error.kind === 'container-engine-unavailable')) throw error
      const remembered = parse((await findNode(db, nodeId))?.network)
      if (!isWhole(remembered)) throw error
      return remembered
    }
  })
}

/** Stored state: only the pools before the first start, no pools from earlier versions. */
type Remembered = Partial<PanelNetwork> & Pick<PanelNetwork, 'pools'>

const parse = (text: string | null | undefined): Remembered => ({ pools: [], ...(JSON.parse(text ?? '{}') as object) })

const isWhole = (remembered: Remembered): remembered is PanelNetwork => remembered.subnet !== undefined

/** Compare-and-swap, so that concurrent starts agree. Pools once used are kept: networks may be in them. */
async function agreeOnPools(options: Options): Promise<Remembered> {
  const { db, nodeId, config } = options
  for (;;) {
    const read = (await findNode(db, nodeId))?.network ?? null
    const remembered = parse(read)
    const known = [...new Set([...remembered.pools, ...config.CONTAINER_POOLS])]
    if (known.length > 0 && known.length === remembered.pools.length) return remembered
    const pools = known.length > 0 ? known : [await choosePool(options)]
    await exchangeNetwork(db, nodeId, { read, network: JSON.stringify({ ...remembered, pools }) })
  }
}

async function ensurePanelNetwork({ engine, instanceId }: Options, remembered: Remembered): Promise<PanelNetwork> {
  const { pools } = remembered
  const { name, bridge } = panelNetworkNames(instanceId)
  const ensure = (subnet: string) => engine.ensureNetwork(name, { [label.instance]: instanceId }, { bridge, subnet })
  let problem: unknown = new EngineError(`No free subnet for the network ${name} in ${pools.join(', ')}`, 409)
  for (const subnet of await candidatesFor(engine, pools, remembered)) {
    try {
      return { ...(await ensure(subnet)), pools }
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      problem = error
    }
  }
  throw problem
}

/** Prefers the previous subnet: connection strings contain its gateway. */
async function candidatesFor(
  engine: ContainerEngine,
  pools: readonly string[],
  remembered: Remembered
): Promise<string[]> {
  const taken = parseAll(await engine.takenSubnets())
  const free = freeSubnetsIn(parseAll(pools), taken, accountNetworkPrefix)
  const first = Array.from({ length: 8 }, () => free.next().value).flatMap((subnet) => subnet ?? [])
  return [...(isWhole(remembered) ? [remembered.subnet] : []), ...first.map(formatSubnet)]
}

async function choosePool({ engine, run, instanceId }: Options): Promise<string> {
  const others = await listOtherPools({ run, ownTable: firewallTable(instanceId) }).catch((error: unknown) => {
    if (error instanceof ProcessError) return [] // Without a firewall no other panel has published its pools.
    throw error
  })
  const taken = parseAll([...(await engine.takenSubnets()), ...others])
  for (const prefix of poolPrefixes) {
    const { value } = freeSubnets(taken, prefix).next()
    if (value) return formatSubnet(value)
  }
  throw new EngineError(
    'No address range is free for account networks. Set the container networks to an unused range.',
    409
  )
}

const parseAll = (cidrs: readonly string[]): Subnet[] => cidrs.flatMap((cidr) => parseSubnet(cidr) ?? [])

/** The proxy needs the container network, which may not be known yet. */
export function lazyProxy(create: () => Promise<ReverseProxy>): ReverseProxy {
  const get = lazy(() =>
    create().catch((error: unknown) => {
      throw error instanceof AdapterError && error.kind === 'container-engine-unavailable'
        ? new AdapterError('reverse-proxy-unavailable', 'The reverse proxy is waiting for the container engine', {
            cause: error
          })
        : error
    })
  )
  return {
    ping: async () => (await get()).ping(),
    set: async (route) => (await get()).set(route),
    remove: async (hostname, pathPrefix) => (await get()).remove(hostname, pathPrefix),
    sync: async (routes) => (await get()).sync(routes),
    changeRules: async (before, after) => (await get()).changeRules(before, after),
    syncRules: async (sets) => (await get()).syncRules(sets),
    setCertificate: async (certificate) => (await get()).setCertificate(certificate),
    removeCertificate: async (id) => (await get()).removeCertificate(id),
    syncCertificates: async (...args) => (await get()).syncCertificates(...args),
    setPool: async (pool) => (await get()).setPool(pool),
    syncPools: async (pools) => (await get()).syncPools(pools),
    listDown: async (pool) => (await get()).listDown(pool),
    endRequests: async (address) => (await get()).endRequests(address),
    syncTcp: async (routes) => (await get()).syncTcp(routes),
    syncMachines: async (addresses) => (await get()).syncMachines(addresses),
    connectionCount: async (address, port) => (await get()).connectionCount(address, port)
  }
}

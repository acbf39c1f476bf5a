import type { Database } from '../db/database.ts'
import { findNode, updateNode } from '../db/nodes.ts'
import { AdapterError } from '../infra/adapter-error.ts'
import type { ContainerEngine, NetworkState } from '../infra/container-engine/container-engine.ts'
import { label } from '../infra/container-engine/labels.ts'
import type { ReverseProxy } from '../infra/reverse-proxy/reverse-proxy.ts'
import { lazy } from '../lazy.ts'
import { proxyNetworkNames } from '../network-names.ts'

/** Asks the node's engine once, and keeps the answer in the store for when the engine is away. */
export function storedNetwork(
  db: Database,
  engine: ContainerEngine,
  { instanceId, nodeId }: { instanceId: string; nodeId: string }
): () => Promise<NetworkState> {
  return lazy(async () => {
    try {
      const { name, bridge } = proxyNetworkNames(instanceId)
      const state = await engine.ensureNetwork(name, { [label.instance]: instanceId }, { bridge })
      await updateNode(db, nodeId, { network: JSON.stringify(state) })
      return state
    } catch (error) {
      if (!(error instanceof AdapterError)) throw error
      const remembered = (await findNode(db, nodeId))?.network
      if (!remembered) throw error
      return JSON.parse(remembered) as NetworkState
    }
  })
}

/** The proxy is told the containers' network, which may only be known later. */
export function lazyProxy(create: () => Promise<ReverseProxy>): ReverseProxy {
  const get = lazy(() =>
    create().catch((error: unknown) => {
      throw error instanceof AdapterError
        ? new AdapterError('reverse-proxy-unavailable', 'The reverse proxy waits for the container engine', {
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
    setCertificate: async (certificate) => (await get()).setCertificate(certificate),
    removeCertificate: async (id) => (await get()).removeCertificate(id),
    syncCertificates: async (wanted, load) => (await get()).syncCertificates(wanted, load),
    connectionCount: async (address, port) => (await get()).connectionCount(address, port)
  }
}

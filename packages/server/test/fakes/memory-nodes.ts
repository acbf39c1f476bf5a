import { AdapterError } from '../../src/infra/adapter-error.ts'
import type { MachineFacts } from '../../src/infra/node-connection/machine-facts.policy.ts'
import type { MachinePackages } from '../../src/infra/machine-packages/machine-packages.ts'
import type { MachineTunnel, TunnelPeer } from '../../src/infra/machine-tunnel/machine-tunnel.ts'
import type { Edge } from '../../src/infra/reverse-proxy/edge.ts'
import type { NodeAdapters, Nodes } from '../../src/infra/node-connection/nodes.ts'

export interface MemoryTunnel extends MachineTunnel {
  /** Undefined without an interface. */
  peers: readonly TunnelPeer[] | undefined
  missingPackages: string[]
  isSilent: boolean
}

function createMemoryTunnel(id: string): MemoryTunnel {
  const publicKey = `${Buffer.from(id).toString('base64').padEnd(43, 'A').slice(0, 43).replaceAll('=', 'A')}=`
  const tunnel: MemoryTunnel = {
    peers: undefined,
    missingPackages: [],
    isSilent: false,
    async ensure({ peers }) {
      const { missingPackages } = tunnel
      if (missingPackages.length > 0) return { missingPackages }
      const isNew = tunnel.peers === undefined
      tunnel.peers = peers
      return { publicKey, isNew, handshakes: new Map(tunnel.isSilent ? [] : peers.map((peer) => [peer.publicKey, 1])) }
    },
    async remove() {
      tunnel.peers = undefined
    }
  }
  return tunnel
}

const gibibyte = 2 ** 30

export const someFacts: MachineFacts = {
  address: '10.0.0.1',
  system: 'Debian GNU/Linux 12 (bookworm)',
  isDebian: true,
  processors: 4,
  memory: { totalBytes: 8 * gibibyte, usedBytes: 2 * gibibyte },
  disk: { totalBytes: 100 * gibibyte, usedBytes: 10 * gibibyte },
  clockSkewMs: 0,
  link: null,
  nameservers: ['10.0.0.53']
}

type Adapters = Omit<NodeAdapters, 'edge' | 'packages' | 'ping' | 'readFacts' | 'tunnel'>

export interface MemoryEdge extends Edge {
  /** Calls of `follow`; undefined after `remove` and before the first one. */
  follows: number | undefined
  problem: string | undefined
  renewals: number
  /** Addresses of machines whose requests were ended. */
  ended: string[]
}

export interface MemoryNodes extends Nodes {
  /** By id; a machine without an entry cannot be reached. */
  facts: Map<string, MachineFacts>
  forgotten: string[]
  /** Ends of the encrypted network, by id. */
  tunnels: Map<string, MemoryTunnel>
  /** Programs of a machine that has others than the panel's own, by id. */
  adapters: Map<string, Adapters>
  edgeOf(id: string): MemoryEdge
  packages: MemoryPackages
}

/** Of every added machine. */
export interface MemoryPackages extends MachinePackages {
  problem: string | undefined
  upgrades: number
}

function createMemoryPackages(): MemoryPackages {
  const packages: MemoryPackages = {
    problem: undefined,
    upgrades: 0,
    async putPanel() {},
    async upgrade() {
      const { problem: reason } = packages
      if (reason !== undefined) throw new AdapterError('node-unavailable', 'Unavailable', { reason })
      packages.upgrades++
    }
  }
  return packages
}

function createMemoryEdge(): MemoryEdge {
  const edge: MemoryEdge = {
    follows: undefined,
    problem: undefined,
    renewals: 0,
    ended: [],
    async follow() {
      edge.follows = (edge.follows ?? 0) + 1
      return edge.follows === 1
    },
    async ping() {
      if (edge.problem !== undefined)
        throw new AdapterError('reverse-proxy-unavailable', 'Unavailable', { reason: edge.problem })
    },
    connectionCount: async () => 0,
    endRequests: async (address) => void edge.ended.push(address),
    renew: async () => void edge.renewals++,
    async remove() {
      edge.follows = undefined
    }
  }
  return edge
}

export function createMemoryNodes(own: string, ofOwn: Adapters): MemoryNodes {
  const adapters = new Map<string, Adapters>()
  const facts = new Map([[own, someFacts]])
  const forgotten: string[] = []
  const tunnels = new Map<string, MemoryTunnel>()
  const tunnelOf = (id: string): MemoryTunnel => {
    const found = tunnels.get(id) ?? createMemoryTunnel(id)
    tunnels.set(id, found)
    return found
  }
  const packages = createMemoryPackages()
  const edges = new Map<string, MemoryEdge>()
  const edgeOf = (id: string) => edges.get(id) ?? edges.set(id, createMemoryEdge()).get(id)!
  const factsOf = (id: string) => {
    const found = facts.get(id)
    if (!found) throw new AdapterError('node-unavailable', 'Unreachable', { reason: 'Connection refused' })
    return found
  }
  return {
    ownId: own,
    adapters,
    facts,
    forgotten,
    tunnels,
    edgeOf,
    packages,
    forNode: async (id) => {
      factsOf(id)
      return {
        ...(adapters.get(id) ?? ofOwn),
        tunnel: tunnelOf(id),
        edge: id === own ? null : edgeOf(id),
        packages: id === own ? null : packages,
        ping: async () => void factsOf(id),
        readFacts: async () => factsOf(id)
      }
    },
    forget: async (id) => void forgotten.push(id),
    retire: async (id) => {
      await tunnelOf(id).remove()
      forgotten.push(id)
    },
    publicKey: async () =>
      'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ4kV2d1lMBUuVkzVzNqQbI2oXrZ0xYr0W5W0m1d2Qx3 hosting-panel'
  }
}

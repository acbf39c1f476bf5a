import { AdapterError } from '../../src/infra/adapter-error.ts'
import type { MachineFacts } from '../../src/infra/node-connection/machine-facts.policy.ts'
import type { Edge } from '../../src/infra/reverse-proxy/edge.ts'
import type { NodeAdapters, Nodes } from '../../src/infra/node-connection/nodes.ts'

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

type Adapters = Omit<NodeAdapters, 'edge' | 'ping' | 'readFacts'>

export interface MemoryEdge extends Edge {
  /** Calls of `follow`; undefined after `remove` and before the first one. */
  follows: number | undefined
  problem: string | undefined
}

export interface MemoryNodes extends Nodes {
  /** By id; a machine without an entry cannot be reached. */
  facts: Map<string, MachineFacts>
  forgotten: string[]
  /** Programs of a machine that has others than the panel's own, by id. */
  adapters: Map<string, Adapters>
  edgeOf(id: string): MemoryEdge
}

function createMemoryEdge(): MemoryEdge {
  const edge: MemoryEdge = {
    follows: undefined,
    problem: undefined,
    async follow() {
      edge.follows = (edge.follows ?? 0) + 1
      return edge.follows === 1
    },
    async ping() {
      if (edge.problem !== undefined)
        throw new AdapterError('reverse-proxy-unavailable', 'Unavailable', { reason: edge.problem })
    },
    connectionCount: async () => 0,
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
    edgeOf,
    forNode: async (id) => {
      factsOf(id)
      return {
        ...(adapters.get(id) ?? ofOwn),
        edge: id === own ? null : edgeOf(id),
        ping: async () => void factsOf(id),
        readFacts: async () => factsOf(id)
      }
    },
    forget: async (id) => void forgotten.push(id),
    publicKey: async () =>
      'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ4kV2d1lMBUuVkzVzNqQbI2oXrZ0xYr0W5W0m1d2Qx3 hosting-panel'
  }
}

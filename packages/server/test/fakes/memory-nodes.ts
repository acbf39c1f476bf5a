import { AdapterError } from '../../src/infra/adapter-error.ts'
import type { MachineFacts } from '../../src/infra/node-connection/machine-facts.policy.ts'
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

type Adapters = Omit<NodeAdapters, 'ping' | 'readFacts'>

export interface MemoryNodes extends Nodes {
  /** By id; a machine without an entry cannot be reached. */
  facts: Map<string, MachineFacts>
  forgotten: string[]
  /** Programs of a machine that has others than the panel's own, by id. */
  adapters: Map<string, Adapters>
}

export function createMemoryNodes(own: string, ofOwn: Adapters): MemoryNodes {
  const adapters = new Map<string, Adapters>()
  const facts = new Map([[own, someFacts]])
  const forgotten: string[] = []
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
    forNode: async (id) => {
      factsOf(id)
      return {
        ...(adapters.get(id) ?? ofOwn),
        ping: async () => void factsOf(id),
        readFacts: async () => factsOf(id)
      }
    },
    forget: async (id) => void forgotten.push(id),
    publicKey: async () =>
      'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ4kV2d1lMBUuVkzVzNqQbI2oXrZ0xYr0W5W0m1d2Qx3 hosting-panel'
  }
}

import type { Endpoint } from '../../src/infra/container-engine/container-engine.ts'
import type { WakeGate } from '../../src/infra/wake-gate/wake-gate.ts'

export interface MemoryWakeGate extends WakeGate {
  /** A request for the container at the endpoint; resolves when it may go there. */
  knock(endpoint: Endpoint): Promise<void>
}

export function createMemoryWakeGate(): MemoryWakeGate {
  let opened: ((endpoint: Endpoint) => Promise<void>) | undefined
  return {
    open(wake) {
      opened = wake
      return { close: async () => void (opened = undefined) }
    },
    async knock(endpoint) {
      await opened?.(endpoint)
    }
  }
}

import type { Endpoint } from '../container-engine/container-engine.ts'

/** Where the proxy asks for a sleeping site before it sends a request there. */
export interface WakeGate {
  /**
   * Calls `wake` with the address and port of the container that a request is for, once per request, and holds the
   * request until that settles. Only one process of a machine is asked; another takes over when it ends.
   */
  open(wake: (endpoint: Endpoint) => Promise<void>): { close(): Promise<void> }
}

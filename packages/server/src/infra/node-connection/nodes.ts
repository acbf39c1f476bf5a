import type { ContainerEngine } from '../container-engine/container-engine.ts'
import type { FileStore } from '../file-store/file-store.ts'
import type { HostFirewall } from '../host-firewall/host-firewall.ts'
import type { HostHelper } from '../host-helper/host-helper.ts'
import type { HostsFiles } from '../hosts-files/hosts-files.ts'
import type { MachinePackages } from '../machine-packages/machine-packages.ts'
import type { MachineTunnel } from '../machine-tunnel/machine-tunnel.ts'
import type { Edge } from '../reverse-proxy/edge.ts'
import type { MachineFacts } from './machine-facts.policy.ts'
import type { SshTarget } from './ssh-arguments.policy.ts'

/** The programs of one machine. */
export interface NodeAdapters {
  /** Builds run on the panel's own machine: on another one, `buildImage` rejects with AdapterError node-unavailable. */
  engine: ContainerEngine
  fileStore: FileStore
  hostFirewall: HostFirewall
  hostHelper: HostHelper
  hostsFiles: HostsFiles
  tunnel: MachineTunnel
  /** Null on the panel's own machine, whose proxy it follows. */
  edge: Edge | null
  /** Null on the panel's own machine, which is upgraded with the panel. */
  packages: MachinePackages | null
  /** Rejects with AdapterError node-unavailable if the machine does not answer in time. */
  ping(timeoutMs: number): Promise<void>
  readFacts(): Promise<MachineFacts>
}

/** Adapters by machine. Features take them by the id of a row of `nodes` and know no socket. */
export interface Nodes {
  /** Of the machine that runs the panel. */
  readonly ownId: string
  /** Rejects with AdapterError node-unavailable if the machine is not in the store. Does not connect yet. */
  forNode(id: string): Promise<NodeAdapters>
  /** Closes the connection to a machine that was removed or has another address. */
  forget(id: string): Promise<void>
  /** Removes the encrypted network and the firewall rules from a machine whose row is gone, and closes the connection. */
  retire(id: string, target: SshTarget): Promise<void>
  /** Public key with which the panel signs in to other machines. */
  publicKey(): Promise<string>
}

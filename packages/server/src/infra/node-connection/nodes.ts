import type { ContainerEngine } from '../container-engine/container-engine.ts'
import type { FileStore } from '../file-store/file-store.ts'
import type { HostHelper } from '../host-helper/host-helper.ts'
import type { MachineFacts } from './machine-facts.policy.ts'

/** The programs of one machine. */
export interface NodeAdapters {
  engine: NodeEngine
  hostHelper: HostHelper
  fileStore: FileStore
  readFacts(): Promise<MachineFacts>
}

/**
 * What works on every machine. Builds, terminals and the cgroups of accounts need the kernel that the panel runs on, and
 * are those of `engine` alone.
 */
export type NodeEngine = Omit<
  ContainerEngine,
  | 'buildImage'
  | 'cageAccounts'
  | 'countContainerFiles'
  | 'createTerminal'
  | 'endTerminal'
  | 'execute'
  | 'resizeTerminal'
  | 'startTerminal'
>

/** Adapters by machine. Features take them by the id of a row of `nodes` and know no socket. */
export interface Nodes {
  /** Rejects with AdapterError node-unavailable if the machine is not in the store. Does not connect yet. */
  forNode(id: string): Promise<NodeAdapters>
  /** Closes the connection to a machine that was removed or has another address. */
  forget(id: string): Promise<void>
  /** Public key with which the panel signs in to other machines. */
  publicKey(): Promise<string>
}

/** The other end of the encrypted network between the panel's machine and another. */
export interface TunnelPeer {
  publicKey: string
  /** Of the other end, in the encrypted network. */
  address: string
  /** Of this end. */
  ownAddress: string
  /** Where it listens, `192.0.2.1:51820`. Without, it is known from its first packet. */
  endpoint?: string | undefined
}

export interface TunnelSettings {
  /** UDP port of this end. */
  port: number
  /** All of them; no other reaches this machine through it. */
  peers: readonly TunnelPeer[]
  /** Public keys of peers that lost their state: a new session is made at once, not after two minutes. */
  renew?: readonly string[]
}

export interface TunnelState {
  publicKey: string
  /** Whether the interface was not there before. */
  isNew: boolean
  /** Seconds since the last handshake, by public key. Without those that never had one. */
  handshakes: ReadonlyMap<string, number>
}

/** One end of the encrypted network. Its private key is made on its machine and never leaves it. */
export interface MachineTunnel {
  /** Makes the interface what it should be, and keeps its sessions. Rejects with AdapterError node-unavailable. */
  ensure(settings: TunnelSettings): Promise<TunnelState | { missingPackages: readonly string[] }>
  /** Removes the interface and its key. */
  remove(): Promise<void>
}

export interface ServerBan {
  /** An IPv4 address, or the /64 of an IPv6 address. */
  address: string
  /** Null: until it is removed. */
  seconds: number | null
}

/**
 * Addresses that cannot open connections to this server or to the ports that containers publish. The packet filter ends
 * a ban on its own when its time has ended. Without bans there is no table. Rejects with AdapterError `firewall-unavailable`.
 */
export interface ServerBans {
  /** Runs one change at a time on this machine, also across processes, so that rows and packet filter stay in step. */
  exclusively<T>(work: () => Promise<T>): Promise<T>
  /** Replaces all bans, in one transaction. */
  apply(bans: readonly ServerBan[]): Promise<void>
  /** Adds bans, in one transaction. One that exists gets the new time. */
  add(bans: readonly ServerBan[]): Promise<void>
}

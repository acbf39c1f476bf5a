/** A database and its only user. Names match `^[a-zA-Z0-9_]{1,63}$`. */
export interface DatabaseAccount {
  database: string
  username: string
  password: string
}

/** Host name or IP address, and TCP port, of an engine. */
export interface DatabaseAddress {
  host: string
  port: number
}

/** `host:port` as in a URI: an IPv6 address gets brackets. */
export const hostAndPort = ({ host, port }: DatabaseAddress): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`

/**
 * A database engine. Every call has its own timeout and rejects with AdapterError database-server-unavailable (with a
 * reason) when the engine cannot be reached. All calls are idempotent.
 */
export interface DatabaseServer {
  /** Engine and version, for example "PostgreSQL 15.14" or "MariaDB 10.11.19". */
  ping(): Promise<string>
  /**
   * Addresses for containers whose network has this gateway (called only if needed), and for programs on this machine.
   */
  addresses(gateway: () => Promise<string>): Promise<{ internal: DatabaseAddress; host: DatabaseAddress }>
  /** Maximum length of a username. */
  readonly maxUsernameLength: number
  /**
   * Creates user and database; the user has all privileges on it and none elsewhere. Resumes an interrupted call.
   * Rejects with AdapterError database-name-exists, having changed nothing, if a database of that name belongs to
   * someone else.
   */
  provision(account: DatabaseAccount): Promise<void>
  setPassword(account: Pick<DatabaseAccount, 'username' | 'password'>): Promise<void>
  /** Applies the current connection limits to accounts created by an earlier version. */
  limitAccounts(usernames: readonly string[]): Promise<void>
  /**
   * Closes connections and drops database and user; resolves if they are already gone. Never drops a database that
   * belongs to another user. With `onlyIfEmpty` (undoing a provision), a database with content and its user stay.
   */
  drop(account: Pick<DatabaseAccount, 'database' | 'username'>, options?: { onlyIfEmpty?: boolean }): Promise<void>
  /**
   * Connects as the user from this machine and runs one query. Rejects with database-refused when the engine responds
   * and refuses.
   */
  test(account: DatabaseAccount): Promise<{ latencyMs: number; serverVersion: string }>
  /** Size in bytes per database; missing databases are left out. Cost grows with this list only. */
  sizes(databases: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** Open client connections, not counting this one. */
  countConnections(): Promise<number>
}

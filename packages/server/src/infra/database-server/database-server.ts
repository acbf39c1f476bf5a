/** A database and its only user. Names match `^[a-zA-Z0-9_]{1,63}$`. */
export interface DatabaseAccount {
  database: string
  username: string
  password: string
}

export interface DatabaseAddress {
  host: string
  port: number
}

export const hostAndPort = ({ host, port }: DatabaseAddress): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`

/** Every call has a timeout, is idempotent and rejects with AdapterError database-server-unavailable. */
export interface DatabaseServer {
  ping(): Promise<string>
  /** For containers whose network has this gateway, and for programs on this machine. */
  addresses(gateway: () => Promise<string>): Promise<{ internal: DatabaseAddress; host: DatabaseAddress }>
  readonly maxUsernameLength: number
  /** Idempotent. Rejects with database-name-exists if a database of that name belongs to another user. */
  provision(account: DatabaseAccount): Promise<void>
  setPassword(account: Pick<DatabaseAccount, 'username' | 'password'>): Promise<void>
  /** Applies the current connection limits to accounts created by an earlier version. */
  limitAccounts(usernames: readonly string[]): Promise<void>
  /** Idempotent. Never drops another user's database; with `onlyIfEmpty`, none with content. */
  drop(account: Pick<DatabaseAccount, 'database' | 'username'>, options?: { onlyIfEmpty?: boolean }): Promise<void>
  test(account: DatabaseAccount): Promise<{ latencyMs: number; serverVersion: string }>
  /** Size in bytes per database; missing databases are omitted. Cost grows with this list only. */
  sizes(databases: readonly string[]): Promise<ReadonlyMap<string, number>>
  countConnections(): Promise<number>
}

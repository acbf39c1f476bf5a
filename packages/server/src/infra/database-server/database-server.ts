/** A database and the one account that may use it. Names match `^[a-zA-Z0-9_]{1,63}$`. */
export interface DatabaseAccount {
  database: string
  username: string
  password: string
}

/** Where programs reach an engine: a host name or an IP address, and a TCP port. */
export interface DatabaseAddress {
  host: string
  port: number
}

/** As a URI has it: an IPv6 address in brackets. */
export const hostAndPort = ({ host, port }: DatabaseAddress): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`

/**
 * A database engine in our words. Every call has a time limit of its own and rejects with AdapterError database-server-unavailable, with the
 * reason in a sentence, when the engine cannot be reached or does not answer. All calls are safe to repeat.
 */
export interface DatabaseServer {
  /** Version of the engine, as a person words it: "PostgreSQL 15.14", "MariaDB 10.11.19". */
  ping(): Promise<string>
  /** How containers reach it whose network has this gateway, which is asked for where it matters; and how programs on this machine do. */
  addresses(gateway: () => Promise<string>): Promise<{ internal: DatabaseAddress; host: DatabaseAddress }>
  /** Characters that the name of an account may have. */
  readonly maxUsernameLength: number
  /**
   * Makes the account and the database, of which the account may do everything but reach beyond it. Repeating it after a cut-off one goes
   * on. Rejects with AdapterError database-name-exists, having changed nothing that was there, when the engine has a database of that name
   * that is not the account's.
   */
  provision(account: DatabaseAccount): Promise<void>
  setPassword(account: Pick<DatabaseAccount, 'username' | 'password'>): Promise<void>
  /** Gives those of these accounts that have other limits, of an earlier version, those that a new one gets. */
  limitAccounts(usernames: readonly string[]): Promise<void>
  /**
   * Ends the open connections and removes database and account; resolves also when they are gone. A database that is not the account's
   * stays. With `onlyIfEmpty`, for taking back what was never given out, one with anything in it stays too, with its account.
   */
  drop(account: Pick<DatabaseAccount, 'database' | 'username'>, options?: { onlyIfEmpty?: boolean }): Promise<void>
  /**
   * Connects as the account, as a program on this machine does, and asks one question. Rejects with database-refused when the engine
   * answers and refuses.
   */
  test(account: DatabaseAccount): Promise<{ latencyMs: number; serverVersion: string }>
  /** Bytes that these databases take; those that are not there are left out. Grows with the list alone. */
  sizes(databases: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** Connections of clients that are open just now, without the one that asks. */
  countConnections(): Promise<number>
}

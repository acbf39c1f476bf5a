export interface DatabaseServerOptions {
  /** An account that may make databases and accounts: `postgresql://…` or `mysql://user:password@host:port/`. */
  adminUrl: string
  /** How containers reach the engine, given the gateway of their network; asked for each time. */
  internalHost: (gateway: () => Promise<string>) => Promise<string>
  /** Milliseconds that a question may take, connecting included. */
  questionTimeoutMs?: number
  /** Milliseconds that a change may take: a new database is a copy of files, the end of one waits for the disk. */
  changeTimeoutMs?: number
}

export const defaultTimeouts = { questionTimeoutMs: 5_000, changeTimeoutMs: 20_000 }

/**
 * Of one account at a time; an engine of the panel's own has 300 for all. A WordPress has 8 workers, a Node.js process a pool of 10; while a
 * deployment is replaced there are twice as many, and Adminer comes beside them.
 */
export const connectionLimit = 40

export interface DatabaseServerOptions {
  /** An account that may create databases and users: `postgresql://…` or `mysql://user:password@host:port/`. */
  adminUrl: string
  /** The host at which containers reach the engine, given the gateway of their network; called each time. */
  internalHost: (gateway: () => Promise<string>) => Promise<string>
  /** Timeout for queries, connecting included. */
  questionTimeoutMs?: number
  /** Timeout for changes: creating a database copies files, dropping one waits for the disk. */
  changeTimeoutMs?: number
}

export const defaultTimeouts = { questionTimeoutMs: 5_000, changeTimeoutMs: 20_000 }

/**
 * Per account; the panel's own engines allow 300 in total. WordPress has 8 workers and a Node.js process a pool of 10;
 * both double during a deployment, and Adminer needs some too.
 */
export const connectionLimit = 40

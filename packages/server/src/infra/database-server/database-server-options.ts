export interface DatabaseServerOptions {
  /** An account that may create databases and users: `postgresql://…` or `mysql://user:password@host:port/`. */
  adminUrl: string
  /** The host at which containers reach the engine, given the gateway of their network; called each time. */
  internalHost: (gateway: () => Promise<string>) => Promise<string>
  queryTimeoutMs?: number
  /** Timeout for changes: creating a database copies files, dropping one waits for the disk. */
  changeTimeoutMs?: number
}

export const defaultTimeouts = { queryTimeoutMs: 5_000, changeTimeoutMs: 20_000 }

/** Per account, of 300. WordPress has 8 workers, a Node.js process a pool of 10; both double during a deployment. */
export const connectionLimit = 40

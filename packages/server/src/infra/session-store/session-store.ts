/** Key-value store for small values with a TTL: in memory or in Redis. */
export interface SessionStore {
  get(key: string): Promise<string | undefined>
  set(key: string, value: string, ttlSeconds: number): Promise<void>
  /** Sets the value only if the key is absent; resolves with whether it did. */
  add(key: string, value: string, ttlSeconds: number): Promise<boolean>
  /** Atomic get and delete: only one caller gets the value. */
  take(key: string): Promise<string | undefined>
  /** Atomic counter starting at 1. The TTL starts with the first call. */
  increment(key: string, ttlSeconds: number): Promise<number>
  delete(...keys: string[]): Promise<void>
  ping(): Promise<void>
  close(): Promise<void>
}

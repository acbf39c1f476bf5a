/** Small values under a key with a time to live: in memory, of this process or of Redis. */
export interface SessionStore {
  get(key: string): Promise<string | undefined>
  set(key: string, value: string, ttlSeconds: number): Promise<void>
  /** Sets only if the key is absent; resolves with whether it did. */
  add(key: string, value: string, ttlSeconds: number): Promise<boolean>
  /** Reads and deletes in one step: of two callers one gets the value. */
  take(key: string): Promise<string | undefined>
  /** Counts up from 1 in one step: of two callers each gets a number of its own. The time to live starts with the first. */
  increment(key: string, ttlSeconds: number): Promise<number>
  delete(...keys: string[]): Promise<void>
  ping(): Promise<void>
  close(): Promise<void>
}

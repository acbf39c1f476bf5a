export interface AccountDisk {
  /** Whether user quotas are on and can be set, so that the file system enforces limits. */
  isLimited(): Promise<boolean>
  /** Whether `measure` covers all of an account's files on that directory's file system, also its containers'. */
  covers(directory: string): Promise<boolean>
  measure(uids: readonly number[]): Promise<ReadonlyMap<number, number>>
  /** Sets limits in bytes; null removes a limit. Does nothing without quotas. */
  limit(limits: ReadonlyMap<number, number | null>): Promise<void>
}

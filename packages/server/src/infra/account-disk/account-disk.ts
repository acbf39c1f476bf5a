/** What accounts have below PROJECTS_DIR, by the uid that all of an account's files have. */
export interface AccountDisk {
  /** Whether the file system itself bounds each account: it has quotas of users that are on, and we may set them. */
  isLimited(): Promise<boolean>
  /** Whether what is measured here has all of an account on that directory's file system, so also what its containers have written there. */
  covers(directory: string): Promise<boolean>
  /** Bytes of each of these accounts. */
  measure(uids: readonly number[]): Promise<ReadonlyMap<number, number>>
  /** Bytes that each may have from now on; null for as much as there is. Nothing where the file system has no limits. */
  limit(limits: ReadonlyMap<number, number | null>): Promise<void>
}

import type { AccountDisk } from '../../src/infra/account-disk/account-disk.ts'

export interface MemoryAccountDisk extends AccountDisk {
  /** Bytes by uid, set by tests. */
  readonly used: Map<number, number>
  /** Undefined if the file system has no quotas. */
  limits: Map<number, number | null> | undefined
}

export function createMemoryAccountDisk(): MemoryAccountDisk {
  const disk: MemoryAccountDisk = {
    used: new Map(),
    limits: undefined,
    isLimited: async () => disk.limits !== undefined,
    covers: async () => disk.limits !== undefined,
    measure: async (uids) => new Map(uids.map((uid) => [uid, disk.used.get(uid) ?? 0])),
    async limit(limits) {
      for (const [uid, bytes] of limits) disk.limits?.set(uid, bytes)
    }
  }
  return disk
}

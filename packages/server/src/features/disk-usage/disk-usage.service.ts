import { type DiskUsage, diskUsageKinds } from '@panel/contract/disk-usage'
import type { Dependencies } from '../../dependencies.ts'
import { getVisibleAccount } from '../users/account-access.ts'
import { limitBytesOf } from './disk-usage.policy.ts'
import { listUsage } from './disk-usage.repository.ts'

/** What an account has on the disk by kind: its own, or one that the caller may see. */
export async function diskUsageOf(
  { accountDisk, db }: Pick<Dependencies, 'accountDisk' | 'db'>,
  actorId: string,
  userId: string
): Promise<DiskUsage> {
  const { diskOverSince, maxDiskMb } = await getVisibleAccount(db, actorId, userId)
  const rows = await listUsage(db, [userId])
  const kinds = diskUsageKinds.map((kind) => {
    const row = rows.find((each) => each.kind === kind)
    return { kind, bytes: row?.bytes ?? 0, measuredAt: row?.measuredAt.toISOString() ?? null }
  })
  return {
    limitBytes: limitBytesOf(maxDiskMb),
    usedBytes: kinds.reduce((sum, { bytes }) => sum + bytes, 0),
    overSince: diskOverSince?.toISOString() ?? null,
    isHardLimit: await accountDisk.isLimited(),
    kinds
  }
}

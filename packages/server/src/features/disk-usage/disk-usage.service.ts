import { type DiskUsage, type DiskUsageDay, diskUsageKinds } from '@panel/contract/disk-usage'
import type { Dependencies } from '../../dependencies.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import { getVisibleAccount } from '../users/account-access.ts'
import { limitBytesOf } from './disk-usage.policy.ts'
import { listDays } from './disk-usage-history.repository.ts'
import { listUsage } from './disk-usage.repository.ts'

const isLimited = workerVerb('diskUsage.isLimited', [], ({ accountDisk }: Pick<Dependencies, 'accountDisk'>) =>
  accountDisk.isLimited()
)

export async function diskUsageOf(
  deps: Pick<Dependencies, 'accountDisk' | 'config' | 'db' | 'features' | 'worker'>,
  actorId: string,
  userId: string
): Promise<DiskUsage> {
  const { diskOverSince, maxDiskMb } = await getVisibleAccount(deps.db, actorId, userId)
  const rows = await listUsage(deps.db, [userId])
  const kinds = diskUsageKinds.map((kind) => {
    const row = rows.find((each) => each.kind === kind)
    return { kind, bytes: row?.bytes ?? 0, measuredAt: row?.measuredAt.toISOString() ?? null }
  })
  const near = await Promise.all(deps.features.map(({ diskUsage }) => diskUsage?.listNearLimit?.(deps, userId)))
  return {
    limitBytes: limitBytesOf(maxDiskMb),
    usedBytes: kinds.reduce((sum, { bytes }) => sum + bytes, 0),
    overSince: diskOverSince?.toISOString() ?? null,
    isHardLimit: await isLimited(deps),
    kinds,
    containersNearLimit: near.flatMap((each) => each ?? [])
  }
}

/** Days without a measurement are missing. Oldest first. */
export async function diskUsageHistoryOf(
  { db, now }: Pick<Dependencies, 'db' | 'now'>,
  actorId: string,
  userId: string,
  days: number
): Promise<DiskUsageDay[]> {
  await getVisibleAccount(db, actorId, userId)
  const byDay = new Map<string, DiskUsageDay>()
  for (const { day, kind, bytes } of await listDays(db, userId, now(), days)) {
    const found = byDay.get(day) ?? { day, usedBytes: 0, kinds: [] }
    found.kinds.push({ kind, bytes })
    found.usedBytes += bytes
    byDay.set(day, found)
  }
  return [...byDay.values()]
}

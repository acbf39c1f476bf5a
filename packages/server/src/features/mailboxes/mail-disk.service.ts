import type { Dependencies } from '../../dependencies.ts'
import type { MeasuredAccount } from '../feature.ts'
import { addressOf } from './mail-address.policy.ts'
import { listMailOf } from './mailboxes.repository.ts'

const batch = 500

export async function measureMail(
  { db, mailServer }: Pick<Dependencies, 'db' | 'mailServer'>,
  accounts: readonly MeasuredAccount[]
): Promise<Map<string, number>> {
  const userIds = accounts.map(({ id }) => id)
  const bytes = new Map<string, number>()
  const add = (userId: string, more: number) => bytes.set(userId, (bytes.get(userId) ?? 0) + more)
  for (let after = ''; ;) {
    const rows = await listMailOf(db, userIds, after, batch)
    const [kept, live] = [rows.filter((row) => row.keptAt !== null), rows.filter((row) => row.deletedAt === null)]
    if (live.length > 0) {
      const usage = await mailServer.readUsage(live.map(addressOf))
      for (const row of live) add(row.userId, usage.get(addressOf(row))?.bytes ?? 0)
    }
    if (kept.length > 0) {
      const sizes = await mailServer.readKept(kept.map(({ id }) => id))
      for (const { id, userId } of kept) add(userId, sizes.get(id) ?? 0)
    }
    if (rows.length < batch) return bytes
    after = rows.at(-1)!.id
  }
}

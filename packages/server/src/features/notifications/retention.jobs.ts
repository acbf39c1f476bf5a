import type { Dependencies } from '../../dependencies.ts'
import { deleteOldDeliveries, deleteSurplusDeliveries, forgetSubjects } from './deliveries.repository.ts'
import { deleteOldNotifications, deleteSurplusNotifications } from './notifications.repository.ts'

const batch = 500
const keptMs = 90 * 24 * 3_600_000
const perAccount = 1_000

export async function cleanUpNotifications({ db, now }: Pick<Dependencies, 'db' | 'now'>): Promise<void> {
  const before = new Date(now().getTime() - keptMs)
  while ((await deleteOldNotifications(db, before, batch)) === batch);
  while ((await deleteOldDeliveries(db, before, batch)) === batch);
  while ((await deleteSurplusDeliveries(db, perAccount, batch)) === batch);
  await forgetSubjects(db, before)
  await deleteSurplusNotifications(db, perAccount)
}

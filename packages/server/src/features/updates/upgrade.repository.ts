import { z } from 'zod'
import type { Queryable } from '../../db/database.ts'
import { findSetting, saveSetting } from '../../db/settings.ts'
import type { UpgradePreparation } from './upgrade.policy.ts'

const preparationKey = 'upgrade:preparation'
const reportedKey = 'upgrade:reported'

const Stored = z.object({
  from: z.string(),
  startedAt: z.string(),
  endedAt: z.string().optional(),
  problem: z.string().optional()
})

export async function findPreparation(db: Queryable): Promise<UpgradePreparation | undefined> {
  const text = await findSetting(db, preparationKey)
  return text === undefined ? undefined : Stored.parse(JSON.parse(text))
}

export const savePreparation = (db: Queryable, preparation: UpgradePreparation): Promise<void> =>
  saveSetting(db, preparationKey, JSON.stringify(preparation))

/** Id of the last upgrade whose end was audited and notified. */
export const findReportedUpgrade = (db: Queryable): Promise<string | undefined> => findSetting(db, reportedKey)

export const saveReportedUpgrade = (db: Queryable, id: string): Promise<void> => saveSetting(db, reportedKey, id)

import type { Dependencies } from '../../dependencies.ts'
import { deleteOldTests, failLostTests } from './delivery-tests.repository.ts'

const lostAfterMs = 5 * 60_000
const keptMs = 7 * 24 * 3_600_000

export async function cleanUpTests({ db, now }: Dependencies): Promise<void> {
  const at = now()
  await failLostTests(db, new Date(at.getTime() - lostAfterMs), at)
  await deleteOldTests(db, new Date(at.getTime() - keptMs))
}

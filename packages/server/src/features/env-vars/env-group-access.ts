import type { Queryable } from '../../db/database.ts'
import { AppError } from '../../errors.ts'
import { type EnvGroupRow, findEnvGroup } from './env-groups.repository.ts'

/** NOT_FOUND for groups of other accounts. */
export async function getOwnEnvGroup(db: Queryable, id: string, userId: string): Promise<EnvGroupRow> {
  const row = await findEnvGroup(db, id, userId)
  if (!row) throw new AppError('NOT_FOUND', 'Group not found')
  return row
}

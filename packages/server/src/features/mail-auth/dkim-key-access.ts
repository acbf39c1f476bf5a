import type { Queryable } from '../../db/database.ts'
import { AppError } from '../../errors.ts'
import { getOwnDomain } from '../domains/domain-access.ts'
import { type DkimKeyRow, findKey } from './mail-auth.repository.ts'

/** Rejects with NOT_FOUND for keys of other domains and domains of other accounts. */
export async function getOwnKey(db: Queryable, domainId: string, id: string, userId: string): Promise<DkimKeyRow> {
  await getOwnDomain(db, domainId, userId)
  const key = await findKey(db, domainId, id)
  if (!key) throw new AppError('NOT_FOUND', 'DKIM key not found')
  return key
}

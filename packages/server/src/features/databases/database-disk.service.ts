import { databaseTypes } from '@panel/contract/databases'
import type { Dependencies } from '../../dependencies.ts'
import type { MeasuredAccount } from '../feature.ts'
import { listDatabaseNames } from './databases.repository.ts'

export async function measureDatabases(
  { databaseServers, db }: Pick<Dependencies, 'databaseServers' | 'db'>,
  accounts: readonly MeasuredAccount[]
): Promise<Map<string, number>> {
  const rows = await listDatabaseNames(
    db,
    accounts.map(({ id }) => id)
  )
  const bytes = new Map<string, number>()
  for (const type of databaseTypes) {
    const ofType = rows.filter((row) => row.type === type)
    if (ofType.length === 0) continue
    const sizes = await databaseServers[type].sizes(ofType.map(({ name }) => name))
    for (const { name, userId } of ofType) bytes.set(userId, (bytes.get(userId) ?? 0) + (sizes.get(name) ?? 0))
  }
  return bytes
}

import { databaseFields } from '@panel/contract/databases'
import type { Queryable } from '../../db/database.ts'
import type { ValueDependencies, ValueSource } from '../feature.ts'
import { settleGateway } from '../networks/networks.service.ts'
import { connectionUri } from './connection.policy.ts'
import { type DatabaseRow, listLinkedDatabases } from './databases.repository.ts'
import { openAccount } from './linked-project.service.ts'

/** The databases that are linked to each project, as variables refer to them: `${{shop.url}}`. */
export async function referenceValues(
  db: Queryable,
  projectIds: readonly string[]
): Promise<ReadonlyMap<string, ValueSource[]>> {
  const rows = await listLinkedDatabases(db, projectIds)
  return new Map(projectIds.map((id) => [id, rows.filter(({ projectId }) => projectId === id).map(sourceOf)]))
}

const sourceOf = (row: DatabaseRow): ValueSource => ({
  name: row.name,
  fields: databaseFields,
  read: (deps) => readValues(deps, row),
  secrets: (secretBox) => [{ key: 'DB_PASSWORD', value: openAccount({ secretBox }, row).password ?? '' }]
})

async function readValues(
  deps: ValueDependencies,
  row: DatabaseRow
): Promise<Record<(typeof databaseFields)[number], { value: string; sensitive: boolean }>> {
  const { internal } = await deps.databaseServers[row.type].addresses(() => settleGateway(deps, row.userId))
  const account = openAccount(deps, row)
  const plain = (value: string) => ({ value, sensitive: false })
  return {
    url: { value: connectionUri(row.type, account, internal), sensitive: true },
    host: plain(internal.host),
    port: plain(String(internal.port)),
    name: plain(account.database),
    user: plain(account.username),
    password: { value: account.password ?? '', sensitive: true },
    type: plain(row.type)
  }
}

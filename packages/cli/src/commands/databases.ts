import { unwrap } from '@panel/client'
import type { SignedInCall } from '../context.ts'
import { allPages, projectNames } from '../projects.ts'
import { table } from '../table.ts'

export async function databases({ client, print }: SignedInCall): Promise<void> {
  const all = await allPages(async (page) => {
    const list = await unwrap(client.GET('/api/databases', { params: { query: { page, limit: 100 } } }))
    return { items: list.databases, totalPages: list.pagination.totalPages }
  })
  const nameOf = await projectNames(client)
  const rows = all.map(({ name, type, username, projectId, sizeBytes }) => [
    ...[name, type, username, nameOf(projectId), sizeBytes === null ? null : `${(sizeBytes / 1e6).toFixed(1)} MB`]
  ])
  print(all, table(['NAME', 'TYPE', 'USER', 'PROJECT', 'SIZE'], rows))
}

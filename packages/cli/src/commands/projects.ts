import { unwrap } from '@panel/client'
import type { SignedInCall } from '../context.ts'
import { allPages } from '../projects.ts'
import { table } from '../table.ts'

export async function projects({ client, print }: SignedInCall): Promise<void> {
  const all = await allPages(async (page) => {
    const list = await unwrap(client.GET('/api/projects', { params: { query: { page, limit: 100 } } }))
    return { items: list.projects, totalPages: list.pagination.totalPages }
  })
  const rows = all.map(({ name, type, status, containerStatus, deployedDomain }) => [
    ...[name, type, status, containerStatus, deployedDomain]
  ])
  print(all, table(['NAME', 'TYPE', 'STATUS', 'CONTAINER', 'SERVED AT'], rows))
}

import type { SignedInCall } from '../context.ts'
import { allProjects } from '../projects.ts'
import { table } from '../table.ts'

export async function projects({ client, print }: SignedInCall): Promise<void> {
  const all = await allProjects(client)
  const rows = all.map(({ name, type, status, containerStatus, deployedDomain }) => [
    ...[name, type, status, containerStatus, deployedDomain]
  ])
  print(all, table(['NAME', 'TYPE', 'STATUS', 'CONTAINER', 'SERVED AT'], rows))
}

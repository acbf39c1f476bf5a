import { machineRoles } from '@panel/contract/machines'
import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import type { Queryable } from './database.ts'
import { AdapterError } from '../infra/adapter-error.ts'
import { nodes } from './schema/nodes.ts'

/** The row of a machine on which everything runs. */
export async function ensureNode(db: Queryable, id: string, name = 'local'): Promise<void> {
  await db
    .insert(nodes)
    .values({ id, name, roles: [...machineRoles] })
    .onConflictDoNothing({ target: nodes.id })
}

export async function findNode(db: Queryable, id: string): Promise<typeof nodes.$inferSelect | undefined> {
  const [row] = await db.select().from(nodes).where(eq(nodes.id, id))
  return row
}

/** Where other machines publish the ports of their containers, by id. Without those that were never reached. */
export async function listMachineAddresses(db: Queryable): Promise<ReadonlyMap<string, string>> {
  const columns = { id: nodes.id, facts: nodes.facts, tunnel: nodes.tunnel }
  const rows = await db.select(columns).from(nodes).orderBy(nodes.id)
  return new Map(rows.flatMap(({ id, ...row }) => (linkOf(row) ? [[id, linkOf(row)!.machine]] : [])))
}

type Node = typeof nodes.$inferSelect

/** Addresses at which the panel's machine and another reach each other: those of the encrypted network, if it is in it. */
const linkOf = ({ facts, tunnel }: Pick<Node, 'facts' | 'tunnel'>): { panel: string; machine: string } | undefined =>
  tunnel ?? facts?.link ?? undefined

/** Of machines in the encrypted network that the machine `from` does not reach. */
export async function listUnreachedTunnels(db: Queryable, { from }: { from: string }): Promise<ReadonlySet<string>> {
  const rows = await db.select({ id: nodes.id, tunnel: nodes.tunnel }).from(nodes).where(isNotNull(nodes.tunnel))
  const own = rows.find(({ id }) => id === from)?.tunnel
  const reached = own ? [own.machine, ...(own.reached ?? [])] : []
  return new Set(rows.flatMap(({ tunnel }) => (tunnel && !reached.includes(tunnel.machine) ? [tunnel.machine] : [])))
}

/** From which proxies on added machines reach the ports of containers. */
export async function listEdgeAddresses(db: Queryable): Promise<string[]> {
  const columns = { roles: nodes.roles, facts: nodes.facts, tunnel: nodes.tunnel }
  const rows = await db.select(columns).from(nodes).orderBy(nodes.id)
  return rows.flatMap(({ roles, facts, tunnel }) =>
    roles.includes('EDGE') ? [facts?.link?.machine ?? [], tunnel?.machine ?? []].flat() : []
  )
}

/** Rejects with AdapterError node-unavailable if the machine was never reached. */
export async function requireLink(db: Queryable, id: string): Promise<{ panel: string; machine: string }> {
  const row = await findNode(db, id)
  const link = row && linkOf(row)
  if (!link) throw new AdapterError('node-unavailable', 'The machine has not been reached over IPv4 yet')
  return link
}

/** Machines that were reached. One without projects may have containers from before it was removed as lost and added again. */
export const listReachedNodes = (db: Queryable): Promise<{ id: string; missedChecks: number }[]> =>
  db.select({ id: nodes.id, missedChecks: nodes.missedChecks }).from(nodes).where(isNotNull(nodes.seenAt))

export async function exchangeNetwork(
  db: Queryable,
  id: string,
  { read, network }: { read: string | null; network: string }
): Promise<void> {
  await db
    .update(nodes)
    .set({ network })
    .where(and(eq(nodes.id, id), read === null ? isNull(nodes.network) : eq(nodes.network, read)))
}

export async function updateNode(
  db: Queryable,
  id: string,
  values: Partial<Pick<typeof nodes.$inferSelect, 'network' | 'lastPort'>>
): Promise<void> {
  await db.update(nodes).set(values).where(eq(nodes.id, id))
}

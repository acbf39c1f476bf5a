import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Queryable } from '../../db/database.ts'
import { containerSlots } from '../../db/schema/container-slots.ts'
import { domains } from '../../db/schema/domains.ts'
import { hostNames } from '../../db/schema/host-names.ts'
import { projects } from '../../db/schema/projects.ts'
import { tcpPorts } from '../../db/schema/tcp-ports.ts'
import type { Slot } from './routes.repository.ts'

interface OpenPort {
  projectId: string
  /** Null for TLS. */
  publishedPort: number | null
  /** The first instance, with the port that is published in place of the one for HTTP. */
  slot: Slot
}

/** Published ports of projects that run. */
export async function listOpenPorts(db: Queryable): Promise<OpenPort[]> {
  return db
    .select({
      projectId: tcpPorts.projectId,
      publishedPort: tcpPorts.publishedPort,
      slot: {
        nodeId: containerSlots.nodeId,
        port: containerSlots.port,
        address: containerSlots.address,
        containerPort: tcpPorts.containerPort
      }
    })
    .from(tcpPorts)
    .innerJoin(projects, and(eq(projects.id, tcpPorts.projectId), eq(projects.status, 'ACTIVE')))
    .innerJoin(
      containerSlots,
      and(
        eq(containerSlots.projectId, projects.id),
        eq(containerSlots.deploymentId, projects.liveDeploymentId),
        eq(containerSlots.instance, 0)
      )
    )
    .orderBy(tcpPorts.id)
}

/** Names that belong to these projects as a whole: their own, and verified domains. */
export async function listWholeNames(
  db: Queryable,
  projectIds: readonly string[]
): Promise<{ projectId: string; hostname: string }[]> {
  if (projectIds.length === 0) return []
  const rows = await db
    .select({ projectId: hostNames.projectId, hostname: hostNames.hostname })
    .from(hostNames)
    .where(inArray(hostNames.projectId, [...projectIds]))
    .union(
      db
        .select({ projectId: domains.projectId, hostname: domains.hostname })
        .from(domains)
        .where(
          and(eq(domains.status, 'ACTIVE'), isNull(domains.pathPrefix), inArray(domains.projectId, [...projectIds]))
        )
    )
    .orderBy(sql`hostname`)
  return rows.flatMap(({ projectId, hostname }) => (projectId === null ? [] : [{ projectId, hostname }]))
}

/** Names, of any account, that one of these wildcards covers. */
export async function listNamesUnder(db: Queryable, wildcards: readonly string[]): Promise<string[]> {
  if (wildcards.length === 0) return []
  const isCovered = (hostname: AnyPgColumn): SQL =>
    inArray(sql`'*' || substring(${hostname} from position('.' in ${hostname}))`, [...wildcards])
  const rows = await db
    .select({ hostname: hostNames.hostname })
    .from(hostNames)
    .where(isCovered(hostNames.hostname))
    .union(
      db
        .select({ hostname: domains.hostname })
        .from(domains)
        .where(and(eq(domains.status, 'ACTIVE'), isCovered(domains.hostname)))
    )
  return rows.map(({ hostname }) => hostname)
}

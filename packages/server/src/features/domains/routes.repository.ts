import { openStatuses } from '@panel/contract/deployments'
import { and, eq, inArray, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Queryable } from '../../db/database.ts'
import { certificates } from '../../db/schema/certificates.ts'
import { containerSlots } from '../../db/schema/container-slots.ts'
import { deployments } from '../../db/schema/deployments.ts'
import { domainRules, projectRules } from '../../db/schema/domain-rules.ts'
import { domains } from '../../db/schema/domains.ts'
import { mailDomains } from '../../db/schema/mail-domains.ts'
import { hostNames } from '../../db/schema/host-names.ts'
import { projects } from '../../db/schema/projects.ts'

export interface RouteKey {
  hostname: string
  pathPrefix: string | null
}

export interface RouteFacts extends RouteKey {
  project: ProjectFacts | null
  /** Served by the panel's mail endpoint, unless the owner assigned a project. */
  isMailHost: boolean
  /** HTTPS-only is enabled and there is a certificate to serve. */
  forceHttps: boolean
  /** Its set of rules, which is named after the domain. */
  rules: string | null
}

/** `port` is for the legacy network that accounts shared (shared-network.policy.ts). */
export type Slot = Pick<typeof containerSlots.$inferSelect, 'nodeId' | 'port' | 'address' | 'containerPort'>

export interface PoolFacts {
  number: number
  isSticky: boolean
  slots: readonly Slot[]
}

export interface ProjectFacts {
  id: string
  status: 'ACTIVE' | 'CREATING' | 'STOPPED' | 'DELETED'
  /** Its containers are stopped until the next request. */
  isAsleep: boolean
  slot: Slot | null
  /** Of a project with several live instances. */
  pool: PoolFacts | null
  isDeploying: boolean
}

/** Facts for all routes of these hostnames, or of all: project hostnames and verified domains. */
export async function listRouteFacts(db: Queryable, hostnames?: readonly string[]): Promise<RouteFacts[]> {
  // Includes the covering wildcards, which decide who gets the rest of a host.
  const requested = hostnames && [...new Set([...hostnames, ...hostnames.map(wildcardOf)])]
  const among = (column: AnyPgColumn): SQL | undefined =>
    requested === undefined ? undefined : inArray(column, requested)
  const [own, custom, mailed, forced, facts] = await Promise.all([
    db
      .select({ hostname: hostNames.hostname, projectId: hostNames.projectId, rules: projectRules.projectId })
      .from(hostNames)
      .leftJoin(projectRules, eq(projectRules.projectId, hostNames.projectId))
      .where(and(isNotNull(hostNames.projectId), among(hostNames.hostname))),
    db
      .select({
        hostname: domains.hostname,
        pathPrefix: domains.pathPrefix,
        projectId: domains.projectId,
        userId: domains.userId,
        isMailHost: domains.isMailHost,
        rules: domainRules.domainId
      })
      .from(domains)
      .leftJoin(
        domainRules,
        and(eq(domainRules.domainId, domains.id), sql`jsonb_array_length(${domainRules.rules}) > 0`)
      )
      .where(and(eq(domains.status, 'ACTIVE'), among(domains.hostname))),
    db
      .select({ hostname: domains.hostname })
      .from(mailDomains)
      .innerJoin(domains, eq(domains.id, mailDomains.domainId))
      .where(and(eq(domains.status, 'ACTIVE'), among(domains.hostname))),
    db
      .select({ hostname: domains.hostname })
      .from(certificates)
      .innerJoin(domains, eq(domains.id, certificates.domainId))
      .where(
        and(
          isNotNull(certificates.chain),
          eq(certificates.forceHttps, true),
          eq(domains.status, 'ACTIVE'),
          among(domains.hostname)
        )
      ),
    listProjectFacts(db, hostnames && projectsAt(db, hostnames))
  ])
  const routes: (RouteKey & { projectId: string | null; isMailHost: boolean; rules: string | null })[] = [
    ...own.map((row) => ({ ...row, pathPrefix: null, isMailHost: false })),
    ...custom.map(({ userId: _userId, ...route }) => route),
    ...blockedHosts(custom).map((hostname) => ({
      hostname,
      pathPrefix: null,
      projectId: null,
      isMailHost: false,
      rules: null
    })),
    ...autoconfigRoutes(custom, mailed)
  ].filter(({ hostname }) => hostnames === undefined || hostnames.includes(hostname))
  const forcedNames = new Set(forced.map((row) => row.hostname))
  return routes.map(({ hostname, pathPrefix, projectId, isMailHost, rules }) => ({
    hostname,
    pathPrefix,
    isMailHost,
    rules: isMailHost ? null : rules,
    project: projectId === null ? null : (facts.get(projectId) ?? null),
    forceHttps: forcedNames.has(hostname)
  }))
}

/** Whether a certificate is served for a hostname: its own, or that of its wildcard. */
export async function isCertified(db: Queryable, hostname: string): Promise<boolean> {
  const rows = await db
    .select({ id: certificates.id })
    .from(certificates)
    .innerJoin(domains, eq(domains.id, certificates.domainId))
    .where(
      and(
        isNotNull(certificates.chain),
        eq(domains.status, 'ACTIVE'),
        inArray(domains.hostname, [hostname, wildcardOf(hostname)])
      )
    )
    .limit(1)
  return rows.length > 0
}

/** The rest of a host that has only path routes must never go to another account's wildcard. */
function blockedHosts(custom: readonly (RouteKey & { userId: string })[]): string[] {
  const whole = new Set(custom.filter((route) => route.pathPrefix === null).map((route) => route.hostname))
  const holders = new Map(custom.map(({ hostname, userId }) => [hostname, userId]))
  return [...holders]
    .filter(([hostname, userId]) => !whole.has(hostname) && holders.get(wildcardOf(hostname)) !== userId)
    .map(([hostname]) => hostname)
}

/** Path of mail client autoconfiguration; an owner's own route for the path wins. */
export const settingsPath = '/.well-known/autoconfig'

function autoconfigRoutes(custom: readonly RouteKey[], mailed: readonly { hostname: string }[]) {
  const taken = new Set(
    custom.filter(({ pathPrefix }) => pathPrefix?.startsWith('/.well-known')).map(({ hostname }) => hostname)
  )
  return mailed
    .filter(({ hostname }) => !taken.has(hostname))
    .map(({ hostname }) => ({ hostname, pathPrefix: settingsPath, projectId: null, isMailHost: true, rules: null }))
}

const wildcardOf = (hostname: string): string => `*.${hostname.replace(/^[^.]*\./, '')}`

export async function listProjectRoutes(db: Queryable, projectIds: readonly string[]): Promise<RouteKey[]> {
  if (projectIds.length === 0) return []
  const own = await db
    .select({ hostname: hostNames.hostname })
    .from(hostNames)
    .where(inArray(hostNames.projectId, [...projectIds]))
  const custom = await db
    .select({ hostname: domains.hostname, pathPrefix: domains.pathPrefix })
    .from(domains)
    .where(and(eq(domains.status, 'ACTIVE'), inArray(domains.projectId, [...projectIds])))
  return [...own.map((row) => ({ ...row, pathPrefix: null })), ...custom]
}

const projectsAt = (db: Queryable, hostnames: readonly string[]) =>
  db
    .select({ projectId: hostNames.projectId })
    .from(hostNames)
    .where(inArray(hostNames.hostname, [...hostnames]))
    .union(
      db
        .select({ projectId: domains.projectId })
        .from(domains)
        .where(and(eq(domains.status, 'ACTIVE'), inArray(domains.hostname, [...hostnames])))
    )

async function listProjectFacts(
  db: Queryable,
  among: ReturnType<typeof projectsAt> | undefined
): Promise<Map<string, ProjectFacts>> {
  const open = db
    .selectDistinct({ projectId: deployments.projectId })
    .from(deployments)
    .where(inArray(deployments.status, [...openStatuses]))
    .as('open')
  const members = await listPools(db, among)
  const rows = await db
    .select({
      id: projects.id,
      status: projects.status,
      asleepSince: projects.asleepSince,
      slot: {
        nodeId: containerSlots.nodeId,
        port: containerSlots.port,
        address: containerSlots.address,
        containerPort: containerSlots.containerPort
      },
      openProjectId: open.projectId
    })
    .from(projects)
    .leftJoin(
      containerSlots,
      and(
        eq(containerSlots.projectId, projects.id),
        eq(containerSlots.deploymentId, projects.liveDeploymentId),
        eq(containerSlots.instance, 0)
      )
    )
    .leftJoin(open, eq(open.projectId, projects.id))
    .where(among && inArray(projects.id, among))
  return new Map(
    rows.map(({ id, openProjectId, asleepSince, ...facts }) => [
      id,
      {
        id,
        ...facts,
        isAsleep: asleepSince !== null,
        pool: members.get(id) ?? null,
        isDeploying: openProjectId !== null
      }
    ])
  )
}

async function listPools(
  db: Queryable,
  among: ReturnType<typeof projectsAt> | undefined
): Promise<Map<string, PoolFacts>> {
  const rows = await db
    .select({
      id: projects.id,
      number: projects.proxyPool,
      isSticky: projects.stickySessions,
      slot: {
        nodeId: containerSlots.nodeId,
        port: containerSlots.port,
        address: containerSlots.address,
        containerPort: containerSlots.containerPort
      }
    })
    .from(projects)
    .innerJoin(
      containerSlots,
      and(eq(containerSlots.projectId, projects.id), eq(containerSlots.deploymentId, projects.liveDeploymentId))
    )
    .where(and(isNotNull(projects.proxyPool), among && inArray(projects.id, among)))
    .orderBy(containerSlots.instance)
  const pools = new Map<string, { number: number; isSticky: boolean; slots: Slot[] }>()
  for (const { id, number, isSticky, slot } of rows) {
    const pool = pools.get(id) ?? { number: number!, isSticky, slots: [] }
    pool.slots.push(slot)
    pools.set(id, pool)
  }
  return new Map([...pools].filter(([, { slots }]) => slots.length > 1))
}

/** Frees the pools that no route names any more. Call after all routes were synced. */
export async function releasePools(db: Queryable): Promise<void> {
  await db.execute(sql`
    update projects p set proxy_pool = null
    where proxy_pool is not null and (
      select count(*) from container_slots s where s.project_id = p.id and s.deployment_id = p.live_deployment_id
    ) < 2`)
}

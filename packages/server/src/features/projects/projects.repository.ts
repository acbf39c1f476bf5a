import { and, asc, eq, inArray, isNotNull, ne, sql } from 'drizzle-orm'
import { Project, type ProjectQuery } from '@panel/contract/projects'
import type { Database, Queryable, Transaction } from '../../db/database.ts'
import { queryPrepared } from '../../db/prepared-rows.ts'
import { projects } from '../../db/schema/projects.ts'
import { tcpPorts } from '../../db/schema/tcp-ports.ts'
import { users } from '../../db/schema/users.ts'
import { awayAfter } from '../nodes/node-state.policy.ts'

export type ProjectRow = typeof projects.$inferSelect

const live = ne(projects.status, 'DELETED')

export async function findProject(db: Queryable, id: string): Promise<ProjectRow | undefined> {
  const [row] = await db
    .select()
    .from(projects)
    .where(and(eq(projects.id, id), live))
  return row
}

/** Across all accounts. */
export async function findProjectNamed(db: Queryable, name: string): Promise<ProjectRow | undefined> {
  const [row] = await db
    .select()
    .from(projects)
    .where(and(eq(projects.name, name), live))
  return row
}

/** Serializes deployment switches, container actions and deletions. */
export async function lockProject(trx: Transaction, id: string): Promise<ProjectRow | undefined> {
  const [row] = await trx
    .select()
    .from(projects)
    .where(and(eq(projects.id, id), live))
    .for('update')
  return row
}

export async function listDeployedProjects(db: Queryable): Promise<ProjectRow[]> {
  return db
    .select()
    .from(projects)
    .where(and(isNotNull(projects.liveDeploymentId), live))
}

export async function listProjectIds(db: Queryable, userId: string): Promise<string[]> {
  const rows = await db
    .select({ id: projects.id })
    .from(projects)
    .where(and(eq(projects.userId, userId), live))
    .orderBy(projects.id)
  return rows.map((row) => row.id)
}

/** Undefined if the user already has a project with that name. */
export async function insertProject(
  trx: Transaction,
  values: typeof projects.$inferInsert
): Promise<ProjectRow | undefined> {
  const [row] = await trx.insert(projects).values(values).onConflictDoNothing().returning()
  return row
}

export async function updateProject(
  db: Queryable,
  id: string,
  values: Partial<ProjectRow>,
  now: Date
): Promise<ProjectRow | undefined> {
  const [row] = await db
    .update(projects)
    .set({ ...values, updatedAt: now })
    .where(and(eq(projects.id, id), live))
    .returning()
  return row
}

export async function publishesTcpPorts(db: Queryable, id: string): Promise<boolean> {
  return (await db.$count(tcpPorts, eq(tcpPorts.projectId, id))) > 0
}

export async function markProjectDeleted(trx: Transaction, id: string, now: Date): Promise<void> {
  await trx
    .update(projects)
    .set({
      status: 'DELETED',
      deletedAt: now,
      updatedAt: now,
      liveDeploymentId: null,
      containerId: null,
      containerStatus: null,
      internalPort: null,
      webhookSecret: null,
      deployHookHash: null
    })
    .where(eq(projects.id, id))
}

const columns = Object.keys(Project.shape)
  .filter((member): member is keyof Project & keyof ProjectRow => member in projects)
  .map((member) => `${member === 'webhookSecret' ? 'null' : `projects."${projects[member].name}"`} as "${member}"`)
  .join(', ')

const state = `case
    when newest.status in ('QUEUED', 'BUILDING', 'DEPLOYING') then 'DEPLOYING'
    when projects.stop_reason is not null or newest.status = 'FAILED' then 'ATTENTION'
    when projects.status = 'ACTIVE' and projects.asleep_since is not null then 'SLEEPING'
    when projects.container_status = 'running' then 'RUNNING'
    when projects.status = 'STOPPED' or projects.deployed_at is null then 'IDLE'
    else 'ATTENTION'
  end`

const computedColumns = `${state} as "state", case when newest.id is not null then json_build_object(
    'id', newest.id, 'status', newest.status,
    'createdAt', to_char(newest.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
  ) end as "latestDeployment"`

const withLatest = `from projects left join lateral (
    select id, status, created_at from deployments where project_id = projects.id order by seq desc limit 1
  ) newest on true`

const orders: Record<ProjectQuery['order'], string> = {
  created: 'order by projects.created_at desc, projects.id desc',
  name: 'order by lower(projects.name), projects.id',
  deployed: 'order by projects.deployed_at desc nulls last, projects.created_at desc, projects.id desc'
}

const page = {
  name: 'project_list',
  text: `select ${columns}, ${computedColumns} ${withLatest} where projects.user_id = $1 and projects.deleted_at is null
    ${orders.created} limit $2 offset $3`
}

const total = { name: 'project_total', text: 'select project_count as total from users where id = $1' }

/** Hot path: rows are API representations without webhook secrets. The total is the counter on the user's row. */
export async function listProjects(
  db: Database,
  userId: string,
  { limit, offset }: { limit: number; offset: number }
): Promise<{ rows: Project[]; total: number }> {
  const [rows, [counted]] = await Promise.all([
    queryPrepared<Project>(db, page, [userId, limit, offset]),
    queryPrepared<{ total: number }>(db, total, [userId])
  ])
  return { rows, total: counted?.total ?? 0 }
}

type ProjectFilter = Pick<ProjectQuery, 'type' | 'status' | 'state' | 'search'>

const filters: Record<keyof ProjectFilter, (parameter: string) => string> = {
  type: (parameter) => `projects.type = ${parameter}`,
  status: (parameter) => `projects.status = ${parameter}`,
  state: (parameter) => `${state} = ${parameter}`,
  search: (parameter) => `strpos(lower(projects.name), lower(${parameter})) > 0`
}

export async function searchProjects(
  db: Database,
  userId: string,
  query: ProjectQuery
): Promise<{ rows: Project[]; total: number }> {
  const used = (Object.keys(filters) as (keyof ProjectFilter)[]).filter((name) => query[name] !== undefined)
  const conditions = [
    'projects.user_id = $1',
    ...(query.status === 'DELETED' ? [] : ['projects.deleted_at is null']),
    ...used.map((name, at) => filters[name](`$${at + 2}`))
  ]
  const where = `where ${conditions.join(' and ')}`
  // One prepared statement per set of filters, and order.
  const name = `${used.join('_')}${query.status === 'DELETED' ? '_deleted' : ''}`
  const values = [userId, ...used.map((name) => query[name])]
  const [limit, offset] = [`$${values.length + 1}`, `$${values.length + 2}`]
  const text = `select ${columns}, ${computedColumns} ${withLatest} ${where} ${orders[query.order]} limit ${limit} offset ${offset}`
  const count = `select count(*)::int as total ${used.includes('state') ? withLatest : 'from projects'} ${where}`
  const [rows, [counted]] = await Promise.all([
    queryPrepared<Project>(db, { name: `projects_by_${name}_${query.order}`, text }, [
      ...values,
      query.limit,
      (query.page - 1) * query.limit
    ]),
    queryPrepared<{ total: number }>(db, { name: `project_total_by_${name}`, text: count }, values)
  ])
  return { rows, total: counted?.total ?? 0 }
}

const machines = `array(
    select json_build_object('name', name, 'instances', instances, 'isResponding', "isResponding") from (
      select nodes.name, count(*)::int as instances, nodes.ssh is null or nodes.missed_checks < ${awayAfter} as "isResponding",
        min(container_slots.instance) as first
      from container_slots join nodes on nodes.id = container_slots.node_id
      where project_id = projects.id and deployment_id = projects.live_deployment_id and retired_at is null
      group by nodes.id
    ) places order by first)`

const computedQuery = {
  name: 'project_situation',
  text: `select ${computedColumns}, ${machines} as "machines" ${withLatest} where projects.id = $1`
}

type Situation = Pick<Project, 'state' | 'latestDeployment' | 'machines'>

export async function findSituation(db: Database, id: string): Promise<Situation | undefined> {
  const [row] = await queryPrepared<Situation>(db, computedQuery, [id])
  return row
}

export async function readProjectCounts(db: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .select({ id: users.id, count: users.projectCount })
    .from(users)
    .where(sql`${users.id} = any(${sql.param([...ids])})`)
  return new Map(rows.map(({ id, count }) => [id, count]))
}

/** The caller holds the account lock. */
export async function addToProjectCount(trx: Transaction, id: string, difference: 1 | -1): Promise<void> {
  await trx
    .update(users)
    .set({ projectCount: sql`${users.projectCount} + ${difference}` })
    .where(eq(users.id, id))
}

/** Stops an account's projects and marks them; reconcile stops the containers. The caller holds the account lock. */
export async function stopProjectsOf(trx: Transaction, userId: string, now: Date): Promise<void> {
  // Locks stopped projects too: a request that is queueing a deployment holds one of these locks and must finish first.
  await trx
    .select({ id: projects.id })
    .from(projects)
    .where(and(eq(projects.userId, userId), live))
    .orderBy(asc(projects.id))
    .for('update')
  await trx
    .update(projects)
    .set({ status: 'STOPPED', stoppedBySuspension: true, updatedAt: now })
    .where(and(eq(projects.userId, userId), inArray(projects.status, ['ACTIVE', 'CREATING'])))
}

export async function resumeProjectsOf(trx: Transaction, userId: string, now: Date): Promise<void> {
  await trx
    .update(projects)
    .set({ status: 'ACTIVE', stoppedBySuspension: false, updatedAt: now })
    .where(and(eq(projects.userId, userId), eq(projects.stoppedBySuspension, true), eq(projects.status, 'STOPPED')))
}

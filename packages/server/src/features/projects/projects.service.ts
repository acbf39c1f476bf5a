import { isDeepStrictEqual } from 'node:util'
import type { CreateProject, Project, ProjectList, ProjectQuery, UpdateProject } from '@panel/contract/projects'
import { pagination } from '@panel/contract/common'
import type { Transaction } from '../../db/database.ts'
import { isUniqueViolation } from '../../db/unique-violation.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { newId } from '../../security/ids.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { type PendingEffect, projectChanged, runEffects } from '../hooks.ts'
import { staysBecause } from '../nodes/placement.policy.ts'
import { placeProject } from '../nodes/placement.service.ts'
import { noCapacity } from '../users/capacity.policy.ts'
import { readRoom, requireCapacity } from '../users/capacity.service.ts'
import { claimQuota } from '../users/quotas.service.ts'
import { lockUser, lockWithResellers } from '../users/account-access.ts'
import { acceptedSource } from './accepted-git-url.policy.ts'
import { checkRuntimeVersion } from './runtime-version.policy.ts'
import { checkImage } from './image.policy.ts'
import { checkPageCache } from './page-cache.policy.ts'
import { checkDisk, checkInstances, initialSize, sizeToCount } from './size.policy.ts'
import { checkKeepsFiles, checkSource } from './source.policy.ts'
import { openWebhookSecret } from './webhook-secret.service.ts'
import { getOwnProject, ownedBy } from './project-access.ts'
import { projectView } from './project-view.ts'
import {
  addToProjectCount,
  findSituation,
  insertProject,
  listProjects,
  lockProject,
  markProjectDeleted,
  publishesTcpPorts,
  type ProjectRow,
  searchProjects,
  updateProject
} from './projects.repository.ts'

export async function createProject(
  deps: Dependencies,
  origin: AuditOrigin,
  userId: string,
  input: CreateProject
): Promise<Project> {
  const { project, effects } = await deps.db.transaction((trx) => addProject(deps, trx, origin, userId, input))
  await runEffects(deps, effects)
  return withSecret(deps, project)
}

/** In the caller's transaction. The effects run after its commit. */
export async function addProject(
  deps: Dependencies,
  trx: Transaction,
  origin: AuditOrigin,
  userId: string,
  input: CreateProject
): Promise<{ project: ProjectRow; effects: PendingEffect[] }> {
  const { gitUrl = null, branch = null, rootDirectory = null } = acceptedSource(deps.config, input)
  checkRuntimeVersion(input.type, input.runtimeVersion)
  checkInstances(input.type, input.instances)
  checkImage(input.type, input)
  checkSource(input.type, input.source)
  checkPageCache(input.type, input.pageCache)
  const { keepsFiles = true, reachable = false, sleepAfterMinutes = null, machineLabels = [] } = input
  const placed = { keepsFiles, reachable, sleepAfterMinutes }
  checkKeepsFiles({ ...placed, type: input.type, source: input.source ?? 'GIT' })
  await claimQuota(deps, trx, userId, 'maxProjects')
  const line = await lockWithResellers(trx, userId)
  const project = await insertProject(trx, {
    id: newId(deps.now().getTime()),
    userId,
    ...(await placeProject(deps, trx, { labels: machineLabels, stays: staysBecause(placed, false) })),
    ...placed,
    machineLabels,
    name: input.name,
    type: input.type,
    source: input.source ?? 'GIT',
    gitUrl,
    branch,
    buildCmd: input.buildCmd ?? null,
    startCmd: input.startCmd ?? null,
    port: input.port ?? null,
    runtimeVersion: input.runtimeVersion ?? null,
    rootDirectory,
    dockerfilePath: input.dockerfilePath ?? null,
    dockerContext: input.dockerContext ?? null,
    dockerTarget: input.dockerTarget ?? null,
    buildArgs: input.buildArgs ?? null,
    installCmd: input.installCmd ?? null,
    outputDirectory: input.outputDirectory ?? null,
    releaseCmd: input.releaseCmd ?? null,
    image: input.image ?? null,
    imageAutoDeploy: input.imageAutoDeploy ?? false,
    health: input.health ?? null,
    deployRules: input.deployRules ?? null,
    size: input.size === undefined ? initialSize(deps.config, input.type, await readRoom(deps, trx, line)) : input.size,
    instances: input.instances ?? 1,
    stickySessions: input.stickySessions ?? false,
    restartWhenHung: input.restartWhenHung ?? true,
    readOnlyRoot: input.readOnlyRoot ?? false,
    pageCache: input.pageCache ?? false
  })
  if (!project) throw nameExists()
  checkSleep(project)
  const after = sizeToCount(deps.config, project)
  checkDisk(line, input.size)
  await requireCapacity(deps, trx, line, { before: noCapacity, after })
  await addToProjectCount(trx, userId, 1)
  await recordAudit(deps, trx, origin, {
    action: 'project.created',
    actorId: userId,
    targetId: project.id,
    metadata: {
      name: project.name,
      type: project.type,
      gitUrl,
      ...(project.source === 'FILES' && { source: project.source }),
      ...(project.image !== null && { image: project.image })
    }
  })
  return { project, effects: await projectChanged(deps, trx, 'created', project) }
}

type ListDeps = Pick<Dependencies, 'db'>

/** Without webhook secrets: lists are read too often to audit every read. */
export async function listOwnProjects(deps: ListDeps, userId: string, query: ProjectQuery): Promise<ProjectList> {
  const { page, limit, order, ...filters } = query
  const isPlain = order === 'created' && Object.values(filters).every((value) => value === undefined)
  const { rows, total } = isPlain
    ? await listProjects(deps.db, userId, { limit, offset: (page - 1) * limit })
    : await searchProjects(deps.db, userId, query)
  return { projects: rows, pagination: pagination(page, limit, total) }
}

export async function getProject(
  deps: Pick<Dependencies, 'db' | 'secretBox'>,
  userId: string,
  id: string,
  { secrets }: { secrets: boolean }
): Promise<Project> {
  const [row, situation] = await Promise.all([getOwnProject(deps.db, id, userId), findSituation(deps.db, id)])
  return { ...(secrets ? await withSecret(deps, row) : projectView(row)), ...situation }
}

const withSecret = async (deps: Pick<Dependencies, 'db' | 'secretBox'>, row: ProjectRow): Promise<Project> =>
  projectView(row, row.webhookSecret === null ? null : await openWebhookSecret(deps, row.id))

export async function changeProject(
  deps: Dependencies,
  origin: AuditOrigin,
  userId: string,
  id: string,
  input: UpdateProject
): Promise<Project> {
  const { row, effects } = await deps.db
    .transaction(async (trx) => {
      // The accounts first, as in createProject: same lock order.
      const mayGrow = input.size !== undefined || input.instances !== undefined
      const line = mayGrow ? await lockWithResellers(trx, userId) : []
      const before = ownedBy(await lockProject(trx, id), userId)
      checkRuntimeVersion(before.type, input.runtimeVersion)
      checkInstances(before.type, input.instances)
      checkDisk(line, input.size)
      checkImage(before.type, input)
      checkSource(before.type, input.source)
      checkPageCache(before.type, input.pageCache)
      const values: Partial<ProjectRow> = Object.fromEntries(
        Object.entries({ ...input, ...acceptedSource(deps.config, input) }).filter(([, value]) => value !== undefined)
      )
      if (typeof input.sleepAfterMinutes === 'number') await refuseSleepWithPorts(trx, id)
      const row = (await updateProject(trx, id, values, deps.now()))!
      checkSleep(row)
      checkKeepsFiles(row)
      const [had, wanted] = [sizeToCount(deps.config, before), sizeToCount(deps.config, row)]
      await requireCapacity(deps, trx, line, { before: had, after: wanted })
      await recordAudit(deps, trx, origin, {
        action: before.gitUrl !== null && row.gitUrl === null ? 'git.disconnected' : 'project.updated',
        actorId: userId,
        targetId: id,
        metadata: changesOf(before, row)
      })
      const renamed = input.name === undefined ? [] : await projectChanged(deps, trx, 'renamed', row)
      const mustGoHome = row.nodeId !== row.filesNodeId && before.sleepAfterMinutes === null && row.sleepAfterMinutes !== null // oxfmt-ignore
      const isResized = mustGoHome || sizeFields.some((member) => !isDeepStrictEqual(before[member], row[member]))
      return { row, effects: [...renamed, ...(isResized ? await projectChanged(deps, trx, 'resized', row) : [])] }
    })
    .catch((error: unknown) => {
      throw isUniqueViolation(error, 'projects_name_key') ? nameExists() : error
    })
  await runEffects(deps, effects)
  return withSecret(deps, row)
}

// Commands and build arguments may contain passwords, so the audit log only records that they changed.
const auditedFields = [
  'name',
  'source',
  'gitUrl',
  'branch',
  'port',
  'runtimeVersion',
  'rootDirectory',
  'dockerfilePath',
  'dockerContext',
  'dockerTarget',
  'outputDirectory',
  'image',
  'imageAutoDeploy',
  'health',
  'deployRules',
  'size',
  'instances',
  'stickySessions',
  'restartWhenHung',
  'reachable',
  'keepsFiles',
  'machineLabels',
  'sleepAfterMinutes',
  'readOnlyRoot',
  'pageCache'
] as const
/** Need new containers, but no build. */
const sizeFields = ['size', 'instances', 'stickySessions', 'reachable', 'keepsFiles', 'machineLabels', 'pageCache'] as const // oxfmt-ignore
const unauditedFields = ['buildCmd', 'startCmd', 'installCmd', 'releaseCmd', 'buildArgs'] as const

function changesOf(before: ProjectRow, after: ProjectRow): Record<string, unknown> {
  const isOther = (member: keyof ProjectRow) => !isDeepStrictEqual(before[member], after[member])
  return Object.fromEntries([
    ...auditedFields.filter(isOther).map((member) => [member, { before: before[member], after: after[member] }]),
    ...unauditedFields.filter(isOther).map((member) => [member, 'changed'])
  ]) as Record<string, unknown>
}

/** The name is free immediately. A job removes what features have outside the database. */
export async function deleteProject(
  deps: Dependencies,
  origin: AuditOrigin,
  userId: string,
  id: string
): Promise<void> {
  await deps.db.transaction(async (trx) => {
    // The user first, as in createProject: same lock order.
    await lockUser(trx, userId)
    const { name } = ownedBy(await lockProject(trx, id), userId)
    const audit = await deleteProjectRows(deps, trx, id)
    await recordAudit(deps, trx, origin, {
      action: 'project.deleted',
      actorId: userId,
      targetId: id,
      metadata: { name, ...audit }
    })
  })
}

/** Resolves with metadata for the audit log. The caller holds the owner's lock. */
export async function deleteProjectRows(deps: Dependencies, trx: Transaction, id: string): Promise<object> {
  const project = await lockProject(trx, id)
  if (!project) return {}
  let [facts, audit] = [{}, {}]
  for (const feature of deps.features.toReversed()) {
    const { audit: auditedFields, ...more } = { audit: {}, ...(await feature.project?.deleted?.(deps, trx, project)) }
    facts = { ...facts, ...more }
    audit = { ...audit, ...auditedFields }
  }
  await markProjectDeleted(trx, id, deps.now())
  await addToProjectCount(trx, project.userId, -1)
  await deps.jobs.enqueue(trx, 'projects.purge', { projectId: id, ...facts }, { account: project.userId })
  return audit
}

function checkSleep({ sleepAfterMinutes, health }: Pick<ProjectRow, 'sleepAfterMinutes' | 'health'>): void {
  if (sleepAfterMinutes !== null && health?.path === null)
    throw new AppError(
      'VALIDATION_ERROR',
      'A project that does not speak HTTP cannot sleep, because only HTTP requests wake it.'
    )
}

async function refuseSleepWithPorts(trx: Transaction, id: string): Promise<void> {
  if (await publishesTcpPorts(trx, id))
    throw new AppError(
      'CONFLICT',
      'A project that publishes TCP ports cannot sleep, because only HTTP requests wake it. Remove the ports first.'
    )
}

const nameExists = () => new AppError('PROJECT_NAME_EXISTS', 'You already have a project with that name')

import type { CreateProject, Project, ProjectList, ProjectQuery, UpdateProject } from '@panel/contract/projects'
import { pagination } from '@panel/contract/common'
import type { Transaction } from '../../db/database.ts'
import { isUniqueViolation } from '../../db/unique-violation.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { newId } from '../../ids.ts'
import { type AuditOrigin, recordAudit } from '../audit/audit.repository.ts'
import { unlinkDatabases } from '../databases/databases.repository.ts'
import { cancelOpenDeployments } from '../deployments/deployments.repository.ts'
import { retireSlots } from '../containers/container-slots.repository.ts'
import { listHostnames, releaseHostnames, reserveHostname } from '../domains/host-names.repository.ts'
import { leaveProject } from '../domains/domain-removal.ts'
import { projectHostnames } from '../domains/hostname.policy.ts'
import { listProjectRoutes } from '../domains/routes.repository.ts'
import { tryApplyRoutes } from '../domains/routing.service.ts'
import { trySyncProjectDirectories } from '../files/project-directories.ts'
import { acceptedGitUrl } from '../git/accepted-git-url.ts'
import { claimQuota } from '../users/quotas.service.ts'
import { addToProjectCount, lockUser } from '../users/users.repository.ts'
import { getOwnProject, ownedBy } from './project-access.ts'
import { projectView } from './project-view.ts'
import {
  insertProject,
  listProjects,
  lockProject,
  markProjectDeleted,
  type ProjectRow,
  searchProjects,
  updateProject
} from './projects.repository.ts'

type Deps = Pick<
  Dependencies,
  'config' | 'db' | 'hostHelper' | 'jobs' | 'logger' | 'network' | 'now' | 'proxy' | 'secretBox'
>

/** Takes the name, a place in the quota and a host name in one transaction. */
export async function createProject(deps: Deps, userId: string, input: CreateProject): Promise<Project> {
  const gitUrl = acceptedGitUrl(deps.config, input.gitUrl)
  const { project, hostname } = await deps.db.transaction(async (trx) => {
    await claimQuota(trx, userId, 'maxProjects')
    const project = await insertProject(trx, {
      id: newId(deps.now().getTime()),
      userId,
      name: input.name,
      type: input.type,
      gitUrl,
      branch: input.branch ?? null,
      buildCmd: input.buildCmd ?? null,
      startCmd: input.startCmd ?? null,
      port: input.port ?? null
    })
    if (!project) throw nameExists()
    await addToProjectCount(trx, userId, 1)
    const hostname = await reserveHostname(
      trx,
      project.id,
      projectHostnames(project, deps.config.BASE_DOMAIN, deps.config.PANEL_DOMAIN)
    )
    return { project, hostname }
  })
  await trySyncProjectDirectories(deps, userId)
  if (hostname !== undefined) await tryApplyRoutes(deps, [{ hostname, pathPrefix: null }])
  return projectView(project, deps.secretBox)
}

/** A page of the caller's projects. */
export async function listOwnProjects(
  deps: Pick<Deps, 'db' | 'secretBox'>,
  userId: string,
  query: ProjectQuery
): Promise<ProjectList> {
  const isFiltered = query.type !== undefined || query.status !== undefined || query.search !== undefined
  const { projects, total } = await (isFiltered ? findFiltered : findAll)(deps, userId, query)
  return { projects, pagination: pagination(query.page, query.limit, total) }
}

async function findFiltered({ db, secretBox }: Pick<Deps, 'db' | 'secretBox'>, userId: string, query: ProjectQuery) {
  const { rows, total } = await searchProjects(db, userId, query)
  return { projects: rows.map((row) => projectView(row, secretBox)), total }
}

const withSecret = (project: Project, secretBox: Deps['secretBox']): Project => ({
  ...project,
  webhookSecret: project.webhookSecret === null ? null : secretBox.open(project.webhookSecret)
})

async function findAll({ db, secretBox }: Pick<Deps, 'db' | 'secretBox'>, userId: string, query: ProjectQuery) {
  const { limit, page } = query
  const { rows, total } = await listProjects(db, userId, { limit, offset: (page - 1) * limit })
  const projects = rows.map((row) => (row.webhookSecret === null ? row : withSecret(row, secretBox)))
  return { projects, total }
}

export async function getProject(deps: Pick<Deps, 'db' | 'secretBox'>, userId: string, id: string): Promise<Project> {
  return projectView(await getOwnProject(deps.db, id, userId), deps.secretBox)
}

/** A new name moves the site's host name with the next deployment. */
export async function changeProject(deps: Deps, userId: string, id: string, input: UpdateProject): Promise<Project> {
  const { gitUrl, ...rest } = input
  const row = await deps.db
    .transaction(async (trx) => {
      ownedBy(await lockProject(trx, id), userId)
      const values: Partial<ProjectRow> = Object.fromEntries(
        Object.entries(rest).filter(([, value]) => value !== undefined)
      )
      if (gitUrl !== undefined) values.gitUrl = acceptedGitUrl(deps.config, gitUrl)
      return updateProject(trx, id, values, deps.now())
    })
    .catch((error: unknown) => {
      throw isUniqueViolation(error, 'projects_name_key') ? nameExists() : error
    })
  if (input.name !== undefined) await trySyncProjectDirectories(deps, userId)
  return projectView(row!, deps.secretBox)
}

/** Soft: the row stays, its name is free at once, and a job removes container, volumes, images, routes and workspace. */
export async function deleteProject(deps: Deps, origin: AuditOrigin, userId: string, id: string): Promise<void> {
  await deps.db.transaction(async (trx) => {
    // The user first, as in createProject: one order of locks.
    await lockUser(trx, userId)
    const { name } = ownedBy(await lockProject(trx, id), userId)
    await deleteProjectRows(deps, trx, id)
    await recordAudit(deps, trx, origin, {
      action: 'project.deleted',
      actorId: userId,
      targetId: id,
      metadata: { name }
    })
  })
}

/** The caller holds the lock of the owner. */
export async function deleteProjectRows(deps: Pick<Deps, 'jobs' | 'now'>, trx: Transaction, id: string): Promise<void> {
  const project = await lockProject(trx, id)
  if (!project) return
  const routes = await listProjectRoutes(trx, [id])
  await releaseHostnames(trx, await listHostnames(trx, id))
  const left = await leaveProject(deps, trx, id)
  await unlinkDatabases(trx, id, deps.now())
  await cancelOpenDeployments(trx, id, deps.now())
  await retireSlots(trx, id, deps.now())
  await markProjectDeleted(trx, id, deps.now())
  await addToProjectCount(trx, project.userId, -1)
  await deps.jobs.enqueue(trx, 'projects.purge', {
    projectId: id,
    routes: [...routes, ...left.routes],
    certificateIds: left.certificateIds,
    zoneIds: left.zoneIds
  })
}

const nameExists = () => new AppError('PROJECT_NAME_EXISTS', 'You already have a project with that name')

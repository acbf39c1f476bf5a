import { type EnvGroup, maxEnvGroups, type ProjectEnvGroups } from '@panel/contract/env-vars'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { newId } from '../../security/ids.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { getOwnProject, lockProject, ownedBy } from '../projects/project-access.ts'
import { lockUser } from '../users/account-access.ts'
import { getOwnEnvGroup } from './env-group-access.ts'
import {
  countEnvGroups,
  deleteEnvGroup,
  insertEnvGroup,
  listEnvGroups,
  listGroupsOfProject,
  lockEnvGroups,
  replaceGroupsOfProject
} from './env-groups.repository.ts'
import { requireReferences } from './environment.service.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'now'>

export const listOwnGroups = async ({ db }: Pick<Deps, 'db'>, userId: string): Promise<EnvGroup[]> =>
  (await listEnvGroups(db, userId)).map(({ id, name, variables, projects, createdAt, updatedAt }) => ({
    id,
    name,
    variables,
    projects,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString()
  }))

export async function createEnvGroup(deps: Deps, origin: AuditOrigin, userId: string, name: string): Promise<EnvGroup> {
  const now = deps.now()
  const row = await deps.db.transaction(async (trx) => {
    await lockUser(trx, userId)
    if ((await countEnvGroups(trx, userId)) >= maxEnvGroups)
      throw new AppError('VALIDATION_ERROR', `An account can have at most ${maxEnvGroups} groups of variables.`)
    const inserted = await insertEnvGroup(trx, {
      id: newId(now.getTime()),
      userId,
      name,
      createdAt: now,
      updatedAt: now
    })
    if (!inserted) throw new AppError('ENV_GROUP_EXISTS', `You already have a group named ${name}.`)
    const entry = { actorId: userId, targetId: inserted.id, metadata: { name } }
    await recordAudit(deps, trx, origin, { action: 'env_group.created', ...entry })
    return inserted
  })
  const at = row.createdAt.toISOString()
  return { id: row.id, name, variables: 0, projects: [], createdAt: at, updatedAt: at }
}

/** Projects keep running with its values until their next deployment. */
export async function removeEnvGroup(deps: Deps, origin: AuditOrigin, userId: string, id: string): Promise<void> {
  await deps.db.transaction(async (trx) => {
    const { name } = await getOwnEnvGroup(trx, id, userId)
    await lockEnvGroups(trx, [id])
    await deleteEnvGroup(trx, id)
    await recordAudit(deps, trx, origin, {
      action: 'env_group.deleted',
      actorId: userId,
      targetId: id,
      metadata: { name }
    })
  })
}

export async function listProjectGroups(
  { db }: Pick<Deps, 'db'>,
  userId: string,
  projectId: string
): Promise<ProjectEnvGroups> {
  await getOwnProject(db, projectId, userId)
  return { groups: (await listGroupsOfProject(db, projectId)).map(({ id, name }) => ({ id, name })) }
}

/** Replaces the groups of a project. What a new group refers to must resolve in the project. */
export async function setProjectGroups(
  deps: Dependencies,
  origin: AuditOrigin,
  userId: string,
  projectId: string,
  groupIds: readonly string[]
): Promise<ProjectEnvGroups> {
  return deps.db.transaction(async (trx) => {
    ownedBy(await lockProject(trx, projectId), userId)
    const before = new Set((await listGroupsOfProject(trx, projectId)).map(({ id }) => id))
    const rows = (await lockEnvGroups(trx, groupIds)).filter((row) => row.userId === userId)
    const groups = groupIds.map((id) => rows.find((row) => row.id === id))
    if (groups.some((group) => group === undefined)) throw new AppError('NOT_FOUND', 'Group not found')
    await replaceGroupsOfProject(trx, projectId, groupIds)
    const added = groupIds.filter((id) => !before.has(id))
    if (added.length > 0)
      await requireReferences(deps, trx, projectId, ({ groupId }) => groupId !== null && added.includes(groupId))
    const names = groups.map((group) => group!.name)
    const entry = { actorId: userId, targetId: projectId, metadata: { groups: names } }
    await recordAudit(deps, trx, origin, { action: 'project.env_groups_set', ...entry })
    return { groups: groups.map((group) => ({ id: group!.id, name: group!.name })) }
  })
}

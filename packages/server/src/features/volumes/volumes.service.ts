import { type CreateVolume, maxVolumes, type ProjectVolume, type VolumeList } from '@panel/contract/volumes'
import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { newId } from '../../security/ids.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { projectChanged, runEffects } from '../hooks.ts'
import { getOwnProject, lockProject, ownedBy, type ProjectRow } from '../projects/project-access.ts'
import { getActor } from '../users/account-access.ts'
import { volumePathProblem } from './volume-path.policy.ts'
import { volumeView } from './volume-view.ts'
import { findVolumeNamed, insertVolume, listVolumes, updateVolume, type VolumeRow } from './volumes.repository.ts'

interface VolumeKey {
  projectId: string
  name: string
}

export async function showVolumes(
  { db }: Pick<Dependencies, 'db'>,
  userId: string,
  projectId: string
): Promise<VolumeList> {
  const project = await getOwnProject(db, projectId, userId)
  return { volumes: (await listVolumes(db, projectId)).map((row) => volumeView(row, project)) }
}

async function showVolume(deps: Dependencies, userId: string, { projectId, name }: VolumeKey): Promise<ProjectVolume> {
  const project = await getOwnProject(deps.db, projectId, userId)
  return volumeView(requireVolume(await findVolumeNamed(deps.db, projectId, name)), project)
}

interface Change {
  trx: Transaction
  project: ProjectRow
  now: Date
}

/** Changes rows in a transaction that holds the lock of the project. */
async function changeVolume(
  deps: Dependencies,
  origin: AuditOrigin,
  userId: string,
  { projectId, name }: VolumeKey,
  entry: { action: 'volume.created' | 'volume.resized' | 'volume.deleted'; metadata?: object },
  change: (facts: Change) => Promise<unknown>
): Promise<void> {
  const effects = await deps.db.transaction(async (trx) => {
    const project = ownedBy(await lockProject(trx, projectId), userId)
    await getActor(trx, userId)
    await change({ trx, project, now: deps.now() })
    const { action, metadata = {} } = entry
    await recordAudit(deps, trx, origin, { action, actorId: userId, targetId: projectId, metadata: { volume: name, ...metadata } }) // oxfmt-ignore
    return action === 'volume.resized' ? [] : projectChanged(deps, trx, 'mountsChanged', project)
  })
  await runEffects(deps, effects)
}

export async function createVolume(
  deps: Dependencies,
  origin: AuditOrigin,
  userId: string,
  projectId: string,
  { name, path, sizeMb, overCode }: CreateVolume
): Promise<ProjectVolume> {
  const key = { projectId, name }
  const entry = { action: 'volume.created', metadata: { path, sizeMb } } as const
  await changeVolume(deps, origin, userId, key, entry, async ({ trx, project, now }) => {
    const others = await listVolumes(trx, projectId)
    if (others.some((volume) => volume.name === name))
      throw new AppError('CONFLICT', `This project already has a volume named ${name}.`)
    if (others.length >= maxVolumes)
      throw new AppError('QUOTA_EXCEEDED', `A project can have ${maxVolumes} volumes. Delete one first.`)
    const problem = volumePathProblem({ path, overCode }, { type: project.type, volumes: others })
    if (problem) throw new AppError(problem.code, problem.message)
    await insertVolume(trx, { id: newId(now.getTime()), projectId, name, path, sizeMb, createdAt: now, updatedAt: now })
  })
  return showVolume(deps, userId, key)
}

export async function resizeVolume(
  deps: Dependencies,
  origin: AuditOrigin,
  userId: string,
  key: VolumeKey,
  sizeMb: number
): Promise<ProjectVolume> {
  const entry = { action: 'volume.resized', metadata: { sizeMb } } as const
  await changeVolume(deps, origin, userId, key, entry, async ({ trx, now }) => {
    const { id } = requireVolume(await findVolumeNamed(trx, key.projectId, key.name))
    await updateVolume(trx, id, { sizeMb, overSince: null, updatedAt: now })
  })
  return showVolume(deps, userId, key)
}

/** The files stay until no container of the project mounts them any more. */
export async function deleteVolume(
  deps: Dependencies,
  origin: AuditOrigin,
  userId: string,
  key: VolumeKey,
  confirmedName: string
): Promise<void> {
  if (confirmedName !== key.name)
    throw new AppError(
      'VALIDATION_ERROR',
      'The name does not match. Repeat the name of the volume to delete its files.'
    )
  await changeVolume(deps, origin, userId, key, { action: 'volume.deleted' }, async ({ trx, now }) => {
    const { id } = requireVolume(await findVolumeNamed(trx, key.projectId, key.name))
    await updateVolume(trx, id, { deletedAt: now, updatedAt: now })
  })
}

function requireVolume(row: VolumeRow | undefined): VolumeRow {
  if (!row) throw new AppError('NOT_FOUND', 'Volume not found')
  return row
}

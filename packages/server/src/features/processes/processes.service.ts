import { pagination } from '@panel/contract/common'
import { type CreateProcess, isWorkerName, type ProcessList, type ProcessQuery, type ProjectProcess, type UpdateProcess } from '@panel/contract/processes' // oxfmt-ignore
import type { Queryable, Transaction } from '../../db/database.ts'
import type { ImageSpec } from '../../db/schema/deployments.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { operateContainer } from '../containers/containers.service.ts'
import { findDeployment } from '../deployments/deployment-access.ts'
import { getOwnProject, lockProject, ownedBy, type ProjectRow } from '../projects/project-access.ts'
import { getActor, lockWithResellers, type UserRow } from '../users/account-access.ts'
import { noCapacity } from '../users/capacity.policy.ts'
import { requireCapacity } from '../users/capacity.service.ts'
import { publishChange } from './crash-loops.service.ts'
import { readInstances } from './process-instances.service.ts'
import { refuseAboveLimits, workerCapacity } from './process-limits.policy.ts'
import { siteProcesses, workerView } from './process-view.ts'
import { countInstances, deleteProcess, healed, insertProcess, listProcesses, lockProcess, type ProcessRow, updateProcess } from './processes.repository.ts' // oxfmt-ignore

type Deps = Dependencies
type Procfile = NonNullable<ImageSpec['processes']>

export interface ProcessKey {
  projectId: string
  name: string
}

export async function procfileOf(db: Queryable, { id, liveDeploymentId }: ProjectRow): Promise<Procfile> {
  const live = liveDeploymentId === null ? undefined : await findDeployment(db, id, liveDeploymentId)
  return live?.imageSpec?.processes ?? {}
}

/** web, release, then the workers by name. */
async function listViews(deps: Deps, project: ProjectRow): Promise<ProjectProcess[]> {
  const [procfile, rows, { instances }] = await Promise.all([
    procfileOf(deps.db, project),
    listProcesses(deps.db, project.id),
    readInstances(deps, project.id)
  ])
  const isLive = project.liveDeploymentId !== null && project.status !== 'STOPPED'
  const workers = rows.map((row) => {
    const running = instances && (Object.hasOwn(instances, row.name) ? instances[row.name] : [])
    return workerView(deps.config, row, { procfile, isLive, running })
  })
  // The settings of a worker that this release does not have are kept for one that has it again.
  return [...siteProcesses(deps.config, project, procfile), ...workers.filter(({ command }) => command !== null)]
}

export async function showProcesses(
  deps: Deps,
  userId: string,
  projectId: string,
  { page, limit }: ProcessQuery
): Promise<ProcessList> {
  const all = await listViews(deps, await getOwnProject(deps.db, projectId, userId))
  return {
    processes: all.slice((page - 1) * limit, page * limit),
    pagination: pagination(page, limit, all.length)
  }
}

async function showProcess(deps: Deps, userId: string, { projectId, name }: ProcessKey): Promise<ProjectProcess> {
  const all = await listViews(deps, await getOwnProject(deps.db, projectId, userId))
  const found = all.find((each) => each.name === name)
  if (!found) throw notFound()
  return found
}

interface Change {
  trx: Transaction
  project: ProjectRow
  procfile: Procfile
  /** The account, last, and the resellers above it. */
  line: readonly UserRow[]
}

/** Changes rows in a transaction that holds the locks of account, resellers and project; a job brings the containers in line. */
async function changeProcess(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  key: ProcessKey,
  entry: {
    action: 'process.created' | 'process.updated' | 'process.deleted' | 'process.restarted'
    metadata?: object
  },
  change: (facts: Change) => Promise<unknown>
): Promise<void> {
  await getOwnProject(deps.db, key.projectId, userId)
  await deps.db.transaction(async (trx) => {
    const line = await lockWithResellers(trx, userId)
    await getActor(trx, userId)
    const project = ownedBy(await lockProject(trx, key.projectId), userId)
    await change({ trx, project, line, procfile: await procfileOf(trx, project) })
    const { action, metadata = {} } = entry
    const facts = { targetId: project.id, metadata: { process: key.name, ...metadata } }
    await recordAudit(deps, trx, origin, { action, actorId: userId, ...facts })
    await publishChange(deps, trx, { projectId: project.id, userId })
    await requestSync(deps, trx, project)
  })
}

const requestSync = (
  { jobs }: Pick<Deps, 'jobs'>,
  trx: Transaction,
  { id, userId }: Pick<ProjectRow, 'id' | 'userId'>
): Promise<void> => jobs.enqueue(trx, 'processes.sync', { projectId: id }, { key: id, account: userId })

export async function createProcess(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  projectId: string,
  input: CreateProcess
): Promise<ProjectProcess> {
  refuseAboveLimits(deps.config, input)
  const key = { projectId, name: input.name }
  // Not the command, which may contain a password.
  const { instances, memoryMb, cpus } = input
  const entry = { action: 'process.created', metadata: { instances, memoryMb, cpus } } as const
  await changeProcess(deps, origin, userId, key, entry, async ({ trx, procfile, line }) => {
    await requireInstances(deps, trx, userId, instances)
    const existing = await lockProcess(trx, projectId, input.name)
    if (existing && isPresent(existing, procfile))
      throw new AppError('CONFLICT', `This project already has a process named ${input.name}.`)
    // A worker that an earlier release had.
    if (existing) await updateProcess(trx, existing, { ...input, updatedAt: deps.now() })
    else await insertProcess(trx, { ...input, projectId })
    await requireCapacity(deps, trx, line, { before: noCapacity, after: workerCapacity(deps.config, input) })
  })
  return showProcess(deps, userId, key)
}

export async function changeWorker(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  key: ProcessKey,
  input: UpdateProcess
): Promise<ProjectProcess> {
  refuseAboveLimits(deps.config, input)
  const { command, ...sizes } = input
  const metadata = { ...sizes, ...(command === undefined ? {} : { command: 'changed' }) }
  const entry = { action: 'process.updated', metadata } as const
  await changeProcess(deps, origin, userId, key, entry, async ({ trx, procfile, line }) => {
    const before = requireWorker(await lockProcess(trx, key.projectId, key.name), key, procfile)
    if (command === null && !Object.hasOwn(procfile, key.name))
      throw new AppError(
        'CONFLICT',
        'The Procfile of the live release has no such process. Delete the process instead.'
      )
    if (input.instances !== undefined) await requireInstances(deps, trx, userId, input.instances - before.instances)
    await updateProcess(trx, before, {
      ...(isOnlyScaled(input) ? {} : healed),
      ...defined(input),
      updatedAt: deps.now()
    })
    const after = { ...before, ...defined(input) }
    const change = { before: workerCapacity(deps.config, before), after: workerCapacity(deps.config, after) }
    await requireCapacity(deps, trx, line, change)
  })
  return showProcess(deps, userId, key)
}

const isOnlyScaled = ({ instances, ...others }: UpdateProcess): boolean =>
  Object.keys(others).length === 0 && instances !== 0

const defined = (input: UpdateProcess): Partial<ProcessRow> =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))

export async function removeProcess(deps: Deps, origin: AuditOrigin, userId: string, key: ProcessKey): Promise<void> {
  await changeProcess(deps, origin, userId, key, { action: 'process.deleted' }, async ({ trx, procfile }) => {
    requireWorker(await lockProcess(trx, key.projectId, key.name), key, procfile)
    if (Object.hasOwn(procfile, key.name))
      throw new AppError('CONFLICT', 'This process is in the Procfile. Scale it to 0, or remove it from the Procfile.')
    await deleteProcess(trx, key.projectId, key.name)
  })
}

/** web restarts as its container does; a worker gets new containers, with the current variables. */
export async function restartProcess(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  key: ProcessKey
): Promise<ProjectProcess> {
  if (key.name === 'web') await operateContainer(deps, origin, userId, key.projectId, 'restart')
  else
    await changeProcess(deps, origin, userId, key, { action: 'process.restarted' }, async ({ trx, procfile }) => {
      const before = requireWorker(await lockProcess(trx, key.projectId, key.name), key, procfile)
      await updateProcess(trx, before, { ...healed, restarts: before.restarts + 1, updatedAt: deps.now() })
    })
  return showProcess(deps, userId, key)
}

const isPresent = ({ command, name }: ProcessRow, procfile: Procfile): boolean =>
  command !== null || Object.hasOwn(procfile, name)

function requireWorker(row: ProcessRow | undefined, { name }: ProcessKey, procfile: Procfile): ProcessRow {
  if (!isWorkerName(name))
    throw new AppError('CONFLICT', `${name} is not a worker. Its command is a setting of the project.`)
  if (!row || !isPresent(row, procfile)) throw notFound()
  return row
}

/** The caller holds the account lock. */
async function requireInstances(deps: Deps, trx: Transaction, userId: string, more: number): Promise<void> {
  const most = deps.config.WORKERS_PER_ACCOUNT
  if (more > 0 && (await countInstances(trx, userId)) + more > most)
    throw new AppError('QUOTA_EXCEEDED', `Your account can have ${most} worker instances in total. Scale others down.`)
}

const notFound = () => new AppError('NOT_FOUND', 'Process not found')

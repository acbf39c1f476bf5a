import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import { storable } from '../../text/storable.ts'
import { maskSecrets } from '../deployments/masking.service.ts'
import { listSecrets } from '../env-vars/environment.service.ts'
import { notify } from '../notifications/notify-access.ts'
import { findProject } from '../projects/project-access.ts'
import { type FoundInstance, isCrashLooping, isSteady } from './process-plan.policy.ts'
import { type LiveWorker, moveCrashing } from './processes.repository.ts'

const keptLines = 20
const keptCharacters = 8 * 1024
const notifyEverySeconds = 3600

/** Records when a worker begins or ends to crash-loop. Resolves with whether it has to be looked at again soon. */
export async function checkCrashLoop(
  deps: Dependencies,
  worker: LiveWorker,
  instances: readonly FoundInstance[]
): Promise<boolean> {
  const isSuspect = worker.crashingSince !== null || instances.some(({ status }) => status === 'restarting')
  if (!isSuspect) return false
  const states = (await Promise.all(instances.map(({ id }) => deps.engine.findContainer(id)))).filter(
    (state) => state !== undefined
  )
  const now = deps.now()
  const crashing = states.find((state) => isCrashLooping(state, now))
  if (crashing && worker.crashingSince === null) await recordCrashLoop(deps, worker, crashing.id)
  if (!crashing && worker.crashingSince !== null && states.every((state) => isSteady(state, now)))
    await deps.db.transaction(async (trx) => {
      const moved = await moveCrashing(trx, worker, { crashingSince: null, lastLines: null })
      if (moved) await publishChange(deps, trx, worker)
    })
  return true
}

async function recordCrashLoop(deps: Dependencies, worker: LiveWorker, containerId: string): Promise<void> {
  const lastLines = await readLastLines(deps, worker.projectId, containerId)
  // A worker that comes back and crashes again must not send an email each time.
  const isNotified = await deps.sessions.add(`crash:${worker.projectId}:${worker.name}`, '1', notifyEverySeconds)
  await deps.db.transaction(async (trx) => {
    const moved = await moveCrashing(trx, worker, { crashingSince: deps.now(), lastLines })
    if (!moved) return
    await publishChange(deps, trx, worker)
    const project = await findProject(trx, worker.projectId)
    if (!project || !isNotified) return
    await notify(deps, trx, {
      userId: worker.userId,
      kind: 'worker-crashing',
      subject: { type: 'project', id: project.id, name: project.name },
      text: [{ code: 'WORKER_CRASHING', values: { process: worker.name, project: project.name } }],
      link: `/projects/${project.id}/processes`
    })
  })
}

async function readLastLines(deps: Dependencies, projectId: string, containerId: string): Promise<string | null> {
  try {
    const secrets = await listSecrets(deps, projectId)
    const log = await deps.engine.containerLogs(containerId, keptLines)
    return storable((await maskSecrets(secrets, log)).slice(-keptCharacters))
  } catch (error) {
    deps.logger.warn({ projectId, error: messageOf(error) }, 'could not read the last lines of a worker')
    return null
  }
}

export const publishChange = (
  { events }: Pick<Dependencies, 'events'>,
  trx: Transaction,
  { projectId, userId }: Pick<LiveWorker, 'projectId' | 'userId'>
): Promise<void> =>
  events.publish(trx, { to: { userId }, name: 'changed', data: { type: 'process', id: projectId, projectId } })

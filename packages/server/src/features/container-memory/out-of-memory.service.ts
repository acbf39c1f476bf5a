import type { Dependencies } from '../../dependencies.ts'
import { label } from '../../infra/container-engine/labels.ts'
import { appendLog } from '../deployments/deployment-access.ts'
import { notify } from '../notifications/notify-access.ts'
import { recordWorkerOutOfMemory } from '../processes/worker-memory.service.ts'
import { lockProject, updateProject } from '../projects/project-access.ts'

const quietSeconds = 3600

/** Records that the live container of a project or worker ran out of memory, and tells the owner at most once an hour. */
export async function recordOutOfMemory(deps: Dependencies, containerId: string): Promise<void> {
  const state = await deps.engine.findContainer(containerId)
  const projectId = state?.labels[label.project]
  // A run has its own result (features/runs).
  if (state === undefined || projectId === undefined || state.labels[label.run] !== undefined) return
  const memoryMb = Math.floor(state.memoryBytes / 2 ** 20)
  const process = state.labels[label.process]
  if (process !== undefined) return recordWorkerOutOfMemory(deps, { projectId, name: process }, memoryMb)
  const isFirst = await deps.sessions.add(`out-of-memory:${containerId}`, '1', quietSeconds)
  await deps.db.transaction(async (trx) => {
    const project = await lockProject(trx, projectId)
    const deploymentId = state.labels[label.deployment]
    if (!project || deploymentId === undefined || project.liveDeploymentId !== deploymentId) return
    const now = deps.now()
    await updateProject(trx, projectId, { outOfMemoryAt: now, outOfMemoryMb: memoryMb }, now)
    if (!isFirst) return
    const line = `A process ran out of the container's ${memoryMb} MB of memory and was killed. Give the project a larger size.`
    await appendLog(trx, deploymentId, `\n${line}\n`)
    await notify(deps, trx, {
      userId: project.userId,
      kind: 'container-out-of-memory',
      subject: { type: 'project', id: project.id, name: project.name },
      text: [
        { code: 'CONTAINER_OUT_OF_MEMORY', values: { project: project.name, memory: String(memoryMb) } },
        { code: 'GIVE_MORE_MEMORY' }
      ],
      link: `/projects/${project.id}/settings`
    })
  })
}

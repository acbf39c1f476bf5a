import type { Dependencies } from '../../dependencies.ts'
import { appendLog } from '../deployments/deployment-access.ts'
import { notify } from '../notifications/notify-access.ts'
import { lockProject } from '../projects/project-access.ts'
import { publishChange } from './crash-loops.service.ts'
import { lockProcess, updateProcess } from './processes.repository.ts'

const notifyEverySeconds = 3600

/** Records that an instance of a worker ran out of memory, and tells the owner at most once an hour. */
export async function recordWorkerOutOfMemory(
  deps: Dependencies,
  { projectId, name }: { projectId: string; name: string },
  memoryMb: number
): Promise<void> {
  // Of all instances together: one that crash-loops must not send an email each time.
  const isFirst = await deps.sessions.add(`out-of-memory:${projectId}:${name}`, '1', notifyEverySeconds)
  await deps.db.transaction(async (trx) => {
    const project = await lockProject(trx, projectId)
    const worker = project && (await lockProcess(trx, projectId, name))
    if (!project || !worker) return
    await updateProcess(trx, worker, { outOfMemoryAt: deps.now(), outOfMemoryMb: memoryMb })
    await publishChange(deps, trx, { projectId, userId: project.userId })
    if (!isFirst) return
    const line = `A process of the worker ${name} ran out of the container's ${memoryMb} MB of memory and was killed. Give the worker more memory.`
    if (project.liveDeploymentId !== null) await appendLog(trx, project.liveDeploymentId, `\n${line}\n`)
    await notify(deps, trx, {
      userId: project.userId,
      kind: 'worker-out-of-memory',
      subject: { type: 'project', id: project.id, name: project.name },
      text: [
        {
          code: 'WORKER_OUT_OF_MEMORY',
          values: { process: name, project: project.name, memory: String(memoryMb) }
        },
        { code: 'GIVE_WORKER_MORE_MEMORY' }
      ],
      link: `/projects/${project.id}/processes`
    })
  })
}

import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import type { WorkerContext } from '../feature.ts'
import { listDueImages } from './image-checks.repository.ts'
import { checkImageOf } from './image-updates.service.ts'

const batch = { limit: 40, perAccount: 4 }
const atOnce = 8

/** One batch of the checks that are due; the next run takes the next one. */
export async function checkDueImages(deps: Dependencies, { signal }: Pick<WorkerContext, 'signal'>): Promise<void> {
  const due = await listDueImages(deps.db, { now: deps.now(), ...batch })
  const next = async (): Promise<void> => {
    for (let id = due.shift(); id !== undefined && !signal.aborted; id = due.shift()) {
      const projectId = id
      await checkImageOf(deps, projectId).catch((error: unknown) =>
        deps.logger.warn({ error: messageOf(error), project: projectId }, 'could not check for a newer image')
      )
    }
  }
  await Promise.all(Array.from({ length: atOnce }, next))
}

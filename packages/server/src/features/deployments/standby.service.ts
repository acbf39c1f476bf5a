import type { Dependencies } from '../../dependencies.ts'
import { AdapterError } from '../../infra/adapter-error.ts'
import { EngineError } from '../../infra/container-engine/container-engine.ts'
import { messageOf } from '../../text/message-of.ts'
import { bringImage } from '../builds/image-copies.service.ts'
import { listSiteFacts } from '../nodes/node-access.ts'
import { onMachine } from '../nodes/on-machine.service.ts'
import { placeable, readSituation } from '../nodes/placement.service.ts'
import { standbysOf } from '../nodes/spread.policy.ts'
import { listImages } from './deployments.repository.ts'

const keptSeconds = 600
const standbyKey = (projectId: string) => `standby:${projectId}`

/** The machine on which the project is to start if its own is lost or drained; it has the image. Undefined if none was prepared. */
export const standbyOf = ({ sessions }: Pick<Dependencies, 'sessions'>, projectId: string) =>
  sessions.get(standbyKey(projectId))

/**
 * Decides for each project on an added machine where it starts if that machine is lost, and copies its image there: copying takes
 * longer than the start. The panel's machine has every image. Idempotent.
 */
export async function prepareStandbys(deps: Dependencies, { signal }: { signal: AbortSignal }): Promise<void> {
  const { nodes, usage } = await readSituation(deps, deps.db)
  for (const { id, status } of nodes) {
    if (id === deps.nodeId || status === 'AWAY') continue
    const found = (await listSiteFacts(deps.db, id)).toSorted((a, b) => (a.projectId < b.projectId ? -1 : 1))
    const sites = []
    for (const { projectId, facts } of found)
      sites.push({ id: projectId, project: placeable(facts), earlier: await standbyOf(deps, projectId) })
    const standbys = standbysOf(sites, id, nodes, usage)
    const images = await listImages(deps.db, [...standbys.keys()])
    for (const [projectId, places] of standbys) {
      signal.throwIfAborted()
      const image = images.get(projectId)
      if (image !== undefined && (await isBrought(deps, { image, places, signal })))
        await deps.sessions.set(standbyKey(projectId), places[0]!, keptSeconds)
    }
  }
}

async function isBrought(
  deps: Dependencies,
  { image, places, signal }: { image: string; places: readonly string[]; signal: AbortSignal }
): Promise<boolean> {
  try {
    for (const place of new Set(places)) await bringImage(await onMachine(deps, place), image, signal)
    return true
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof AdapterError || error instanceof EngineError)) throw error
    deps.logger.info(
      { image, machines: places, error: messageOf(error) },
      'could not copy an image to the machine that may need it'
    )
    return false
  }
}

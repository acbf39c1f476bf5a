import { findNode, listNodesWithNetworks } from '../../db/nodes.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AdapterError } from '../../infra/adapter-error.ts'
import type { NodeAdapters } from '../../infra/node-connection/nodes.ts'
import { messageOf } from '../../text/message-of.ts'
import { awayAfter } from './node-state.policy.ts'

type There = Pick<Dependencies, 'engine' | 'fileStore' | 'hostFirewall' | 'hostHelper' | 'hostsFiles' | 'nodeId'>

/** What a machine has, and the way to the others. */
export type OnMachine = There & Pick<Dependencies, 'db' | 'nodes'>

/**
 * The programs of a machine. Rejects with AdapterError node-unavailable if the machine does not belong to the panel, and at
 * once if it does not respond: a request must not wait for another attempt to connect. Does not connect yet.
 */
export async function adaptersOn({ db, nodes }: Pick<Dependencies, 'db' | 'nodes'>, id: string): Promise<NodeAdapters> {
  const row = id === nodes.ownId ? undefined : await findNode(db, id)
  if (row && row.missedChecks >= awayAfter)
    throw new AdapterError(
      'node-unavailable',
      'The machine of this project is not responding. Try again in a few minutes.'
    )
  return nodes.forNode(id)
}

/**
 * The dependencies with the programs of a machine in place of the current one's: what gets them works there. Rejects like
 * `adaptersOn`.
 */
export async function onMachine<Deps extends OnMachine>(deps: Deps, nodeId: string): Promise<Deps> {
  if (nodeId === deps.nodeId) return deps
  const { engine, fileStore, hostFirewall, hostHelper, hostsFiles } = await adaptersOn(deps, nodeId)
  return { ...deps, engine, fileStore, hostFirewall, hostHelper, hostsFiles, nodeId }
}

/** Whether the engine of a machine could not be asked: what is due there is left to reconcile. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof AdapterError && (error.kind === 'node-unavailable' || error.kind === 'container-engine-unavailable')

/** Of a machine, for callers that need nothing else of it. */
export const engineOn = async (
  deps: Pick<Dependencies, 'db' | 'engine' | 'nodeId' | 'nodes'>,
  id: string
): Promise<Dependencies['engine']> => (id === deps.nodeId ? deps.engine : (await adaptersOn(deps, id)).engine)

/**
 * Works on the panel's own machine and then, at once, on each other one that has or had containers. One that does not respond
 * is left as it is. Resolves with what the machines that answered said; rejects at the end if the work failed on the panel's own.
 */
export async function onEachMachine<Deps extends OnMachine & Pick<Dependencies, 'logger'>, T>(
  deps: Deps,
  work: (there: Deps) => Promise<T>
): Promise<T[]> {
  const [own] = await Promise.allSettled([work(deps)])
  const results: T[] = []
  const others = (await listNodesWithNetworks(deps.db)).filter(({ id }) => id !== deps.nodeId)
  const attempts = others.map(async ({ id, missedChecks }) => {
    if (missedChecks >= awayAfter) return
    try {
      results.push(await work(await onMachine(deps, id)))
    } catch (error) {
      deps.logger.warn({ machine: id, error: messageOf(error) }, 'could not work on a machine')
    }
  })
  await Promise.all(attempts)
  if (own.status === 'rejected') throw own.reason
  return [own.value, ...results]
}

import { listNodesWithNetworks } from '../../db/nodes.ts'
import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import { awayAfter } from './node-state.policy.ts'

type There = Pick<Dependencies, 'engine' | 'fileStore' | 'hostFirewall' | 'hostHelper' | 'hostsFiles' | 'nodeId'>

/** What a machine has, and the way to the others. */
export type OnMachine = There & Pick<Dependencies, 'nodes'>

/**
 * The dependencies with the programs of a machine in place of the current one's: what gets them works there. Rejects with
 * AdapterError node-unavailable if the machine does not belong to the panel. Does not connect yet.
 */
export async function onMachine<Deps extends OnMachine>(deps: Deps, nodeId: string): Promise<Deps> {
  if (nodeId === deps.nodeId) return deps
  const { engine, fileStore, hostFirewall, hostHelper, hostsFiles } = await deps.nodes.forNode(nodeId)
  return { ...deps, engine, fileStore, hostFirewall, hostHelper, hostsFiles, nodeId }
}

/** Of a machine, for callers that need nothing else of it. */
export const engineOn = async (
  { engine, nodeId, nodes }: Pick<Dependencies, 'engine' | 'nodeId' | 'nodes'>,
  id: string
): Promise<Dependencies['engine']> => (id === nodeId ? engine : (await nodes.forNode(id)).engine)

/**
 * Works on the panel's own machine and then, at once, on each other one that has or had containers. One that does not respond
 * is left as it is. Resolves with what the machines that answered said.
 */
export async function onEachMachine<Deps extends OnMachine & Pick<Dependencies, 'db' | 'logger'>, T>(
  deps: Deps,
  work: (there: Deps) => Promise<T>
): Promise<T[]> {
  const results = [await work(deps)]
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
  return results
}

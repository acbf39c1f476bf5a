import { withTimeLimit } from '../../concurrency/time-limit.ts'
import { findNode, listReachedNodes } from '../../db/nodes.ts'
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
  const attempts = (await listOthers(deps)).map(async (id) => {
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

/** Those that respond. */
async function listOthers({ db, nodeId }: OnMachine): Promise<string[]> {
  const rows = await listReachedNodes(db)
  return rows.filter(({ id, missedChecks }) => id !== nodeId && missedChecks < awayAfter).map(({ id }) => id)
}

type Round = 'again' | 'done'

/** Steps in progress by name and machine. Per process. */
const underWay = new WeakMap<OnMachine['nodes'], Map<string, Promise<unknown>>>()
const defaultWaitMs = 5_000

/**
 * A reconcile step on every machine. One that takes long, because its engine hangs for example, continues in the background and
 * is skipped in the next rounds until it has ended, so that the others do not wait for it.
 */
export async function reconcileMachines<Deps extends OnMachine & Pick<Dependencies, 'logger'>>(
  deps: Deps,
  step: string,
  work: (there: Deps) => Promise<Round>,
  waitMs = defaultWaitMs
): Promise<Round> {
  const running = underWay.get(deps.nodes) ?? new Map<string, Promise<unknown>>()
  underWay.set(deps.nodes, running)
  const [own] = await Promise.allSettled([work(deps)])
  const rounds: Promise<Round>[] = []
  for (const id of await listOthers(deps)) {
    const key = `${step} ${id}`
    if (running.has(key)) continue
    const round = onMachine(deps, id)
      .then(work)
      .catch((error: unknown): Round => {
        deps.logger.warn({ machine: id, step, error: messageOf(error) }, 'could not work on a machine')
        return 'done'
      })
      .finally(() => running.delete(key))
    running.set(key, round)
    rounds.push(withTimeLimit(round, waitMs).catch((): Round => 'again'))
  }
  const results = await Promise.all(rounds)
  if (own.status === 'rejected') throw own.reason
  return [own.value, ...results].includes('again') ? 'again' : 'done'
}

import { setTimeout as sleep } from 'node:timers/promises'
import { withTimeLimit } from '../../concurrency/time-limit.ts'
import { findNode } from '../../db/nodes.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { Edge } from '../../infra/reverse-proxy/edge.ts'
import { messageOf } from '../../text/message-of.ts'
import { awayAfter } from './node-state.policy.ts'
import { checkMachine } from './nodes.jobs.ts'
import { listNodes, type NodeRow } from './nodes.repository.ts'
import { keepOneOfEach } from './watch-machines.service.ts'

type Deps = Pick<Dependencies, 'db' | 'logger' | 'nodes'>

type FollowDeps = Deps & Parameters<typeof checkMachine>[0]

const everyMs = 1_000
const lookEveryMs = 10_000
/** A deployment waits no longer for an edge: it ends with containers that it still sends visitors to. */
const waitMs = 15_000

const isReachedEdge = ({ roles, missedChecks }: Pick<NodeRow, 'roles' | 'missedChecks'>): boolean =>
  roles.includes('EDGE') && missedChecks < awayAfter

/** Added machines for visitors that respond. */
async function listEdges({ db, nodes }: Pick<Deps, 'db' | 'nodes'>): Promise<string[]> {
  return (await listNodes(db)).filter((row) => row.id !== nodes.ownId && isReachedEdge(row)).map(({ id }) => id)
}

/** Keeps the proxy of each edge equal to the panel's. Only one process does, as for the probes of machines. */
export const followEdges = (
  deps: FollowDeps,
  { isOldest }: { isOldest: () => Promise<boolean> },
  signal: AbortSignal
): Promise<void> =>
  keepOneOfEach(
    async () => {
      const edges = await listEdges(deps)
      return edges.length > 0 && (await isOldest().catch(() => false)) ? edges : []
    },
    (id, until) => followEdge(deps, id, until),
    signal,
    lookEveryMs
  )

/** A machine whose proxy begins or ceases to serve is checked at once, since DNS records follow from that. */
async function followEdge(deps: FollowDeps, id: string, signal: AbortSignal): Promise<void> {
  let problem: string | undefined
  while (!signal.aborted) {
    const found = await follow(deps, id).then(
      () => '',
      (error: unknown) => messageOf(error)
    )
    if (found !== problem) {
      if (found !== '') deps.logger.warn({ machine: id, error: found }, 'could not update the proxy of a machine')
      await checkMachine(deps, id).catch(() => {}) // Checked every minute anyway.
    }
    problem = found
    await sleep(everyMs, undefined, { signal }).catch(() => {}) // Woken up to stop.
  }
}

/** Nothing if visitors may no longer use it. */
async function follow(deps: Deps, id: string): Promise<void> {
  const row = await findNode(deps.db, id)
  if (row && isReachedEdge(row)) await (await deps.nodes.forNode(id)).edge?.follow()
}

/** Before containers end: every edge that responds sends new requests elsewhere. One that fails does not hold it up. */
export async function catchUpEdges(deps: Deps): Promise<readonly Edge[]> {
  const edges: Edge[] = []
  const attempts = (await listEdges(deps)).map(async (id) => {
    const { edge } = await deps.nodes.forNode(id)
    if (!edge) return
    await withTimeLimit(edge.follow(), waitMs)
    edges.push(edge)
  })
  for (const result of await Promise.allSettled(attempts))
    if (result.status === 'rejected')
      deps.logger.warn({ error: messageOf(result.reason) }, 'could not update the proxy of a machine')
  return edges
}

/** After the role was taken from a machine. Nothing if it has it again. */
export async function removeEdge(deps: Pick<Deps, 'db' | 'nodes'>, { id }: { id: string }): Promise<void> {
  const row = await findNode(deps.db, id)
  if (row && !row.roles.includes('EDGE')) await (await deps.nodes.forNode(id)).edge?.remove()
}

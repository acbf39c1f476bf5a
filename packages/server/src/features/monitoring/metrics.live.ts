import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { ContainerMetric } from '@panel/contract/monitoring'
import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import { type LiveFollower, liveSubscription } from '../live-subscription.ts'
import { containerMetrics, serverMetrics } from './reading.service.ts'

const everyMs = 5_000

interface Round {
  followers: Set<LiveFollower>
  isRunning: boolean
}
const rounds = new WeakMap<Dependencies['db'], Round>()

/** Samples once for all subscribers of this process and sends each what it may see. Ends without subscribers. */
async function sampleRound(deps: Dependencies, round: Round): Promise<void> {
  if (round.isRunning) return
  round.isRunning = true
  try {
    while (round.followers.size > 0) {
      const started = performance.now()
      await notifyOwner(deps, round.followers).catch((error: unknown) =>
        deps.logger.warn({ error: messageOf(error) }, 'live metrics')
      )
      await sleep(Math.max(0, everyMs - (performance.now() - started)), undefined, { ref: false })
    }
  } finally {
    round.isRunning = false
  }
}

async function notifyOwner(deps: Dependencies, followers: ReadonlySet<LiveFollower>): Promise<void> {
  const [server, containers] = await Promise.all([
    [...followers].some(isAdmin) ? serverMetrics(deps) : undefined,
    containerMetrics(deps)
  ])
  // One shared list per audience, so that it is encoded once.
  const all = containers.map(({ metric }) => metric)
  const own = new Map<string, ContainerMetric[]>()
  for (const { ownerId, metric } of containers) {
    const list = own.get(ownerId)
    if (list) list.push(metric)
    else own.set(ownerId, [metric])
  }
  const none: ContainerMetric[] = []
  for (const follower of followers) {
    // A new subscriber gets its first figures in the next round.
    if (isAdmin(follower) && server) follower.sendLatest('metrics:server', server)
    follower.sendLatest('metrics:containers', isAdmin(follower) ? all : (own.get(follower.caller.userId) ?? none))
  }
}

const isAdmin = ({ caller }: LiveFollower): boolean => caller.role === 'ADMIN'

export const liveMetrics = liveSubscription({
  input: z.unknown(),
  scope: 'read',
  // Open to everyone: `sampleRound` sends users only their own containers.
  authorize: async () => {},
  async follow(deps, follower) {
    const round = rounds.get(deps.db) ?? { followers: new Set(), isRunning: false }
    rounds.set(deps.db, round)
    round.followers.add(follower)
    const ended = new Promise<void>((resolve) => {
      if (follower.signal.aborted) resolve()
      follower.signal.addEventListener('abort', () => resolve(), { once: true })
    })
    void sampleRound(deps, round)
    await ended
    round.followers.delete(follower)
  }
})

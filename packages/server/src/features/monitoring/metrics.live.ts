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

/** One round for all who follow in a process: figures are asked for once, and each is told what it may see. Without anybody it ends. */
async function sampleRound(deps: Dependencies, round: Round): Promise<void> {
  if (round.isRunning) return
  round.isRunning = true
  try {
    while (round.followers.size > 0) {
      const started = performance.now()
      await notifyOwner(deps, round.followers).catch((error: unknown) =>
        deps.logger.warn({ error: messageOf(error) }, 'live figures')
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
  // One list for all who may see the same: it is encoded once.
  const all = containers.map(({ metric }) => metric)
  const own = new Map<string, ContainerMetric[]>()
  for (const { ownerId, metric } of containers) {
    const list = own.get(ownerId)
    if (list) list.push(metric)
    else own.set(ownerId, [metric])
  }
  const none: ContainerMetric[] = []
  for (const follower of followers) {
    // Who has just become one has them from the next round on.
    if (isAdmin(follower) && server) follower.sendLatest('metrics:server', server)
    follower.sendLatest('metrics:containers', isAdmin(follower) ? all : (own.get(follower.caller.userId) ?? none))
  }
}

const isAdmin = ({ caller }: LiveFollower): boolean => caller.role === 'ADMIN'

export const liveMetrics = liveSubscription({
  input: z.unknown(),
  scope: 'read',
  // Everybody may follow; what one is told are one's own figures.
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

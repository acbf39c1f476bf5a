import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { createSemaphore } from '../../concurrency/semaphore.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { raiseSetting } from '../../db/settings.ts'
import { messageOf } from '../../text/message-of.ts'
import type { JobQueue, Schedule } from './job-queue.ts'
import { latestMatch, parseCron } from '../../time/cron.policy.ts'

const minuteMs = 60_000
const retryMs = 1_000

type LatestSlot = (now: Date) => Date | undefined

function slotsOf(schedule: Schedule): LatestSlot {
  if (schedule.cron !== undefined) {
    const cron = parseCron(schedule.cron, schedule.timezone ?? 'UTC')
    return (now) => latestMatch(cron, now)
  }
  const everyMs = schedule.everySeconds * 1000
  if (!(everyMs > 0)) throw new Error(`the schedule of ${schedule.queue} has no interval`)
  return (now) => new Date(Math.floor(now.getTime() / everyMs) * everyMs)
}

/** Stores the last slot with its job in one transaction, so that only one process enqueues it. */
export function runSchedules(
  { db, jobs, logger }: { db: Database; jobs: Pick<JobQueue, 'enqueue'>; logger: Logger },
  schedules: readonly Schedule[]
): () => Promise<void> {
  const stopping = new AbortController()
  const { signal } = stopping
  setMaxListeners(schedules.length, signal)
  const queues = schedules.map(({ queue }) => queue)
  if (new Set(queues).size < queues.length) throw new Error('a queue can have only one schedule')
  // Most are due in the same second; at once, each would open a connection to the store.
  const oneAtATime = createSemaphore(1)
  const entries = schedules.map((schedule) => ({ schedule, latestSlot: slotsOf(schedule) }))

  const enqueue = async (schedule: Schedule, slot: Date): Promise<void> => {
    if (!((await schedule.isNeeded?.(db)) ?? true)) return
    await db.transaction(async (trx) => {
      if (await claimSlot(trx, schedule.queue, slot))
        await jobs.enqueue(trx, schedule.queue, schedule.data ?? {}, { key: 'schedule' })
    })
  }
  const keepEnqueuing = async ({ schedule, latestSlot }: (typeof entries)[number]) => {
    let enqueued: Date | undefined
    while (!signal.aborted) {
      const slot = latestSlot(new Date())
      let pauseMs = pauseUntilNext(schedule, new Date())
      if (slot && slot.getTime() !== enqueued?.getTime())
        try {
          await oneAtATime(() => enqueue(schedule, slot))
          enqueued = slot
        } catch (error) {
          logger.warn({ error: messageOf(error), queue: schedule.queue }, 'schedule')
          pauseMs = retryMs
        }
      await sleep(pauseMs, undefined, { signal }).catch(() => {}) // aborted by stop
    }
  }
  const running = entries.map(keepEnqueuing)
  return async () => {
    stopping.abort()
    await Promise.all(running)
  }
}

function pauseUntilNext(schedule: Schedule, now: Date): number {
  const everyMs = schedule.cron === undefined ? schedule.everySeconds * 1000 : minuteMs
  return Math.min(everyMs - (now.getTime() % everyMs), minuteMs)
}

/** Larger than any clock difference between processes. */
const setBackMs = 10 * minuteMs

// Claims a slot if it is later than the queue's last one. A last slot far in the future was claimed before the clock
// was set back and is ignored.
const claimSlot = (trx: Transaction, queue: string, slot: Date): Promise<boolean> =>
  raiseSetting(trx, `schedule:${queue}`, slot.toISOString(), new Date(slot.getTime() + setBackMs).toISOString())

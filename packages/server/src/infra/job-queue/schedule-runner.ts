import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Database, Transaction } from '../../db/database.ts'
import { raiseSetting } from '../../db/settings.ts'
import { messageOf } from '../../text/message-of.ts'
import type { JobQueue, Schedule } from './job-queue.ts'
import { latestMatch, parseCron } from './cron.policy.ts'

const minuteMs = 60_000
const tryAgainAfterMs = 1_000

/** The newest time at which the schedule was due. */
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

/**
 * Enqueues a job for each slot of the clock. The newest slot that was enqueued is a row of the store, written in the
 * transaction of the job: of several processes one gets to write it, whatever their clocks say. Returns what ends it.
 */
export function runSchedules(
  { db, jobs, logger }: { db: Database; jobs: Pick<JobQueue, 'enqueue'>; logger: Logger },
  schedules: readonly Schedule[]
): () => Promise<void> {
  const stopping = new AbortController()
  const { signal } = stopping
  // Each schedule waits with it.
  setMaxListeners(schedules.length, signal)
  const queues = schedules.map(({ queue }) => queue)
  if (new Set(queues).size < queues.length) throw new Error('a queue has one schedule')
  const entries = schedules.map((schedule) => ({ schedule, latestSlot: slotsOf(schedule) }))

  const keepEnqueuing = async ({ schedule, latestSlot }: (typeof entries)[number]) => {
    let enqueued: Date | undefined
    while (!signal.aborted) {
      const slot = latestSlot(new Date())
      let pauseMs = pauseUntilNext(schedule, new Date())
      if (slot && slot.getTime() !== enqueued?.getTime())
        try {
          if ((await schedule.isNeeded?.(db)) ?? true)
            await db.transaction(async (trx) => {
              if (await claimSlot(trx, schedule.queue, slot))
                await jobs.enqueue(trx, schedule.queue, schedule.data ?? {}, { key: 'schedule' })
            })
          enqueued = slot
        } catch (error) {
          logger.warn({ error: messageOf(error), queue: schedule.queue }, 'schedule')
          pauseMs = tryAgainAfterMs
        }
      await sleep(pauseMs, undefined, { signal }).catch(() => {}) // Woken to stop.
    }
  }
  const running = entries.map(keepEnqueuing)
  return async () => {
    stopping.abort()
    await Promise.all(running)
  }
}

/** To the next slot; of a cron line, to the next minute, which is looked at without the store. */
function pauseUntilNext(schedule: Schedule, now: Date): number {
  const everyMs = schedule.cron === undefined ? schedule.everySeconds * 1000 : minuteMs
  return Math.min(everyMs - (now.getTime() % everyMs), minuteMs)
}

/** Clocks of processes differ by less. */
const setBackMs = 10 * minuteMs

/**
 * Whether the slot is newer than the last one of its queue; it is the last one then. One that lies far ahead was claimed before the clock
 * was set back: work does not rest until that time comes again.
 */
const claimSlot = (trx: Transaction, queue: string, slot: Date): Promise<boolean> =>
  raiseSetting(trx, `schedule:${queue}`, slot.toISOString(), new Date(slot.getTime() + setBackMs).toISOString())

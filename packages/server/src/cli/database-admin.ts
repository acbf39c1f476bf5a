import { setTimeout as sleep } from 'node:timers/promises'
import type { Dependencies } from '../dependencies.ts'
import { messageOf } from '../message-of.ts'
import { step } from './command.ts'

type Deps = Pick<Dependencies, 'databaseAdmin' | 'logger'>

const probeEveryMs = 5_000
// Each try may fetch packages.
const longestBackOffMs = 10 * 60_000

/** Has the web administration of databases run, and looks after it. The first time its image is made, which takes a minute: nobody waits. */
export function startDatabaseAdmin({ databaseAdmin, logger }: Deps): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  const watch = async () => {
    for (let waitMs = probeEveryMs; !signal.aborted;) {
      try {
        await databaseAdmin.ensure({ log: step, signal })
        waitMs = probeEveryMs
      } catch (error) {
        if (signal.aborted) return
        logger.warn({ error: messageOf(error) }, 'web administration of databases')
        waitMs = Math.min(waitMs * 2, longestBackOffMs)
      }
      await sleep(waitMs, undefined, { signal }).catch(() => {}) // Woken to stop.
    }
  }
  const finished = watch()
  return {
    async stop() {
      stopping.abort()
      await finished
      await databaseAdmin.remove()
    }
  }
}

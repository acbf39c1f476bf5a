import { setTimeout as sleep } from 'node:timers/promises'
import { watchContainers } from '../container-watch.ts'
import type { Dependencies } from '../dependencies.ts'
import { messageOf } from '../message-of.ts'
import { createPause } from '../programs/pause.ts'
import { step } from './command.ts'

type Deps = Pick<Dependencies, 'databaseAdmin' | 'engine' | 'instanceId' | 'logger'>

export interface DatabaseAdminOptions {
  /** Between two looks at least, however many containers change. Default 5 s. */
  restMs?: number
  /** Between two looks while no container changes. Default 3 min. */
  lookEveryMs?: number
}

// Each try may fetch packages.
const longestBackOffMs = 10 * 60_000

/** Has the web administration of databases run, and looks after it. The first time its image is made, which takes a minute: nobody waits. */
export function startDatabaseAdmin(
  deps: Deps,
  { restMs = 5_000, lookEveryMs = 180_000 }: DatabaseAdminOptions = {}
): { stop(): Promise<void> } {
  const { databaseAdmin, logger } = deps
  const stopping = new AbortController()
  const { signal } = stopping
  const pause = createPause()
  let hasChanged = false
  const onChange = () => {
    hasChanged = true
    pause.wake()
  }
  const lookAlways = async () => {
    for (let backOffMs = restMs; !signal.aborted;) {
      let waitMs = restMs
      hasChanged = false
      try {
        await databaseAdmin.ensure({ log: step, signal })
        backOffMs = restMs
      } catch (error) {
        if (signal.aborted) return
        logger.warn({ error: messageOf(error) }, 'web administration of databases')
        waitMs = backOffMs = Math.min(backOffMs * 2, longestBackOffMs)
        hasChanged = true // There is something to do, whatever changes.
      }
      await sleep(waitMs, undefined, { signal }).catch(() => {}) // Woken to stop.
      if (!hasChanged && !signal.aborted) await pause.for(lookEveryMs - restMs)
    }
  }
  const finished = Promise.all([lookAlways(), watchContainers(deps, onChange, signal)])
  return {
    async stop() {
      stopping.abort()
      pause.wake()
      await finished
      await databaseAdmin.remove()
    }
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { keepConnected } from '../concurrency/keep-connected.ts'
import type { Dependencies } from '../dependencies.ts'
import { label } from '../infra/container-engine/labels.ts'
import { messageOf } from '../text/message-of.ts'
import { createPause } from '../programs/pause.ts'
import { step } from './command.ts'

type Deps = Pick<Dependencies, 'engine' | 'instanceId' | 'logger'>

/** A program that the panel runs in a container. */
interface OwnProgram {
  /** Name in the log. */
  title: string
  container: Pick<Dependencies['databaseAdmin'], 'ensure' | 'remove'>
}

export interface OwnContainerOptions {
  /** Minimum time between two checks, however many containers change. Default 5 s. */
  restMs?: number
  /** Time between two checks while no container changes. Default 3 min. */
  checkEveryMs?: number
}

// Each attempt may download packages.
const longestBackOffMs = 10 * 60_000

/** Starts the container and keeps it running. Returns at once, because the first image build takes a minute. */
export function startOwnContainer(
  deps: Deps,
  { title, container }: OwnProgram,
  { restMs = 5_000, checkEveryMs = 180_000 }: OwnContainerOptions = {}
): { stop(): Promise<void> } {
  const { logger } = deps
  const stopping = new AbortController()
  const { signal } = stopping
  const pause = createPause()
  let checksDue = 0
  const onChange = () => {
    // The engine reports an exit before its container list reflects it, so one check may still see it running.
    checksDue = 2
    pause.wake()
  }
  const checkLoop = async () => {
    for (let backOffMs = restMs; !signal.aborted;) {
      let waitMs = restMs
      checksDue = Math.max(0, checksDue - 1)
      try {
        await container.ensure({ log: step, signal })
        backOffMs = restMs
      } catch (error) {
        if (signal.aborted) return
        logger.warn({ error: messageOf(error) }, title)
        waitMs = backOffMs = Math.min(backOffMs * 2, longestBackOffMs)
        checksDue = Math.max(1, checksDue) // Retry even if no container changes.
      }
      await sleep(waitMs, undefined, { signal }).catch(() => {})
      if (checksDue === 0 && !signal.aborted) await pause.for(checkEveryMs - restMs)
    }
  }
  const watch = () => deps.engine.watchContainers({ [label.instance]: deps.instanceId }, onChange, signal)
  const finished = Promise.all([checkLoop(), keepConnected(watch, signal)])
  return {
    async stop() {
      stopping.abort()
      pause.wake()
      await finished
      await container.remove()
    }
  }
}

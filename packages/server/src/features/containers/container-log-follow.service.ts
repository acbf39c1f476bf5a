import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ContainerLogStart, ContainerLogSubscription } from '@panel/contract/deployments'
import { createConcurrencyLimit } from '../../concurrency/concurrency-limit.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import type { LiveFollower } from '../live-subscription.ts'
import { LogMessage, openContainerLog } from './container-log.service.ts'

// Each holds a connection to the worker, and one from the worker to the engine.
const followLimit = createConcurrencyLimit({ total: 200, perKey: 10, what: 'followed logs' })

const retryDelayMs = 1_000

/** Backpressure reaches the engine's log file. Resumes after the last text if the worker restarts. */
export function followContainerLog(
  deps: Dependencies,
  follower: LiveFollower,
  { projectId, ...start }: ContainerLogSubscription
): Promise<void> {
  return followLimit.run(follower.caller.userId, async () => {
    const { signal } = follower
    const known: ContainerLogStart = { ...start }
    const { process, instance } = start
    const source = { projectId, ...(process === undefined ? {} : { process, instance }) }
    while (!signal.aborted) {
      try {
        const { stream } = await openContainerLog(deps, follower.caller.userId, projectId, known, { signal })
        for await (const message of messagesIn(stream)) {
          if ('text' in message) {
            await follower.send('container:log', { ...source, ...message })
            known.since = message.next
          } else await follower.send('container:log-state', { ...source, ...message })
        }
      } catch (error) {
        // Client errors end the subscription; an unavailable worker or a broken stream is retried.
        if (signal.aborted || (error instanceof AppError && error.status < 500)) throw error
      }
      await sleep(retryDelayMs, undefined, { signal })
    }
  })
}

async function* messagesIn(stream: Readable): AsyncGenerator<LogMessage> {
  let rest = ''
  stream.setEncoding('utf8')
  for await (const piece of stream as AsyncIterable<string>) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop()!
    for (const line of lines) yield LogMessage.parse(JSON.parse(line))
  }
}

import type { LiveEnded } from '@panel/contract/live'
import type { Followed } from './follow.ts'
import type { Live } from './live.ts'
import { createLogPauses } from './pauses.ts'

type Refusal = NonNullable<LiveEnded['error']>

export const isFinal = ({ code }: Pick<Refusal, 'code'>): boolean => code === 'NOT_FOUND' || code === 'FORBIDDEN'

/** Resubscribes with backoff after an end or a refusal. Returns a stop function. */
export function followAgain(live: Live, name: string, followed: Followed): () => void {
  const pauses = createLogPauses()
  let end: () => void = () => {}
  let timer: number | undefined
  const on = Object.fromEntries(
    Object.entries(followed.on).map(([event, take]) => [
      event,
      (data: never) => {
        pauses.reset()
        take(data)
      }
    ])
  )
  const begin = () => {
    end = live.follow(name, {
      input: followed.input,
      on,
      onEnded(error) {
        end()
        followed.onEnded?.(error)
        if (error === undefined || !isFinal(error)) timer = window.setTimeout(begin, pauses.next())
      }
    })
  }
  begin()
  return () => {
    clearTimeout(timer)
    end()
  }
}

import { useEffect, useState } from 'react'
import { followAgain } from '../../live/follow-again.ts'
import { useLive } from '../../live/use-live.ts'
import { LogBuffer } from '../../ui/log-viewer/log-buffer.ts'
import { keptLines, type LogSource } from './containers.queries.ts'

type State = 'FOLLOWING' | 'STOPPED' | 'CONTAINER_MISSING' | 'CONTAINER_ENGINE_UNAVAILABLE'

interface Followed {
  buffer: LogBuffer
  state: State | undefined
  refusal: string | undefined
}

interface EventSource {
  projectId: string
  process?: string
  instance?: number
}

/** Follows the container’s log, also across replacements. */
export function useContainerLog(projectId: string, tail: number, { process, instance = 1 }: LogSource): Followed {
  const { live } = useLive()
  const [buffer] = useState(() => new LogBuffer(keptLines))
  const [notified, setReported] = useState<Pick<Followed, 'state' | 'refusal'>>({
    state: undefined,
    refusal: undefined
  })
  useEffect(() => {
    let since: string | undefined
    buffer.clear()
    const isOfThis = (event: EventSource) =>
      event.projectId === projectId && event.process === process && (event.instance ?? 1) === instance
    return followAgain(live, 'container-log', {
      input: () => ({
        projectId,
        tail,
        ...(process && { process, instance }),
        ...(since === undefined ? {} : { since })
      }),
      on: {
        'container:log': (event: EventSource & { text: string; next: string }) => {
          if (!isOfThis(event)) return
          since = event.next
          buffer.append(event.text)
        },
        'container:log-state': (event: EventSource & { state: State }) => {
          if (isOfThis(event)) setReported({ state: event.state, refusal: undefined })
        }
      },
      onEnded: (error) => error && setReported(refusalOf(error))
    })
  }, [live, projectId, tail, process, instance, buffer])
  return { buffer, ...notified }
}

const refusalOf = ({ code, message }: { code: string; message: string }) =>
  code === 'CONTAINER_MISSING' || code === 'CONTAINER_ENGINE_UNAVAILABLE'
    ? { state: code as State, refusal: undefined }
    : { state: undefined, refusal: message }

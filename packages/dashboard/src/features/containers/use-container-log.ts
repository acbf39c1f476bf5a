import type { ErrorCode } from '../../api/client.ts'
import { useEffect, useState } from 'react'
import { useLive } from '../../live/use-live.ts'
import { LogBuffer } from '../../ui/log-viewer/log-buffer.ts'

/** How the container stands of which the log is, as the channel says it. */
type State = 'FOLLOWING' | 'STOPPED' | 'CONTAINER_MISSING' | 'CONTAINER_ENGINE_UNAVAILABLE'

const lines = 5_000

/** What the container writes, and each that takes its place, as it comes. `state` is undefined until the channel has said something. */
export function useContainerLog(projectId: string): { buffer: LogBuffer; state: State | ErrorCode | undefined } {
  const { live } = useLive()
  const [buffer] = useState(() => new LogBuffer())
  const [state, setState] = useState<State | ErrorCode>()
  useEffect(() => {
    let since: string | undefined
    buffer.clear()
    const isOfThis = (event: { projectId: string }) => event.projectId === projectId
    return live.follow('container-log', {
      input: () => ({ projectId, tail: lines, ...(since === undefined ? {} : { since }) }),
      on: {
        'container:log': (event: { projectId: string; text: string; next: string }) => {
          if (!isOfThis(event)) return
          since = event.next
          buffer.append(event.text)
        },
        'container:log-state': (event: { projectId: string; state: State }) => {
          if (isOfThis(event)) setState(event.state)
        }
      },
      onEnded: (error) => setState(error?.code)
    })
  }, [live, projectId, buffer])
  return { buffer, state }
}

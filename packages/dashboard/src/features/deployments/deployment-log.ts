import { api, data, isApiError, type Schema } from '../../api/client.ts'
import { isFinal } from '../../live/follow-again.ts'
import type { Live } from '../../live/live.ts'
import { createLogPauses } from '../../live/pauses.ts'
import type { LogBuffer } from '../../ui/log-viewer/log-buffer.ts'

interface Position {
  projectId: string
  deploymentId: string
}
type Piece = Omit<Schema<'DeploymentLogPiece'>, 'complete'>

/**
 * Brings a deployment's log into a buffer, from its beginning to its end: what there is by the API, what comes by the channel, and while
 * that is away, or either refuses, by asking again. Returns what stops it.
 */
export function followDeploymentLog(live: Live, { projectId, deploymentId }: Position, buffer: LogBuffer): () => void {
  let after = 0
  let stop = () => {}
  const pauses = createLogPauses()
  const { signal, abort } = abortable()
  const take = (piece: Piece) => {
    // What was asked for twice, by the API and by the channel, is taken once.
    if (piece.offset !== after || signal.aborted) return
    if (piece.next !== after) pauses.reset()
    after = piece.next
    if (piece.removed) buffer.cut()
    buffer.append(piece.text)
  }
  const read = async (): Promise<void> => {
    stop()
    try {
      for (;;) {
        const piece = await pieceAfter({ projectId, deploymentId }, after, signal)
        const isNew = piece.next !== after
        take(piece)
        if (signal.aborted || piece.complete) return
        if (!isNew) return wait()
      }
    } catch (error) {
      if (!signal.aborted && !(isApiError(error) && error.code && isFinal({ code: error.code }))) readLater()
    }
  }
  const readLater = () => {
    const timer = setTimeout(() => void read(), pauses.next())
    stop = () => clearTimeout(timer)
  }
  const wait = () => {
    if (live.state() !== 'live') return readLater()
    const leave = live.follow('deployment-log', {
      input: () => ({ deploymentId, after }),
      on: {
        'deployment:log': (piece: Omit<Piece, 'removed'> & { deploymentId: string }) => {
          if (piece.deploymentId === deploymentId) take({ ...piece, removed: false })
        }
      },
      onEnded: () => {
        stop()
        readLater()
      }
    })
    const unsubscribe = live.subscribe(() => live.state() === 'away' && void read())
    stop = () => {
      leave()
      unsubscribe()
    }
  }
  void read()
  return () => {
    abort()
    stop()
  }
}

function abortable() {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}

const pieceAfter = ({ projectId: id, deploymentId }: Position, after: number, signal: AbortSignal) =>
  data(
    api.GET('/api/projects/{id}/deployments/{deploymentId}/log', {
      params: { path: { id, deploymentId }, query: { after } },
      signal
    })
  )

import { api, data, type Schema } from '../../api/client.ts'
import type { Live } from '../../live/live.ts'
import type { LogBuffer } from '../../ui/log-viewer/log-buffer.ts'

const againMs = 1_000

interface Position {
  projectId: string
  deploymentId: string
}

/**
 * Brings a deployment's log into a buffer, from its beginning to its end: what there is by the API, what comes by the channel, and while
 * that is away by asking again. Returns what stops it.
 */
export function followDeploymentLog(live: Live, { projectId, deploymentId }: Position, buffer: LogBuffer): () => void {
  let after = 0
  let stop: (() => void) | undefined
  const signal = new AbortController()
  const read = async (): Promise<void> => {
    stop?.()
    for (;;) {
      const piece = await pieceAfter({ projectId, deploymentId }, after, signal.signal)
      if (signal.signal.aborted || piece?.complete) return take(piece)
      if (piece === undefined || piece.next === after) return wait()
      take(piece)
    }
  }
  const take = (piece: Omit<Schema<'DeploymentLogPiece'>, 'complete'> | undefined) => {
    // What was asked for twice, by the API and by the channel, is taken once.
    if (piece?.offset !== after || signal.signal.aborted) return
    after = piece.next
    if (piece.removed) buffer.cut()
    buffer.append(piece.text)
  }
  const wait = () => {
    const again = () => void read()
    if (live.state() !== 'live') {
      const timer = setTimeout(again, againMs)
      return void (stop = () => clearTimeout(timer))
    }
    const leave = live.follow('deployment-log', {
      input: () => ({ deploymentId, after }),
      on: {
        'deployment:log': (
          piece: Omit<Schema<'DeploymentLogPiece'>, 'complete' | 'removed'> & { deploymentId: string }
        ) => {
          if (piece.deploymentId === deploymentId) take({ ...piece, removed: false })
        }
      },
      onEnded: again
    })
    const unsubscribe = live.subscribe(() => live.state() === 'away' && again())
    stop = () => {
      leave()
      unsubscribe()
    }
  }
  void read()
  return () => {
    signal.abort()
    stop?.()
  }
}

/** Nothing where the API is away: it is asked again. */
const pieceAfter = ({ projectId: id, deploymentId }: Position, after: number, signal: AbortSignal) =>
  data(
    api.GET('/api/projects/{id}/deployments/{deploymentId}/log', {
      params: { path: { id, deploymentId }, query: { after } },
      signal
    })
  ).catch(() => undefined)

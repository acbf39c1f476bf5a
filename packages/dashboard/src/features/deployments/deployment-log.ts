import { isApiError, type Schema } from '../../api/client.ts'
import { isFinal } from '../../live/follow-again.ts'
import type { Live } from '../../live/live.ts'
import { createLogPauses } from '../../live/pauses.ts'
import type { LogBuffer } from '../../ui/log-viewer/log-buffer.ts'
import { type LogPosition, logPieceAfter } from './deployments.queries.ts'

type Piece = Omit<Schema<'DeploymentLogPiece'>, 'complete'>

interface Following {
  live: Live
  position: LogPosition
  /** How it begins, which may have been asked for before. */
  first: Promise<Schema<'DeploymentLogPiece'>>
  buffer: LogBuffer
}

/**
 * Brings a deployment's log into a buffer, from its beginning to its end: what there is by the API, what comes by the channel, and while
 * that is away, or either refuses, by asking again. Returns what stops it.
 */
export function followDeploymentLog({ live, position, first, buffer }: Following): () => void {
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
  const read = async (begun?: typeof first): Promise<void> => {
    stop()
    try {
      for (let asked = begun; ; asked = undefined) {
        const piece = await (asked ?? logPieceAfter(position, after, signal))
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
      input: () => ({ deploymentId: position.deploymentId, after }),
      on: {
        'deployment:log': (piece: Omit<Piece, 'removed'> & { deploymentId: string }) => {
          if (piece.deploymentId === position.deploymentId) take({ ...piece, removed: false })
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
  void read(first)
  return () => {
    abort()
    stop()
  }
}

function abortable() {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}

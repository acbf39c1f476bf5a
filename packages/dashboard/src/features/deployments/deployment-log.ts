import { isApiError, type Schema } from '../../api/client.ts'
import { isFinal } from '../../live/follow-again.ts'
import type { Live } from '../../live/live.ts'
import { createLogPauses } from '../../live/pauses.ts'
import { LogBuffer } from '../../ui/log-viewer/log-buffer.ts'
import { type LogPosition, logPieceAfter } from './deployments.queries.ts'

type Piece = Schema<'DeploymentLogPiece'>

/** What has been read of a log. */
export class DeploymentLog {
  readonly buffer = new LogBuffer()
  /** Where it goes on. */
  after = 0
  isComplete = false

  /** Returns whether something was new: what was asked for twice, by the API and by the channel, is taken once. */
  take({ offset, text, next, complete, removed }: Piece): boolean {
    if (offset !== this.after) return false
    this.after = next
    this.isComplete = complete
    if (removed) this.buffer.cut()
    this.buffer.append(text)
    return next !== offset
  }
}

interface Following {
  live: Live
  position: LogPosition
  /** Asks for how it begins, which may have been asked for before. */
  first(): Promise<Piece>
  log: DeploymentLog
}

/**
 * Brings a deployment's log from where it has been read to its end: what there is by the API, what comes by the channel, and while that is
 * away, or either refuses, by asking again. Returns what stops it.
 */
export function followDeploymentLog({ live, position, first, log }: Following): () => void {
  let stop = () => {}
  const pauses = createLogPauses()
  const { signal, abort } = abortable()
  const take = (piece: Piece) => {
    const isNew = !signal.aborted && log.take(piece)
    if (isNew) pauses.reset()
    return isNew
  }
  const read = async (begun?: Promise<Piece>): Promise<void> => {
    stop()
    try {
      for (let asked = begun; !log.isComplete; asked = undefined) {
        const isNew = take(await (asked ?? logPieceAfter(position, log.after, signal)))
        if (signal.aborted) return
        if (!isNew && !log.isComplete) return wait()
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
      input: () => ({ deploymentId: position.deploymentId, after: log.after }),
      on: {
        'deployment:log': (piece: Omit<Piece, 'complete' | 'removed'> & { deploymentId: string }) => {
          if (piece.deploymentId === position.deploymentId) take({ ...piece, complete: false, removed: false })
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
  void read(log.after === 0 ? first() : undefined)
  return () => {
    abort()
    stop()
  }
}

function abortable() {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}

import { isApiError, type Schema } from '../../api/client.ts'
import { isFinal } from '../../live/follow-again.ts'
import type { Live } from '../../live/live.ts'
import { createLogPauses } from '../../live/pauses.ts'
import { LogBuffer } from '../../ui/log-viewer/log-buffer.ts'
import { type LogPosition, logPieceAfter } from './deployments.queries.ts'

type Piece = Schema<'DeploymentLogPiece'>

/** State of a log read from two ends: the last lines first, then the earlier ones. */
export class DeploymentLog {
  readonly buffer = new LogBuffer()
  hasStarted = false
  after = 0
  isComplete = false
  filled = 0

  begin(piece: Piece): void {
    if (this.hasStarted) return
    this.hasStarted = true
    this.after = piece.offset
    this.buffer.skip((piece.line ?? 1) - 1)
    this.take(piece)
  }

  fill({ offset, text, next, removed }: Piece): void {
    if (offset !== this.filled) return
    this.filled = next
    if (removed || next === offset) this.buffer.skipMissing()
    else this.buffer.fill(text)
  }

  /** Returns whether the chunk was new: the API and the live channel may send it twice. */
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
  last(): Promise<Piece>
  log: DeploymentLog
}

/**
 * Loads the whole log and follows it: the existing part from the API, new chunks from the live channel, with polling
 * while that is down or refuses. Returns a stop function.
 */
export function followDeploymentLog({ live, position, last, log }: Following): () => void {
  let stop = () => {}
  const pauses = createLogPauses()
  const { signal, abort } = abortable()
  const take = (piece: Piece) => {
    const isNew = !signal.aborted && log.take(piece)
    if (isNew) pauses.reset()
    return isNew
  }
  const begin = async () => {
    const piece = await last()
    if (!signal.aborted) log.begin(piece)
  }
  const fill = async () => {
    while (!log.buffer.isWhole && !signal.aborted) {
      const piece = await logPieceAfter(position, log.filled, signal)
      if (!signal.aborted) log.fill(piece)
    }
  }
  const read = async (): Promise<void> => {
    stop()
    try {
      if (!log.hasStarted) await begin()
      await fill()
      while (!log.isComplete) {
        const isNew = take(await logPieceAfter(position, log.after, signal))
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

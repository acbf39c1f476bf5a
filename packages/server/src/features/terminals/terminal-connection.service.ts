import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type TerminalEnd,
  type TerminalEvent,
  TerminalRequest,
  type TerminalSize,
  terminalWindowBytes as windowBytes
} from '@panel/contract/terminals'
import type { RawData, WebSocket } from 'ws'
import { createCoalescer } from '../../concurrency/coalescer.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { toLiveError } from '../../http/live/live-error.ts'
import type { OpenWebSocket } from '../../http/web-sockets.ts'
import { messageOf } from '../../text/message-of.ts'
import type { AuditOrigin } from '../audit/recording.service.ts'
import { openTerminalProcess, resizeTerminal } from './terminal-process.service.ts'
import { createWindow } from './terminal-window.policy.ts'
import { findTerminal, updateOpenTerminal } from './terminals.repository.ts'
import { recordTerminal } from './terminals.service.ts'

interface Request {
  origin: AuditOrigin
  userId: string
  projectId: string
}

type Start = Extract<TerminalRequest, { type: 'start' }>

const startLimitMs = 10_000
const closeLimitMs = 2_000
const outputPieceBytes = 32 * 1024

/** Serves one terminal on an accepted WebSocket until either side ends it. Never rejects. */
export async function serveTerminal(deps: Dependencies, request: Request, { socket, ended }: OpenWebSocket) {
  const stop = new AbortController()
  const send = (event: TerminalEvent) => socket.readyState === socket.OPEN && socket.send(JSON.stringify(event))
  socket.once('close', () => stop.abort('CLOSED'))
  const end = () => stop.abort(ended.reason)
  if (ended.aborted) end()
  ended.addEventListener('abort', end, { once: true })
  try {
    send(await runTerminal(deps, request, socket, stop, send))
  } catch (error) {
    if (stop.signal.aborted) send(endOf(stop.signal))
    else {
      const { code, message } = toLiveError(deps, error)
      send({ type: 'end', reason: 'FAILED', code, message })
    }
  } finally {
    stop.abort('CLOSED')
    socket.close(1000)
    // A client that does not answer the close frame.
    void sleep(closeLimitMs, undefined, { ref: false }).then(() => socket.terminate())
  }
}

async function runTerminal(
  deps: Dependencies,
  { origin, userId, projectId }: Request,
  socket: WebSocket,
  stop: AbortController,
  send: (event: TerminalEvent) => unknown
): Promise<Extract<TerminalEvent, { type: 'end' }>> {
  const limits = startLimits(deps, stop)
  const output = createWindow(windowBytes)
  const input = createWindow(windowBytes)
  let process: { id: string; input: Writable } | undefined
  let onStart: (start: Start) => void = () => {}
  const started = new Promise<Start>((resolve) => (onStart = resolve))

  socket.on('message', (data: RawData, isBinary) => {
    limits.seen()
    if (isBinary) return takeInput(data as Buffer)
    const request = requestIn(data as Buffer)
    if (request === undefined || (request.type === 'start') !== (process === undefined)) return stop.abort('PROTOCOL')
    if (request.type === 'start') onStart(request)
    else if (request.type === 'ack') output.give(request.bytes)
    else resize(request)
  })
  const takeInput = (bytes: Buffer) => {
    if (!process || !input.take(bytes.length)) return stop.abort('PROTOCOL')
    process.input.write(bytes, (error) => {
      input.give(bytes.length)
      if (!error) send({ type: 'ack', bytes: bytes.length })
    })
  }
  const coalesce = createCoalescer()
  let size: TerminalSize
  // A window that is being dragged sends many: the engine gets the latest.
  const resize = ({ columns, rows }: TerminalSize) => {
    size = { columns, rows }
    const { id } = process!
    coalesce(socket, 'size', () => resizeTerminal(deps, id, size)).catch((error: unknown) =>
      deps.logger.warn({ terminal: id, error: messageOf(error) }, 'could not resize a terminal')
    )
  }

  try {
    const start = await Promise.race([started, sleep(startLimitMs, undefined, { ref: false }), aborted(stop.signal)])
    if (stop.signal.aborted) return endOf(stop.signal)
    if (!start) throw new AppError('REQUEST_TIMEOUT', 'Send `start` first')
    const id = await recordTerminal(deps, origin, userId, projectId)
    const { columns, rows, command } = start
    const opened = await openTerminalProcess(deps, id, { columns, rows }, command, recordedStop(deps, id, stop.signal))
    opened.input.on('error', () => {}) // Its output ends too.
    process = { id, input: opened.input }
    send({ type: 'ready', windowBytes })
    await copyOutput(opened.stream, socket, output, limits.seen, stop.signal)
    if (stop.signal.aborted) return endOf(stop.signal)
    const row = await findTerminal(deps.db, id)
    const reason = row?.endReason ?? 'PANEL_STOPPED'
    return { type: 'end', reason, ...(row?.exitCode == null ? {} : { exitCode: row.exitCode }) }
  } finally {
    limits.clear()
    process?.input.destroy()
  }
}

/** Follows `stop` once the record has its reason, because the process that ends the terminal does not know it. */
function recordedStop(deps: Pick<Dependencies, 'db' | 'logger'>, id: string, stop: AbortSignal): AbortSignal {
  const recorded = new AbortController()
  const record = () =>
    void updateOpenTerminal(deps.db, id, { endReason: stop.reason as TerminalEnd })
      .catch((error: unknown) =>
        deps.logger.warn({ terminal: id, error: messageOf(error) }, 'could not record why a terminal ended')
      )
      .finally(() => recorded.abort(stop.reason))
  if (stop.aborted) record()
  stop.addEventListener('abort', record, { once: true })
  return recorded.signal
}

const endOf = ({ reason }: AbortSignal) => ({ type: 'end', reason: reason as TerminalEnd }) as const

const aborted = (signal: AbortSignal): Promise<undefined> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(undefined)
    signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })

/** Ends after so long without input and output, and at the latest after so long. */
function startLimits({ config }: Pick<Dependencies, 'config'>, stop: AbortController) {
  const idle = setTimeout(() => stop.abort('IDLE'), config.TERMINAL_IDLE_SECONDS * 1000)
  const longest = setTimeout(() => stop.abort('TOO_LONG'), config.TERMINAL_MAX_SECONDS * 1000)
  return {
    seen: () => void idle.refresh(),
    clear() {
      clearTimeout(idle)
      clearTimeout(longest)
    }
  }
}

function requestIn(data: Buffer): TerminalRequest | undefined {
  try {
    return TerminalRequest.parse(JSON.parse(data.toString('utf8')))
  } catch {
    return undefined
  }
}

/** At the pace of the client: output waits in the container while the client has not acknowledged what it got. */
async function copyOutput(
  stream: Readable,
  socket: WebSocket,
  window: ReturnType<typeof createWindow>,
  onSent: () => void,
  signal: AbortSignal
): Promise<void> {
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>)
      for (let from = 0; from < chunk.length; from += outputPieceBytes) {
        const piece = chunk.subarray(from, from + outputPieceBytes)
        while (!window.take(piece.length)) {
          await window.change(signal)
          if (signal.aborted) return
        }
        onSent()
        socket.send(piece)
      }
  } catch {
    // Stopped, or the worker is gone; the next one ends the process.
  }
}

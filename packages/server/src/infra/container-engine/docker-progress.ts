import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { EngineError } from './container-engine.ts'
import { unavailable } from './engine-unavailable.ts'

interface ProgressEvent {
  stream?: string
  status?: string
  id?: string
  progress?: string
  error?: string
  errorDetail?: { message?: string }
  aux?: { ID?: string }
}

const maxLineMiB = 4

// Read without pauses: twice what any log keeps.
const unthrottledCharacters = 16 * 1024 * 1024

// About 3 MB/s, so that a build with endless output does not block the event loop.
const pauseMs = 20

/** Errors in the stream reject with EngineError, since the HTTP status was sent before them. */
export async function readProgress(
  answer: NodeJS.ReadableStream,
  onEvent: (event: ProgressEvent) => void,
  pause: () => Promise<unknown> = () => sleep(pauseMs)
): Promise<void> {
  await readLines(answer, (line) => readLine(line, onEvent), pause)
}

/** Reads at a limited pace, so that endless output does not block the event loop. The last line may lack its end. */
export async function readLines(
  source: NodeJS.ReadableStream,
  onLine: (line: string) => void,
  pause: () => Promise<unknown> = () => sleep(pauseMs)
): Promise<void> {
  const stream = source as Readable
  stream.setEncoding('utf8')
  let rest = ''
  let characters = 0
  for await (const chunk of stream as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > maxLineMiB * 2 ** 20)
      throw unavailable(`The container engine sent a progress line of more than ${maxLineMiB} MiB`)
    for (const line of lines) onLine(line)
    characters += chunk.length
    if (characters > unthrottledCharacters) await pause()
  }
  onLine(rest)
}

export function progressText(event: ProgressEvent): string {
  if (event.stream !== undefined) return event.stream
  if (event.status === undefined || event.progress !== undefined) return ''
  return event.id === undefined ? `${event.status}\n` : `${event.id}: ${event.status}\n`
}

function readLine(line: string, onEvent: (event: ProgressEvent) => void): void {
  if (line.trim() === '') return
  const event = JSON.parse(line) as ProgressEvent
  const problem = event.errorDetail?.message ?? event.error
  if (problem !== undefined) throw new EngineError(problem, 500)
  onEvent(event)
}

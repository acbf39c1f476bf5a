import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { EngineError } from './container-engine.ts'
import { unavailable } from './engine-unavailable.ts'

interface ProgressEvent {
  /** Text of a build. */
  stream?: string
  /** What a pull or an import does; with `id`, to which layer. */
  status?: string
  id?: string
  /** A bar: comes many times a second and says nothing lasting. */
  progress?: string
  error?: string
  errorDetail?: { message?: string }
  aux?: { ID?: string }
}

// The longest is the step of a Dockerfile, or a piece of a program's output: some kB.
const maxLineMiB = 4

/** What is read as fast as it comes: twice what any log keeps. */
const hastyCharacters = 16 * 1024 * 1024

/** Some 3 MB/s: a step that prints without an end is waited for, but reading it is not all that the panel does. */
const pauseMs = 20

/**
 * Reads the JSON lines with which the engine tells of long work. An error among them rejects with EngineError: the HTTP
 * status was sent long before.
 */
export async function readProgress(
  answer: NodeJS.ReadableStream,
  onEvent: (event: ProgressEvent) => void,
  pause: () => Promise<unknown> = () => sleep(pauseMs)
): Promise<void> {
  const stream = answer as Readable
  stream.setEncoding('utf8')
  let rest = ''
  let characters = 0
  for await (const chunk of stream as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > maxLineMiB * 2 ** 20)
      throw unavailable(`The container engine tells of its work in a line longer than ${maxLineMiB} MiB`)
    for (const line of lines) readLine(line, onEvent)
    characters += chunk.length
    if (characters > hastyCharacters) await pause()
  }
  readLine(rest, onEvent)
}

/** The text of an event for a person's log; empty for what is not worth a line. */
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

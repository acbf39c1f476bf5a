import type { Readable } from 'node:stream'
import { unlessAborted } from '../../src/concurrency/time-limit.ts'
import type { ImageDetails } from '../../src/infra/container-engine/container-engine.ts'

/** An image of the memory engine. */
export type MemoryImage = ImageDetails

/** LABEL, EXPOSE and USER with one plain argument, as our own callers write them. */
export function readChanges(changes: readonly string[]): Pick<MemoryImage, 'labels' | 'exposedPorts' | 'user'> {
  const of = (word: string) =>
    changes.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1))
  return {
    labels: Object.fromEntries(of('LABEL').map((pair) => [pair.split('=')[0]!, pair.slice(pair.indexOf('=') + 1)])),
    exposedPorts: of('EXPOSE').map((port) => Number.parseInt(port, 10)),
    user: of('USER').at(-1) ?? ''
  }
}

/** All of a stream as text; ends early with the signal's reason. The stream is destroyed either way. */
export async function readAll(stream: Readable, signal?: AbortSignal): Promise<string> {
  const read = async () => {
    let text = ''
    for await (const chunk of stream as AsyncIterable<Buffer>) text += chunk.toString('latin1')
    return text
  }
  try {
    return await (signal ? unlessAborted(read(), signal) : read())
  } finally {
    stream.destroy()
  }
}

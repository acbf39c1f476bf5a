import type { Readable } from 'node:stream'
import { unlessAborted } from '../../src/concurrency/time-limit.ts'
import type { ImageDetails } from '../../src/infra/container-engine/container-engine.ts'

export type MemoryImage = ImageDetails

/** LABEL, EXPOSE and USER with one plain argument. */
export function readChanges(changes: readonly string[]): Pick<MemoryImage, 'labels' | 'exposedPorts' | 'user'> {
  const of = (word: string) =>
    changes.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1))
  return {
    labels: Object.fromEntries(of('LABEL').map((pair) => [pair.split('=')[0]!, pair.slice(pair.indexOf('=') + 1)])),
    exposedPorts: of('EXPOSE').map((port) => Number.parseInt(port, 10)),
    user: of('USER').at(-1) ?? ''
  }
}

/** Reads a stream as text; rejects with the signal's reason. Always destroys the stream. */
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

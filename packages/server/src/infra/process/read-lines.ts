import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

/** Calls back with each line of UTF-8 text, also an unfinished last one. */
export function readLines(stream: Readable, onLine: (line: string) => void): void {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  stream.on('data', (chunk: Buffer) => {
    const lines = (rest + decoder.write(chunk)).split(/\r?\n/)
    rest = lines.pop()!
    for (const line of lines) onLine(line)
  })
  stream.once('end', () => {
    rest += decoder.end()
    if (rest !== '') onLine(rest)
  })
}

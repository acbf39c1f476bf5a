import { StringDecoder } from 'node:string_decoder'
import { plainText } from './terminal-text.ts'

const headerBytes = 8

interface LogCollector {
  write(chunk: Buffer): void
  text(tail: number): string
}

/**
 * Docker log frames: one byte for the stream (1 stdout, 2 stderr), three zero bytes, four bytes of length, payload.
 * Each stream has its own decoder, so a character split across two frames survives even with a frame of the other
 * stream between them.
 */
export function createLogCollector(maxBytes: number): LogCollector {
  const decoders = [new StringDecoder('utf8'), new StringDecoder('utf8'), new StringDecoder('utf8')]
  const pieces = createTail(maxBytes)
  let header = Buffer.alloc(0)
  let payloadBytes = 0
  let decoder = decoders[1]!

  const readHeader = (chunk: Buffer): Buffer => {
    const taken = chunk.subarray(0, headerBytes - header.length)
    header = Buffer.concat([header, taken])
    if (header.length === headerBytes) {
      decoder = decoders[header[0]!] ?? decoders[1]!
      payloadBytes = header.readUInt32BE(4)
      header = Buffer.alloc(0)
    }
    return chunk.subarray(taken.length)
  }

  return {
    write(chunk) {
      let rest = chunk
      while (rest.length > 0) {
        if (payloadBytes === 0) {
          rest = readHeader(rest)
          continue
        }
        const payload = rest.subarray(0, payloadBytes)
        payloadBytes -= payload.length
        rest = rest.subarray(payload.length)
        pieces.push(decoder.write(payload))
      }
    },
    text(tail) {
      for (const each of decoders) pieces.push(each.end())
      return lastLines(lastBytes(plainText(pieces.join()), maxBytes), tail)
    }
  }
}

function createTail(maxBytes: number) {
  let pieces: string[] = []
  let bytes = 0
  return {
    push(piece: string) {
      if (piece === '') return
      pieces.push(piece)
      bytes += Buffer.byteLength(piece)
      if (bytes > 2 * maxBytes) {
        pieces = [lastBytes(pieces.join(''), maxBytes)]
        bytes = maxBytes
      }
    },
    join: () => pieces.join('')
  }
}

function lastBytes(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= maxBytes) return text
  const end = bytes.subarray(bytes.length - maxBytes)
  const newline = end.indexOf(0x0a)
  if (newline !== -1 && newline < end.length - 1) return end.toString('utf8', newline + 1)
  let start = 0
  while (start < 3 && (end[start]! & 0xc0) === 0x80) start++
  return end.toString('utf8', start)
}

function lastLines(text: string, count: number): string {
  if (count <= 0) return ''
  let start = text.endsWith('\n') ? text.length - 1 : text.length
  for (let line = 0; line < count; line++) {
    start = text.lastIndexOf('\n', start - 1)
    if (start <= 0) return start === 0 && line === count - 1 ? text.slice(1) : text
  }
  return text.slice(start + 1)
}

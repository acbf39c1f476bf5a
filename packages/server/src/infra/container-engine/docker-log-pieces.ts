import { StringDecoder } from 'node:string_decoder'
import type { LogChunk, LogPosition } from './container-engine.ts'
import { colouredText, createPlainTextStream } from './terminal-text.ts'

const headerBytes = 8
// The engine cuts what a program writes at 16 KiB, and puts its time before each piece.
const maxPieceBytes = 1024 * 1024
const chunkCharacters = 64 * 1024

interface LogPieces {
  read(bytes: Buffer): Generator<LogChunk>
  /** Whether the engine has begun to say again what it has said: its answer is read no further, and it is to be asked anew. */
  isRepeating(): boolean
  /** Before what it answers then. */
  restart(): LogPosition
}

/**
 * Takes the engine's log with times apart (see docker-logs.ts for its frames) into text with where it ends. Pieces up to `after` are left
 * out. Engine 20.10 reads a new file from its beginning again, once, when it has followed a log from one file into the next: a piece from
 * before the last one is believed only where the engine, asked for what comes after that, has it there, as of a clock that was set back.
 */
export function createLogPieces(after: LogPosition | undefined): LogPieces {
  const streams = [1, 2].map(() => ({
    decoder: new StringDecoder('utf8'),
    clean: createPlainTextStream(colouredText),
    time: '',
    hasEndedLine: true
  }))
  let rest: Buffer = Buffer.alloc(0)
  let position: LogPosition = after ?? { time: '', count: 0 }
  let missing = position.count
  let limit = after ? laterTime(after.time) : ''
  let isSought = after !== undefined
  let isRepeating = false

  // It is found in the order of the file, which is not that of the times where a program writes to both outputs.
  const isKnown = (time: string) => {
    if (missing === 0) return false
    if (time > limit) missing = 0
    else if (time === position.time) missing--
    return time <= limit
  }
  const take = (frame: Buffer): string => {
    const space = frame.indexOf(0x20, headerBytes)
    const time = frame.toString('latin1', headerBytes, space === -1 ? frame.length : space)
    if (isKnown(time)) return ''
    const stream = streams[frame[0] === 2 ? 1 : 0]!
    // What one output has is in the order of its times; pieces of one long line have the same.
    isRepeating = !isSought && (time < stream.time || (time === stream.time && stream.hasEndedLine))
    if (isRepeating) return ''
    isSought = false
    position = { time, count: time === position.time ? position.count + 1 : 1 }
    Object.assign(stream, { time, hasEndedLine: frame.at(-1) === 0x0a })
    const { decoder, clean } = stream
    return space === -1 ? '' : clean(decoder.write(frame.subarray(space + 1)))
  }

  return {
    *read(bytes) {
      rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
      let text = ''
      while (!isRepeating) {
        const length = rest.length < headerBytes ? undefined : rest.readUInt32BE(4)
        if (length !== undefined && length > maxPieceBytes) throw new RangeError('This is no log of a container')
        if (length === undefined || rest.length < headerBytes + length) break
        text += take(rest.subarray(0, headerBytes + length))
        rest = rest.subarray(headerBytes + length)
        if (text.length < chunkCharacters) continue
        yield { text, position }
        text = ''
      }
      // A copy, so that what is left of a large read does not keep all of it.
      rest = Buffer.from(rest)
      if (text !== '') yield { text, position }
    },
    isRepeating: () => isRepeating,
    restart() {
      rest = Buffer.alloc(0)
      missing = position.count
      limit = laterTime(position.time)
      isSought = true
      isRepeating = false
      return position
    }
  }
}

// Of two pieces that are written at once the later one may come first; where a position is gone, so much after it is left out too.
const disorderSeconds = 1

const laterTime = (time: string): string => new Date(Date.parse(time) + disorderSeconds * 1000).toISOString()

/** Since when the engine is asked, as its API takes a time (seconds with nine digits behind the point), for a position to be in its answer. */
export function sinceFor({ time }: LogPosition): string {
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/.exec(time)
  const seconds = match ? Date.parse(`${match[1]}${match[3]}`) / 1000 : Number.NaN
  if (!Number.isFinite(seconds)) throw new TypeError(`No time of a log: ${time}`)
  return `${seconds - disorderSeconds}.${(match![2] ?? '').padEnd(9, '0')}`
}

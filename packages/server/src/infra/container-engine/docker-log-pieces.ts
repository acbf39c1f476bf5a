import { StringDecoder } from 'node:string_decoder'
import type { LogChunk, LogPosition } from './container-engine.ts'
import { colouredText, createPlainTextStream } from './terminal-text.ts'

const headerBytes = 8
// The engine splits output at 16 KiB and prefixes each piece with a timestamp.
const maxPieceBytes = 1024 * 1024
const chunkCharacters = 64 * 1024

interface LogPieces {
  read(bytes: Buffer): Generator<LogChunk>
  /** Whether the engine is repeating itself: stop reading and request again from `restart()`. */
  isRepeating(): boolean
  /** Call before reading the next response; returns the position to continue from. */
  restart(): LogPosition
}

/**
 * Splits the engine's timestamped log (frames: see docker-logs.ts) into chunks with positions. Skips pieces up to
 * `after`. Engine 20.10 repeats a new file from its start, once, after following a log rotation; so a piece older than
 * the last one is accepted only if the engine still has it when asked for everything after that position (as after a
 * clock change).
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
  let isResuming = after !== undefined
  let isRepeating = false

  // Compared in file order, which differs from time order if a program writes to both streams.
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
    // Within one stream, times never decrease; pieces of one long line share a timestamp.
    isRepeating = !isResuming && (time < stream.time || (time === stream.time && stream.hasEndedLine))
    if (isRepeating) return ''
    isResuming = false
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
        if (length !== undefined && length > maxPieceBytes) throw new RangeError('Not a container log stream')
        if (length === undefined || rest.length < headerBytes + length) break
        text += take(rest.subarray(0, headerBytes + length))
        rest = rest.subarray(headerBytes + length)
        if (text.length < chunkCharacters) continue
        yield { text, position }
        text = ''
      }
      // Copy, so that the rest does not retain the whole read buffer.
      rest = Buffer.from(rest)
      if (text !== '') yield { text, position }
    },
    isRepeating: () => isRepeating,
    restart() {
      rest = Buffer.alloc(0)
      missing = position.count
      limit = laterTime(position.time)
      isResuming = true
      isRepeating = false
      return position
    }
  }
}

// Pieces written at the same moment may arrive out of order. If a position is gone from the file, up to this much after
// it is skipped.
const disorderSeconds = 1

const laterTime = (time: string): string => new Date(Date.parse(time) + disorderSeconds * 1000).toISOString()

/** The API's `since` format (Unix seconds with nine decimals), early enough to include the position. */
export function sinceFor({ time }: LogPosition): string {
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/.exec(time)
  const seconds = match ? Date.parse(`${match[1]}${match[3]}`) / 1000 : Number.NaN
  if (!Number.isFinite(seconds)) throw new TypeError(`Invalid log timestamp: ${time}`)
  return `${seconds - disorderSeconds}.${(match![2] ?? '').padEnd(9, '0')}`
}

/** Reader for the RDATA of one DNS record. All methods throw RangeError at the end of the data. */
export interface RdataReader {
  uint8(): number
  uint16(): number
  bytes(length: number): Buffer
  name(): string
  /** Bytes of a character-string (RFC 1035 §3.3). */
  string(): Buffer
  rest(): Buffer
  isAtEnd(): boolean
}

/** Reads `message` from `start` to `end`; compression pointers may refer to earlier bytes. */
export function createRdataReader(message: Buffer, start: number, end: number): RdataReader {
  if (end > message.length) throw new RangeError('The message ends within a record')
  let at = start
  const take = (length: number): number => {
    if (at + length > end) throw new RangeError('The data of the record ends too early')
    at += length
    return at - length
  }
  const reader: RdataReader = {
    uint8: () => message.readUInt8(take(1)),
    uint16: () => message.readUInt16BE(take(2)),
    bytes(length) {
      const from = take(length)
      return message.subarray(from, from + length)
    },
    name() {
      const { name, next } = readName(message, at)
      take(next - at)
      return name
    },
    string: () => reader.bytes(reader.uint8()),
    rest: () => reader.bytes(end - at),
    isAtEnd: () => at === end
  }
  return reader
}

/** RFC 1035 §4.1.4; other bytes escaped as in zone files. `next` is the offset after it. Throws RangeError. */
export function readName(message: Buffer, offset: number): { name: string; next: number } {
  const labels: string[] = []
  let next: number | undefined
  let at = offset
  let length = 0
  let pointers = 0
  for (;;) {
    const size = message.readUInt8(at)
    if (size >= 0xc0) {
      const target = message.readUInt16BE(at) & 0x3fff
      // Pointers must go backwards (no loops), at most one per possible label.
      if (target >= at || ++pointers > 127) throw new RangeError('A name points to no name')
      next ??= at + 2
      at = target
      continue
    }
    if (size > 63) throw new RangeError('A label has no such length')
    at += 1 + size
    if (size === 0) break
    length += 1 + size
    if (at > message.length || length > 254) throw new RangeError('A name is too long')
    labels.push(labelText(message.subarray(at - size, at)))
  }
  return { name: labels.join('.') || '.', next: next ?? at }
}

function labelText(label: Buffer): string {
  return label
    .toString('latin1')
    .toLowerCase()
    .replaceAll(/[^a-z0-9_*-]/g, (character) => `\\${String(character.charCodeAt(0)).padStart(3, '0')}`)
}

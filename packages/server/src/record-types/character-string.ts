import { ValueProblem, type ZoneField } from './record-type.ts'

/** Strings of at most 255 bytes (RFC 1035 §3.3.14). A multi-byte character may be split. */
export function quoteText(text: string): string {
  const bytes = Buffer.from(text)
  // Writes into one buffer, because zones can be megabytes in size and a string per byte is a hundred times slower.
  const quoted = Buffer.allocUnsafe(bytes.length * 4 + Math.ceil(bytes.length / 255) * 3 + 2)
  let length = quoted.write('"', 'latin1')
  for (let index = 0; index < bytes.length; index++) {
    if (index > 0 && index % 255 === 0) length += quoted.write('" "', length, 'latin1')
    for (const code of escapes[bytes[index]!]!) quoted[length++] = code
  }
  length += quoted.write('"', length, 'latin1')
  return quoted.toString('latin1', 0, length)
}

export const escapeBytes = (bytes: Buffer): string => Array.from(bytes, (byte) => escapeByte(byte)).join('')

function escapeByte(byte: number): string {
  const character = String.fromCharCode(byte)
  if (character === '"' || character === '\\') return `\\${character}`
  return byte >= 32 && byte <= 126 ? character : `\\${String(byte).padStart(3, '0')}`
}

const escapes = Array.from({ length: 256 }, (_, byte) => Buffer.from(escapeByte(byte)))

/** Decodes a zone file field (RFC 1035 §5.1); unescaped text is UTF-8. Throws ValueProblem. */
export function bytesOf(text: string): Buffer {
  if (!text.isWellFormed()) throw new ValueProblem('HALF_CHARACTER_IN_TEXT')
  if (!text.includes('\\')) return Buffer.from(text)
  const parts: Buffer[] = []
  for (const [part, escape] of text.matchAll(/\\(\d{1,3}|[^])|[^\\]+|\\/gu)) {
    if (escape !== undefined && /^\d/.test(escape)) parts.push(Buffer.from([codeOf(escape)]))
    else parts.push(Buffer.from(escape ?? part))
  }
  return Buffer.concat(parts)
}

function codeOf(escape: string): number {
  if (escape.length !== 3 || Number(escape) > 255) throw new ValueProblem('ESCAPE', { escape })
  return Number(escape)
}

export function fieldsOf(value: string): ZoneField[] {
  if (!/^[\x20-\x7e]*$/.test(value)) throw new ValueProblem('ASCII_LINE')
  const fields: ZoneField[] = []
  let end = 0
  for (const { 0: whole, 1: quoted, 2: plain, index } of value.matchAll(
    / +|"((?:[^"\\]|\\.)*)"|((?:[^ "\\;()]|\\.)+)/g
  )) {
    if (index !== end) break
    end += whole.length
    if (quoted !== undefined) fields.push({ text: quoted, isQuoted: true })
    else if (plain !== undefined) fields.push({ text: plain, isQuoted: false })
  }
  if (end < value.length) throw new ValueProblem('QUOTES')
  return fields
}

export const joinFields = (fields: readonly ZoneField[]): string =>
  fields.map(({ text, isQuoted }) => (isQuoted ? `"${text}"` : text)).join(' ')

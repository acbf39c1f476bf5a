import { ValueProblem, type ZoneField } from './record-type.ts'

/** Of at most 255 bytes each (RFC 1035 §3.3.14); a character of several bytes may be cut, they are joined again. */
export function quoteText(text: string): string {
  const bytes = Buffer.from(text)
  // Byte by byte into one buffer: a zone may hold megabytes, and a string for each byte would take a hundred times as long.
  const quoted = Buffer.allocUnsafe(bytes.length * 4 + Math.ceil(bytes.length / 255) * 3 + 2)
  let length = quoted.write('"', 'latin1')
  for (let index = 0; index < bytes.length; index++) {
    if (index > 0 && index % 255 === 0) length += quoted.write('" "', length, 'latin1')
    for (const code of escapes[bytes[index]!]!) quoted[length++] = code
  }
  length += quoted.write('"', length, 'latin1')
  return quoted.toString('latin1', 0, length)
}

/** The bytes as text of a zone file, without quotes around it. */
export const escapeBytes = (bytes: Buffer): string => Array.from(bytes, (byte) => escapeByte(byte)).join('')

function escapeByte(byte: number): string {
  const character = String.fromCharCode(byte)
  if (character === '"' || character === '\\') return `\\${character}`
  return byte >= 32 && byte <= 126 ? character : `\\${String(byte).padStart(3, '0')}`
}

/** By byte. */
const escapes = Array.from({ length: 256 }, (_, byte) => Buffer.from(escapeByte(byte)))

/** The bytes that a field stands for (RFC 1035 §5.1); what is written raw counts in UTF-8. Throws ValueProblem. */
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

/** The fields of a value that is written as in a zone file. Throws ValueProblem. */
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

/** The reverse, for fields of a zone file. */
export const joinFields = (fields: readonly ZoneField[]): string =>
  fields.map(({ text, isQuoted }) => (isQuoted ? `"${text}"` : text)).join(' ')

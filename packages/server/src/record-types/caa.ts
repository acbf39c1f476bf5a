import { bytesOf } from './character-string.ts'
import { type RecordType, textBytes, ValueProblem, type ZoneField } from './record-type.ts'

/** RFC 8659 §4.1. */
export const caa: RecordType = {
  code: 257,
  members: [],
  normalize,
  isCaseSensitive: true,
  wireBytes: textBytes,
  file: { fields: 3, names: [], read: readFields, write: (value) => value },
  fromWire(rdata) {
    const [flags, tag] = [rdata.uint8(), rdata.string()]
    return `${flags} ${tag.toString('latin1').toLowerCase()} ${quoted(rdata.rest().toString('utf8'))}`
  }
}

/** RFC 8659 §4.1.1. */
function normalize(value: string): string {
  const [, flags, tag, text, bare] =
    /^\s*(\d{1,3})\s+([a-zA-Z0-9]{1,15})\s+(?:"((?:[^"\\]|\\["\\])*)"|([^\s"\\]+))\s*$/.exec(value) ?? []
  const plain = text?.replaceAll(/\\(.)/g, '$1') ?? bare
  if (tag === undefined || plain === undefined || Number(flags) > 255) throw new ValueProblem('CAA_FORM')
  if (!/^[\x20-\x7e]{0,255}$/.test(plain)) throw new ValueProblem('CAA_VALUE')
  return `${Number(flags)} ${tag.toLowerCase()} ${quoted(plain)}`
}

function readFields([flags, tag, text]: readonly ZoneField[]): string {
  return `${flags!.text} ${tag!.text} ${quoted(bytesOf(text!.text).toString('latin1'))}`
}

const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`

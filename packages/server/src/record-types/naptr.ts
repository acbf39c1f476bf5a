import { bytesOf, escapeBytes, fieldsOf, joinFields } from './character-string.ts'
import { absoluteName, isLabel, targetOrRoot } from './domain-name.ts'
import { type RecordType, textBytes, ValueProblem } from './record-type.ts'
import { substitutionProblem } from './substitution.ts'

/** RFC 3403 §4.1. Order and preference are part of the value: they are not priority and weight. */
export const naptr: RecordType = {
  code: 35,
  members: [],
  normalize,
  isCaseSensitive: true,
  wireBytes: textBytes,
  file: {
    fields: 6,
    names: [5],
    read: joinFields,
    write: (value) => value.replace(/[^ ]+$/, absoluteName)
  },
  fromWire(rdata) {
    const numbers = [rdata.uint16(), rdata.uint16()]
    const strings = [rdata.string(), rdata.string(), rdata.string()].map((bytes) => `"${escapeBytes(bytes)}"`)
    return [...numbers, ...strings, rdata.name()].join(' ')
  }
}

function normalize(value: string, origin: string): string {
  const fields = fieldsOf(value)
  const last = fields[5]
  if (fields.length !== 6 || !last || last.isQuoted) throw new ValueProblem('NAPTR_FORM')
  const [order, preference, flags, services, regexp] = fields.map(({ text }) => bytesOf(text).toString('latin1'))
  for (const [name, text] of [
    ['order', order!],
    ['preference', preference!]
  ])
    if (!/^\d{1,5}$/.test(text!) || Number(text) > 65_535) throw new ValueProblem('NAPTR_NUMBER', { what: name! })
  if (!/^[a-zA-Z0-9]{0,255}$/.test(flags!)) throw new ValueProblem('NAPTR_FLAGS')
  for (const text of [services!, regexp!]) if (!/^[\x20-\x7e]{0,255}$/.test(text)) throw new ValueProblem('NAPTR_TEXTS')
  const problem = substitutionProblem(regexp!)
  if (problem) throw new ValueProblem(problem.code, problem.values)
  const replacement = targetOrRoot(last.text, origin, isLabel)
  // RFC 3403 §4.1: regexp and replacement are mutually exclusive.
  if (regexp !== '' && replacement !== '.') throw new ValueProblem('NAPTR_BOTH')
  const texts = [flags!, services!, regexp!].map((text) => `"${escapeBytes(Buffer.from(text))}"`)
  return [Number(order), Number(preference), ...texts, replacement].join(' ')
}

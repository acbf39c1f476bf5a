import type { DetailCode } from '@panel/contract/details'
import { fieldsOf, joinFields } from './character-string.ts'
import { type RecordType, textBytes, ValueProblem } from './record-type.ts'

interface DigestForm {
  code: number
  numbers: readonly string[]
  lengths: Readonly<Record<number, number>>
  form: DetailCode
}

function digestType(form: DigestForm): RecordType {
  return {
    code: form.code,
    members: [],
    normalize: (value) => normalize(value, form),
    isCaseSensitive: false,
    wireBytes: textBytes,
    file: { names: [], read: joinFields, write: (value) => value },
    fromWire(rdata) {
      const numbers = form.numbers.map(() => rdata.uint8())
      return [...numbers, rdata.rest().toString('hex').toUpperCase()].join(' ')
    }
  }
}

/** RFC 4255 §3.1, with the digests of RFC 6594 (ECDSA, SHA-256) and RFC 7479 (Ed25519). */
export const sshfp = digestType({
  code: 44,
  numbers: ['algorithm', 'type'],
  lengths: { 1: 20, 2: 32 },
  form: 'SSHFP_FORM'
})

/** RFC 6698 §2.1. */
export const tlsa = digestType({
  code: 52,
  numbers: ['usage', 'selector', 'matching type'],
  lengths: { 1: 32, 2: 64 },
  form: 'TLSA_FORM'
})

function normalize(value: string, { numbers, lengths, form }: DigestForm): string {
  const texts = fieldsOf(value).map(({ text, isQuoted }) => (isQuoted ? '"' : text))
  const heads = texts.slice(0, numbers.length)
  const digits = texts.slice(numbers.length).join('').toUpperCase()
  if (heads.length < numbers.length || digits === '') throw new ValueProblem(form)
  heads.forEach((text, index) => {
    if (!/^\d{1,3}$/.test(text) || Number(text) > 255)
      throw new ValueProblem('BYTE_EXPECTED', { what: numbers[index]! })
  })
  if (!/^([0-9A-F]{2})+$/.test(digits)) throw new ValueProblem('HEX_PAIRS')
  const kind = Number(heads.at(-1))
  const length = lengths[kind]
  if (length !== undefined && digits.length !== length * 2)
    throw new ValueProblem('HEX_COUNT', { count: length * 2, what: numbers.at(-1)!, number: kind })
  return [...heads.map(Number), digits].join(' ')
}

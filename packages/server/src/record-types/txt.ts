import { maxTxtCharacters } from '@panel/contract/dns-records'
import { bytesOf, quoteText } from './character-string.ts'
import { type RecordType, textBytes, ValueProblem, type ZoneField } from './record-type.ts'

export const txt: RecordType = {
  code: 16,
  members: [],
  normalize: plainText,
  isCaseSensitive: true,
  wireBytes: textBytes,
  file: { names: [], read: joinedText, write: quoteText },
  fromWire(rdata) {
    const strings: Buffer[] = []
    while (!rdata.isAtEnd()) strings.push(rdata.string())
    return Buffer.concat(strings).toString('utf8')
  }
}

/** Stored exactly as entered; quoting happens only in the zone file. */
function plainText(value: string): string {
  if (/\p{Cc}/u.test(value)) throw new ValueProblem('SINGLE_LINE')
  if (!value.isWellFormed()) throw new ValueProblem('UNICODE')
  if (value.length > maxTxtCharacters && Array.from(value).length > maxTxtCharacters)
    throw new ValueProblem('TOO_LONG', { count: maxTxtCharacters })
  return value
}

function joinedText(fields: readonly ZoneField[]): string {
  const bytes = Buffer.concat(fields.map(({ text }) => bytesOf(text)))
  try {
    return utf8.decode(bytes)
  } catch {
    throw new ValueProblem('TXT_NOT_UTF_8')
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

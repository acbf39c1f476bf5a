import { ipv4Bytes, ipv4Text, ipv6Bytes, ipv6Text } from './address.ts'
import { bytesOf, escapeBytes } from './character-string.ts'
import { ValueProblem } from './record-type.ts'

/** A SvcParam in wire format (RFC 9460 §2.2). */
export interface ServiceParam {
  key: number
  value: Buffer
}

/** Text format of a key's value. Both methods throw ValueProblem; `write` also validates the bytes. */
interface ParamForm {
  name: string
  /** Knot 3.2 does not know its name, so zone files contain `key<number>`. */
  isWrittenByNumber?: true
  read(text: string): Buffer
  write(bytes: Buffer): string
}

/** Indexed by key number (RFC 9460 §14.3.2). */
const forms: readonly ParamForm[] = [
  {
    // §8: keys that a client must support, ascending and unique.
    name: 'mandatory',
    read: (text) =>
      numberBytes(
        items(text, 'mandatory')
          .map(keyNumber)
          .sort((one, other) => one - other)
      ),
    write(bytes) {
      const keys = numbersIn(bytes)
      if (keys.length === 0) throw new ValueProblem('MANDATORY_EMPTY')
      if (keys.some((key, index) => key <= (keys[index - 1] ?? 0))) throw new ValueProblem('MANDATORY_ONCE')
      return keys.map(keyName).join(',')
    }
  },
  {
    // §7.1: protocol ids. A comma inside an id is escaped, and the result is escaped again (appendix A.1).
    name: 'alpn',
    read(text) {
      const names = listItems(bytesOf(text).toString('latin1'))
      if (names.some(({ length }) => length === 0 || length > 255)) throw new ValueProblem('ALPN_LENGTH')
      return Buffer.concat(names.flatMap((name) => [Buffer.from([name.length]), Buffer.from(name, 'latin1')]))
    },
    write(bytes) {
      const names: string[] = []
      for (let at = 0; at < bytes.length; at += 1 + bytes[at]!) {
        const name = bytes.subarray(at + 1, at + 1 + bytes[at]!)
        if (name.length === 0 || name.length < bytes[at]!) throw new ValueProblem('ALPN_EMPTY')
        names.push(name.toString('latin1').replaceAll(/[,\\]/g, '\\$&'))
      }
      if (names.length === 0) throw new ValueProblem('ALPN_EMPTY')
      return textOf(Buffer.from(names.join(','), 'latin1'))
    }
  },
  {
    name: 'no-default-alpn',
    read: (text) => Buffer.from(text),
    write(bytes) {
      if (bytes.length > 0) throw new ValueProblem('NO_DEFAULT_ALPN')
      return ''
    }
  },
  {
    name: 'port',
    read(text) {
      if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new ValueProblem('PORT_RANGE')
      return numberBytes([Number(text)])
    },
    write(bytes) {
      if (bytes.length !== 2) throw new ValueProblem('PORT_FORM')
      return String(bytes.readUInt16BE())
    }
  },
  hintForm('ipv4hint', 4, ipv4Bytes, ipv4Text),
  {
    // §14.3.2: Encrypted Client Hello config, base64.
    name: 'ech',
    read(text) {
      if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) throw new ValueProblem('ECH')
      return Buffer.from(text, 'base64')
    },
    write(bytes) {
      if (bytes.length === 0) throw new ValueProblem('ECH')
      return bytes.toString('base64')
    }
  },
  hintForm('ipv6hint', 16, ipv6Bytes, ipv6Text),
  {
    // RFC 9461 §5: a relative URI template with the variable `dns`.
    name: 'dohpath',
    isWrittenByNumber: true,
    read: bytesOf,
    write(bytes) {
      if (!dohPath.test(bytes.toString('latin1'))) throw new ValueProblem('DOHPATH')
      return textOf(bytes)
    }
  }
]

const dohPath = /^\/[\w.~!$&'()*+,;=:@%/-]*\{[?&]?(?:\w+,)*dns(?:,\w+)*\}$/

function hintForm(
  name: string,
  size: number,
  read: (address: string) => Buffer,
  write: (bytes: Buffer) => string
): ParamForm {
  return {
    name,
    read: (text) => Buffer.concat(items(text, name).map(read)),
    write(bytes) {
      if (bytes.length === 0 || bytes.length % size > 0) throw new ValueProblem('HINT_EMPTY', { name })
      return Array.from({ length: bytes.length / size }, (_, index) =>
        write(bytes.subarray(index * size, (index + 1) * size))
      ).join(',')
    }
  }
}

function listItems(text: string): string[] {
  const separator = '\u0100'
  const marked = text.replaceAll(/\\([,\\])|[,\\]/g, (whole, escaped: string | undefined) => {
    if (whole === '\\') throw new ValueProblem('ALPN_ESCAPE')
    return escaped ?? separator
  })
  return marked.split(separator)
}

function items(text: string, name: string): string[] {
  if (text.includes('\\')) throw new ValueProblem('PARAM_ESCAPES', { name })
  return text.split(',')
}

export function keyName(key: number): string {
  const form = forms[key]
  return form === undefined || form.isWrittenByNumber ? `key${key}` : form.name
}

/** §2.1: any key may be written as `key<number>`. Throws ValueProblem. */
function keyNumber(name: string): number {
  const known = forms.findIndex((form) => form.name === name)
  if (known >= 0) return known
  const key = /^key(0|[1-9]\d{0,4})$/.test(name) ? Number(name.slice(3)) : NaN
  // §14.3.2: 65535 is reserved.
  if (!(key < 65_535))
    throw new ValueProblem('PARAM_UNKNOWN', {
      text: JSON.stringify(name.slice(0, 60)),
      names: forms.map((form) => form.name).join(', ')
    })
  return key
}

/** Parses a parameter such as `alpn=h2,h3`, given its name and the text after `=`. Throws ValueProblem. */
export function readParam(name: string, text: string): ServiceParam {
  const key = keyNumber(name)
  const form = forms[key]
  const value = form && name === form.name ? form.read(text) : bytesOf(text)
  form?.write(value)
  return { key, value }
}

/** Zone file format. Throws ValueProblem if the bytes are invalid for the key. */
export function paramText({ key, value }: ServiceParam): string {
  const form = forms[key]
  const text = form ? form.write(value) : textOf(value)
  return text === '' ? keyName(key) : `${keyName(key)}=${text}`
}

function textOf(bytes: Buffer): string {
  return escapeBytes(bytes).replaceAll(
    /[ ;()]/g,
    (character) => `\\${String(character.charCodeAt(0)).padStart(3, '0')}`
  )
}

const numberBytes = (numbers: readonly number[]): Buffer =>
  Buffer.concat(numbers.map((number) => Buffer.from([number >> 8, number & 255])))

function numbersIn(bytes: Buffer): number[] {
  if (bytes.length % 2 > 0) throw new ValueProblem('MANDATORY_FORM')
  return Array.from({ length: bytes.length / 2 }, (_, index) => bytes.readUInt16BE(index * 2))
}

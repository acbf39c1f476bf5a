import type { Sentence } from '@panel/contract/sentences'
import type { ZoneLineCode } from '@panel/contract/zone-line-texts'
import type { ZoneField } from '../../record-types/record-type.ts'

export class LineProblem extends Error {
  readonly why: Sentence<ZoneLineCode>

  constructor(why: Sentence<ZoneLineCode>) {
    super(why.code)
    this.name = 'LineProblem'
    this.why = why
  }
}

export const quoted = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)

/** Lower case, without the trailing dot; '' is the root. Escapes that remain never match our names. */
export function fullName({ text, isQuoted }: ZoneField, origin: string): string {
  if (isQuoted || text.length > maxNameLength)
    throw new LineProblem({ code: 'NAME_INVALID', values: { text: quoted(text) } })
  if (text === '@') return origin
  if (text === '.') return ''
  const { name, isAbsolute } = text.includes('\\')
    ? unescapedName(text)
    : { name: asciiLowerCase(text.endsWith('.') ? text.slice(0, -1) : text), isAbsolute: text.endsWith('.') }
  const full = isAbsolute || origin === '' ? name : `${name}.${origin}`
  // Repeated relative $ORIGINs would make names grow without limit.
  if (full.length > maxNameLength) throw new LineProblem({ code: 'NAME_TOO_LONG', values: { text: quoted(full) } })
  return full
}

function unescapedName(text: string): { name: string; isAbsolute: boolean } {
  let name = ''
  let isAbsolute = false
  for (const [part, escape] of text.matchAll(escapes)) {
    isAbsolute = part === '.'
    name += escape === undefined ? asciiLowerCase(part) : escapedInName(escape)
  }
  return { name: isAbsolute ? name.slice(0, -1) : name, isAbsolute }
}

function escapedInName(escape: string): string {
  const code = codeOf(escape)
  const character = String.fromCodePoint(code)
  if (/[a-z0-9_*-]/i.test(character)) return character.toLowerCase()
  return code < 256 ? `\\${String(code).padStart(3, '0')}` : character
}

function codeOf(escape: string): number {
  if (!/^\d/.test(escape)) return escape.codePointAt(0)!
  if (escape.length !== 3 || Number(escape) > 255) throw new LineProblem({ code: 'ESCAPE_INVALID', values: { escape } })
  return Number(escape)
}

/** Parses `3600`, `1h` or `1w2d` to seconds; undefined if the field is not a TTL. */
export function secondsOf({ text, isQuoted }: ZoneField): number | undefined {
  if (isQuoted || text.length > 40 || !/^(?:\d+|(?:\d+[smhdw])+)$/i.test(text)) return undefined
  const seconds = /\D/.test(text)
    ? [...text.matchAll(/(\d+)(\D)/g)].reduce(
        (sum, [, number, unit]) => sum + Number(number) * units[unit!.toLowerCase() as keyof typeof units],
        0
      )
    : Number(text)
  if (seconds > 2_147_483_647) throw new LineProblem({ code: 'TTL_TOO_LARGE', values: { text: quoted(text) } })
  return seconds
}

const asciiLowerCase = (text: string): string => text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())

const maxNameLength = 1_000
const escapes = /\\(\d{1,3}|[^])|\.|[^\\.]+|\\/gu
const units = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 }

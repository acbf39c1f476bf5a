import { isSecretValue, type Variable } from './secret-value.policy.ts'

/** What is looked for in a log, each once. */
export interface Needles {
  needles: string[]
  /** How many values are looked for as they are alone, or in other forms by their beginning alone. */
  shortened: number
}

/**
 * Characters of all needles together, each of which is a state of the automaton (needle-automaton.policy.ts) of 26 bytes while it is made. A
 * project with 50 KB of variables, which is many, has all forms of each.
 */
export const maxNeedleCharacters = 2_000_000

/** Of a value whose forms do not all fit, and of a value that is looked for line by line. */
const beginning = 4 * 1024

/**
 * The values that are secrets (isSecretValue), as they are, in base64 (of either alphabet, at any place in a longer text), URL-encoded, as
 * JSON writes them and as a shell quotes them. First all values as they are, then their other forms, the shortest values first: what a
 * project may hold of variables fits as it is.
 */
export function needlesOf(variables: readonly Variable[], maxCharacters = maxNeedleCharacters): Needles {
  const secrets = variables
    .filter(isSecretValue)
    .map(({ value }) => value)
    .sort((one, other) => one.length - other.length)
  const needles = new Set<string>()
  let characters = 0
  const add = (forms: readonly string[]): boolean => {
    const added = forms.filter((form) => form.length >= shortest && !needles.has(form))
    const size = added.reduce((sum, form) => sum + form.length, 0)
    if (characters + size > maxCharacters) return false
    characters += size
    for (const form of added) needles.add(form)
    return true
  }
  const shortened = new Set<string>()
  for (const value of secrets) if (!add(plainForms(value))) shortened.add(value)
  for (const value of secrets) {
    // Of the longest, the forms would take long to be made only to be too many.
    const isWhole = value.length * mostEncodings <= maxCharacters - characters && add(encodingsOf(value))
    if (isWhole) continue
    shortened.add(value)
    add(encodingsOf(value.slice(0, beginning)))
  }
  return { needles: [...needles], shortened: shortened.size }
}

/** Encodings of six characters have eight; a shorter text is in too many words. */
const shortest = 6

/** How much longer all encodings of a text are together than the text: base64 in twelve forms, and six others that mostly are the same. */
const mostEncodings = 17

function plainForms(value: string): string[] {
  const forms = [value, value.trim()]
  if (!value.includes('\n') || value.length >= beginning) return forms
  // A log shows a value of several lines line by line.
  const lines = value
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line.length >= 8 && isSecretValue({ key: '', value: line }))
  return [...forms, value.replaceAll('\n', '\r\n'), ...lines]
}

function encodingsOf(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1)
  const inUrl = encodeURIComponent(value.toWellFormed())
  return [
    ...base64Forms(value),
    inUrl,
    inUrl.replaceAll('%20', '+'),
    new URLSearchParams({ v: value }).toString().slice(2),
    json,
    // JSON that escapes all but ASCII, and a shell's quoting.
    json.replace(/[\u0080-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`),
    value.replaceAll("'", String.raw`'\''`)
  ]
}

/**
 * Base64 of a longer text that holds the value: with one or two bytes before it the characters are others. The first and last
 * ones mix with the neighbours' bits and are left out.
 */
function base64Forms(value: string): string[] {
  const bytes = Buffer.from(value)
  const forms = [0, 1, 2].flatMap((shift) => {
    const encoded = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    const start = shift === 0 ? 0 : shift + 1
    const end = (shift + bytes.length) % 3 === 0 ? encoded.length : encoded.length - 1
    const inner = encoded.slice(start, end)
    return inner.length >= 8 ? [inner] : []
  })
  const whole = bytes.toString('base64')
  // As the base64 program wraps it: 76 characters a line, or 64 in PEM.
  const wrapped = [76, 64].flatMap((width) =>
    whole.length > width ? (whole.match(new RegExp(`.{16,${width}}`, 'g')) ?? []) : []
  )
  return [whole, ...forms, ...wrapped].flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')])
}

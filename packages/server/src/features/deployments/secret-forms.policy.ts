import { isSecretValue, type Variable } from './secret-value.policy.ts'

export interface Needles {
  needles: string[]
  /** How many values are matched without all their encodings. */
  shortened: number
}

/** Each character is an automaton state of 26 bytes. Enough for all encodings of 50 KB of variables. */
export const maxNeedleCharacters = 2_000_000

/** How much of a value is encoded if not all encodings fit; longer values are not split into lines. */
const prefixLength = 4 * 1024

/** Plain values first, then encodings, shortest values first: the plain values of a project always fit. */
export function needlesOf(variables: readonly Variable[], maxCharacters = maxNeedleCharacters): Needles {
  const secrets = variables
    .filter(isSecretValue)
    .map(({ value }) => value)
    .sort((one, other) => one.length - other.length)
  const needles = new Set<string>()
  let characters = 0
  const add = (forms: readonly string[]): boolean => {
    const added = forms.filter((form) => form.length >= minNeedleLength && !needles.has(form))
    const size = added.reduce((sum, form) => sum + form.length, 0)
    if (characters + size > maxCharacters) return false
    characters += size
    for (const form of added) needles.add(form)
    return true
  }
  const shortened = new Set<string>()
  for (const value of secrets) if (!add(plainForms(value))) shortened.add(value)
  for (const value of secrets) {
    // Skip encoding the longest values: it would take long only to exceed the limit.
    const isWhole = value.length * maxEncodingRatio <= maxCharacters - characters && add(encodingsOf(value))
    if (isWhole) continue
    shortened.add(value)
    add(encodingsOf(value.slice(0, prefixLength)))
  }
  return { needles: [...needles], shortened: shortened.size }
}

/** Six characters are eight in base64; shorter texts are part of too many words. */
const minNeedleLength = 6

/** Total length of all encodings relative to the value. */
const maxEncodingRatio = 17

function plainForms(value: string): string[] {
  const forms = [value, value.trim()]
  if (!value.includes('\n') || value.length >= prefixLength) return forms
  // Logs show multi-line values line by line.
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
    // ASCII-only JSON, and shell quoting.
    json.replace(/[\u0080-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`),
    value.replaceAll("'", String.raw`'\''`)
  ]
}

/** At each of the three offsets; edge characters mix with neighbouring bits and are omitted. */
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
  // Wrapped like the base64 program does: 76 characters per line, or 64 in PEM.
  const wrapped = [76, 64].flatMap((width) =>
    whole.length > width ? (whole.match(new RegExp(`.{16,${width}}`, 'g')) ?? []) : []
  )
  return [whole, ...forms, ...wrapped].flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')])
}

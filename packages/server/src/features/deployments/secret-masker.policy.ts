/** Replaces secrets in text by bullets. */
type Mask = (text: string) => string

const mask = '••••••'
const minimumLength = 6

/** Values of variables that are no secret, and whose masking would make a log unreadable. */
const commonWords = new Set([
  'production',
  'development',
  'staging',
  'localhost',
  '127.0.0.1',
  '0.0.0.0',
  'default',
  'enabled',
  'disabled'
])

/** Finds each value as it is, in base64 (of either alphabet), URL-encoded and as JSON writes it; the longest first. */
export function createMasker(values: readonly string[]): Mask {
  const forms = new Set<string>()
  for (const value of values) {
    if (value.length < minimumLength || commonWords.has(value.toLowerCase())) continue
    for (const form of formsOf(value)) if (form.length >= minimumLength) forms.add(form)
  }
  const longestFirst = [...forms].sort((a, b) => b.length - a.length)
  return (text) =>
    longestFirst.reduce((masked, form) => (masked.length < form.length ? masked : masked.replaceAll(form, mask)), text)
}

function formsOf(value: string): string[] {
  const whole = [value, value.trim(), value.replaceAll('\n', '\r\n'), ...encodingsOf(value)]
  // A log shows a value of several lines line by line.
  const lines = value.includes('\n') ? value.split(/\r?\n/).filter((line) => line.trim().length >= 8) : []
  return [...whole, ...lines.map((line) => line.trim())]
}

function encodingsOf(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1)
  return [
    ...base64Forms(value),
    encodeURIComponent(value.toWellFormed()),
    encodeURIComponent(value.toWellFormed()).replaceAll('%20', '+'),
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

/**
 * The same for a text that comes in pieces: hands on whole lines, so that no secret is cut in two. A line that does not end
 * is handed on once it is long, less a tail as long as the longest secret. `end` hands on the rest.
 */
export function createStreamMasker(
  values: readonly string[],
  write: (text: string) => void
): { write: (text: string) => void; end: () => void } {
  const maskText = createMasker(values)
  const multiline = values.filter((value) => value.includes('\n') && value.length >= minimumLength)
  const longest = Math.max(0, ...values.map((value) => value.length)) * 9
  const limit = Math.max(64 * 1024, longest * 2)
  let buffer = ''
  const emit = (text: string) => {
    if (text !== '') write(maskText(text))
  }
  return {
    write(text) {
      buffer += text
      const end = buffer.lastIndexOf('\n') + 1
      if (end > 0 && !multiline.some((value) => mayBeSplitAt(buffer, end, value))) {
        emit(buffer.slice(0, end))
        buffer = buffer.slice(end)
      } else if (buffer.length > limit) {
        // Masked before the cut: what was a secret across it is bullets by then.
        const masked = maskText(buffer)
        write(masked.slice(0, Math.max(0, masked.length - longest)))
        buffer = masked.slice(Math.max(0, masked.length - longest))
      }
    },
    end() {
      emit(buffer)
      buffer = ''
    }
  }
}

/** Whether the text up to `end` finishes with the beginning of `value`: what Knuth, Morris and Pratt's table tells in linear time. */
function mayBeSplitAt(text: string, end: number, value: string): boolean {
  const head = text.slice(Math.max(0, end - value.length + 1), end)
  const table = new Int32Array(value.length)
  for (let i = 1, length = 0; i < value.length; i++) {
    while (length > 0 && value[i] !== value[length]) length = table[length - 1]!
    if (value[i] === value[length]) length++
    table[i] = length
  }
  let matched = 0
  for (let i = 0; i < head.length; i++) {
    const character = head[i]
    while (matched > 0 && character !== value[matched]) matched = table[matched - 1]!
    if (character === value[matched]) matched++
  }
  return matched > 0
}

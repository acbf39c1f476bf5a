import { parse } from 'dotenv'

const secrets = ['SESSION_SECRET', 'ENCRYPTION_KEY'] as const

/**
 * The text of panel.env with the secrets in use, also those that came from the environment: without them nothing that
 * is sealed in the store can be read. The last line of a name counts.
 */
export function renderBackupSettings(text: string, values: Readonly<Record<(typeof secrets)[number], string>>): string {
  const stored = parse(text)
  const missing = secrets.filter((name) => stored[name] !== values[name])
  const lines = missing.map((name) => `${name}=${quoted(values[name])}\n`)
  return [text === '' || text.endsWith('\n') ? text : `${text}\n`, ...lines].join('')
}

/** dotenv knows no escapes, so the quote must not be in the value. */
function quoted(value: string): string {
  if (/^[\w.-]+$/.test(value)) return value
  const quote = [`'`, '`'].find((each) => !value.includes(each))
  if (quote === undefined) throw new TypeError('A secret has every kind of quote')
  return `${quote}${value}${quote}`
}

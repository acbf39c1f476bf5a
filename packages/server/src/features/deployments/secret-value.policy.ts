/** A variable as builds and containers get it. */
export interface Variable {
  key: string
  value: string
}

/**
 * Whether a value is to be kept out of logs. Cutting a word out of a log makes it unreadable, and tells by its place what it was: numbers,
 * single words, addresses of this machine and what programs are commonly told stay. What mixes letters with digits, signs or capitals is
 * a secret from 8 characters on; where the name of the variable says so, from 6, and there a long word is one too.
 */
export function isSecretValue({ key, value }: Variable): boolean {
  const text = value.trim()
  if (text.length < 6 || common.has(text.toLowerCase()) || plainShapes.some((shape) => shape.test(text))) return false
  const isNamedSecret = secretKey.test(key)
  if (/^\d+$/.test(text)) return text.length >= (isNamedSecret ? 8 : 10)
  if (word.test(text)) return text.length >= (isNamedSecret ? 8 : 16)
  return text.length >= (isNamedSecret ? 6 : 8)
}

const secretKey = /passw|passphrase|pwd|secret|token|credential|(^|_)(api_?)?key(_|$)|(^|_)(pass|auth|salt|dsn)(_|$)/i

/** Of one case, or with a capital at its beginning. */
const word = /^(\p{Lu}?\p{Ll}+|\p{Lu}+)$/u

const plainShapes = [
  // Versions and parts of a whole; the longest numbers are no shape but a secret.
  /^[+-]?\d{1,9}[.,]\d{1,9}$/,
  /^v?\d{1,5}(\.\d{1,5}){1,3}$/,
  // This machine and addresses of others, without a path.
  /^([a-z]{2,10}:\/\/)?(localhost|\d{1,3}(\.\d{1,3}){3}|\[?[0-9a-f:]*::1?\]?)(:\d{1,5})?\/?$/i,
  // Time zones and locales.
  /^[A-Z][a-z]+\/[A-Z][a-z]+(_[A-Z][a-z]+){0,2}$/,
  /^[a-z]{2}_[A-Z]{2}\.utf-?8$/i
]

/** Values of variables that are no secret. */
const common = new Set([
  'production',
  'development',
  'staging',
  'default',
  'enabled',
  'disabled',
  'undefined',
  'password',
  'changeme',
  'administrator',
  'database',
  'postgres',
  'postgresql',
  'mariadb',
  'wordpress',
  'utf8mb4_unicode_ci',
  'utf8mb4_general_ci'
])

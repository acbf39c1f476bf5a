export interface Variable {
  key: string
  value: string
}

/** Masking ordinary words would make logs unreadable and give them away: only secret-looking values are masked. */
export function isSecretValue({ key, value }: Variable): boolean {
  const text = value.trim()
  if (text.length < 6 || common.has(text.toLowerCase()) || plainShapes.some((shape) => shape.test(text))) return false
  const isNamedSecret = secretKey.test(key)
  if (/^\d+$/.test(text)) return text.length >= (isNamedSecret ? 8 : 10)
  if (word.test(text)) return text.length >= (isNamedSecret ? 8 : 16)
  return text.length >= (isNamedSecret ? 6 : 8)
}

const secretKey = /passw|passphrase|pwd|secret|token|credential|(^|_)(api_?)?key(_|$)|(^|_)(pass|auth|salt|dsn)(_|$)/i

/** One case, or capitalized. */
const word = /^(\p{Lu}?\p{Ll}+|\p{Lu}+)$/u

const plainShapes = [
  // Versions and fractions; longer numbers are treated as secrets.
  /^[+-]?\d{1,9}[.,]\d{1,9}$/,
  /^v?\d{1,5}(\.\d{1,5}){1,3}$/,
  // Local and IP addresses without a path.
  /^([a-z]{2,10}:\/\/)?(localhost|\d{1,3}(\.\d{1,3}){3}|\[?[0-9a-f:]*::1?\]?)(:\d{1,5})?\/?$/i,
  // Time zones and locales.
  /^[A-Z][a-z]+\/[A-Z][a-z]+(_[A-Z][a-z]+){0,2}$/,
  /^[a-z]{2}_[A-Z]{2}\.utf-?8$/i
]

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

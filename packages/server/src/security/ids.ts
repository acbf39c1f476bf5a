import { randomBytes } from 'node:crypto'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** New opaque id: 26 characters of Crockford base 32. The first ten encode the time, so that ids sort by creation. */
export function newId(now: number = Date.now()): string {
  let time = ''
  for (let rest = now, i = 0; i < 10; i++, rest = Math.floor(rest / 32)) time = alphabet[rest % 32] + time
  return time + Array.from(randomBytes(16), (byte) => alphabet[byte & 31]).join('')
}

import { randomBytes } from 'node:crypto'

/** Tells the requests of a log apart, also those of several processes and of several starts: a random prefix and a number. */
export function createRequestIds(): () => string {
  const prefix = randomBytes(6).toString('hex')
  let number = 0
  return () => `${prefix}-${(++number).toString(36)}`
}

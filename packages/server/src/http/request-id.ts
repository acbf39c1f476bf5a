import { randomBytes } from 'node:crypto'

export function createRequestIds(): () => string {
  const prefix = randomBytes(6).toString('hex')
  let number = 0
  return () => `${prefix}-${(++number).toString(36)}`
}

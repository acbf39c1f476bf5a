import { createHmac } from 'node:crypto'

/**
 * What the proxy computes from the Authorization header: it knows the key, not the password. Keyed instead of slow,
 * because the proxy computes it for each request in its event loop (ADR 46).
 */
export function loginDigest(keyHex: string, ruleId: string, username: string, password: string): string {
  const credentials = Buffer.from(`${username}:${password}`, 'utf8').toString('base64')
  return createHmac('sha256', Buffer.from(keyHex, 'hex')).update(`${ruleId}:${credentials}`).digest('hex').toUpperCase()
}

import { createHash, timingSafeEqual } from 'node:crypto'

export const setupPath = '/setup'

export interface FirstAccountRequest {
  token: string | undefined
  /** Whether the request comes from this machine (http/local-request.ts). */
  isHere: boolean
}

/**
 * Whether a request may create the first account, an ADMIN. If a setup link was issued, remote clients need it:
 * otherwise anyone could claim a fresh panel.
 */
export function mayMakeFirstAccount(issued: string | undefined, { token, isHere }: FirstAccountRequest): boolean {
  if (issued === undefined || isHere) return true
  return token !== undefined && timingSafeEqual(Buffer.from(setupTokenHash(token)), Buffer.from(issued))
}

export const setupTokenHash = (token: string): string => createHash('sha256').update(token).digest('hex')

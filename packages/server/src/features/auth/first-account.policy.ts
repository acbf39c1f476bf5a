import { createHash, timingSafeEqual } from 'node:crypto'

/** Where the setup link leads: a page of the dashboard. */
export const setupPath = '/setup'

export interface FirstAccountRequest {
  /** What the request brings. */
  token: string | undefined
  /** Whether it is made on this machine itself, by a name of this machine (http/local-request.ts). */
  isHere: boolean
}

/**
 * Whether a request may make the first account, which is the ADMIN. Where a setup link was issued, who only reaches the panel over the network
 * needs it: between the start and the first visit that is everybody.
 */
export function mayMakeFirstAccount(issued: string | undefined, { token, isHere }: FirstAccountRequest): boolean {
  if (issued === undefined || isHere) return true
  return token !== undefined && timingSafeEqual(Buffer.from(setupTokenHash(token)), Buffer.from(issued))
}

/** What the store holds of a token: it opens nothing. */
export const setupTokenHash = (token: string): string => createHash('sha256').update(token).digest('hex')

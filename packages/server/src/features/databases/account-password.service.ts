import { randomBytes } from 'node:crypto'

/** 24 characters that need no escaping in URIs, shells or configuration files: 144 bits of entropy. */
export const newPassword = (): string => randomBytes(18).toString('base64url')

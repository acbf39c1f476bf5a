import { randomBytes } from 'node:crypto'

/** 24 characters that no URI, shell or configuration file has to escape: 144 random bits. */
export const newPassword = (): string => randomBytes(18).toString('base64url')

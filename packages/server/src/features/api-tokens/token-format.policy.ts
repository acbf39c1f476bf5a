import { createHash } from 'node:crypto'

/** Fixed prefix for secret scanners. */
export const tokenPrefix = 'panel_'

export const isToken = (text: string): boolean => /^panel_[A-Za-z0-9_-]{43}$/.test(text)

/** 256 random bits need no slow hash. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

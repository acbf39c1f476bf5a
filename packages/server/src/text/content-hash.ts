import { createHash } from 'node:crypto'

/** A strong entity tag. By content, because a file can change without its modification time changing. */
export const contentHash = (content: Uint8Array): string =>
  `"${createHash('sha256').update(content).digest('base64url')}"`

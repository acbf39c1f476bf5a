import { createHash } from 'node:crypto'

/** A strong ETag. Based on the content, because a file can change without a new modification time. */
export const contentHash = (content: Uint8Array): string =>
  `"${createHash('sha256').update(content).digest('base64url')}"`

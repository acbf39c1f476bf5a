import { createHash } from 'node:crypto'

/** Of a content, whatever its name and time: a time can stay the same while the content does not. */
export const contentTag = (content: Uint8Array): string =>
  `"${createHash('sha256').update(content).digest('base64url')}"`

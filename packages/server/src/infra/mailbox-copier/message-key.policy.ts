import { createHash } from 'node:crypto'

/** Properties that are equal for a message and its copy, and hardly ever for two different messages. */
export interface MessageFacts {
  /** INTERNALDATE. */
  receivedAt: Date
  /** With CRLF line ends, as IMAP servers count. */
  size: number
  /** The message, or at least its Message-ID header. */
  head: Buffer
}

export function messageKey({ receivedAt, size, head }: MessageFacts): string {
  const id = createHash('sha256').update(messageIdOf(head)).digest('base64')
  return `${Math.floor(receivedAt.getTime() / 1000)} ${size} ${id}`
}

/** Normalizes white space, since servers fold header lines differently. */
function messageIdOf(head: Buffer): string {
  const end = head.indexOf('\r\n\r\n')
  const bareEnd = head.indexOf('\n\n')
  const ends = [end, bareEnd].filter((at) => at !== -1)
  const header = head.subarray(0, ends.length === 0 ? head.length : Math.min(...ends) + 1).toString('latin1')
  const [, value = ''] = /^message-id[ \t]*:((?:.|\r?\n[ \t])*)/im.exec(header) ?? []
  return value.replace(/\s+/g, ' ').trim()
}

export function sizeWithCrlf(content: Buffer): number {
  let bare = 0
  for (let at = content.indexOf(10); at !== -1; at = content.indexOf(10, at + 1)) if (content[at - 1] !== 13) bare++
  return content.length + bare
}

/** UIDs by key: `take` returns each UID once, oldest first. */
export function createArrivals() {
  const arrived = new Map<string, number[]>()
  return {
    add(key: string, uid: number): void {
      const uids = arrived.get(key)
      if (uids) uids.push(uid)
      else arrived.set(key, [uid])
    },
    take(key: string): number | undefined {
      const uids = arrived.get(key)
      const uid = uids?.shift()
      if (uids?.length === 0) arrived.delete(key)
      return uid
    }
  }
}

import { createHash } from 'node:crypto'

/** What is alike of a message on the source and of its copy here, and of hardly any two messages besides. */
export interface MessageFacts {
  /** INTERNALDATE. */
  receivedAt: Date
  /** With CRLF at the ends of its lines, as every server of IMAP counts. */
  size: number
  /** The message or its header, at least Message-ID where it has one. */
  head: Buffer
}

/** By which a copy is known again. */
export function messageKey({ receivedAt, size, head }: MessageFacts): string {
  const id = createHash('sha256').update(messageIdOf(head)).digest('base64')
  return `${Math.floor(receivedAt.getTime() / 1000)} ${size} ${id}`
}

/** With its white space as one, since servers fold lines anew. */
function messageIdOf(head: Buffer): string {
  const end = head.indexOf('\r\n\r\n')
  const bareEnd = head.indexOf('\n\n')
  const ends = [end, bareEnd].filter((at) => at !== -1)
  const header = head.subarray(0, ends.length === 0 ? head.length : Math.min(...ends) + 1).toString('latin1')
  const [, value = ''] = /^message-id[ \t]*:((?:.|\r?\n[ \t])*)/im.exec(header) ?? []
  return value.replace(/\s+/g, ' ').trim()
}

/** Its size once every line ends with CRLF. */
export function sizeWithCrlf(content: Buffer): number {
  let bare = 0
  for (let at = content.indexOf(10); at !== -1; at = content.indexOf(10, at + 1)) if (content[at - 1] !== 13) bare++
  return content.length + bare
}

/** What has arrived, by its key: `take` gives the number of one copy, the oldest first, and each once. */
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

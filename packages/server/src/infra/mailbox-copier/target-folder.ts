import type { ImapFlow } from 'imapflow'
import type { MessageFacts } from './message-key.policy.ts'

/** A target folder, created if missing. */
export interface TargetFolder {
  uidValidity: number
  uidNext: number
  /** Messages with this UID or above. */
  readFacts(fromUid: number): AsyncIterable<MessageFacts & { uid: number }>
  /** Resolves with the UID. */
  append(content: Buffer, flags: readonly string[], receivedAt: Date): Promise<number>
}

/** Error of our server, not of the source. */
export class TargetError extends Error {
  constructor(cause: unknown) {
    super('the mailbox here', { cause })
  }
}

export async function openTargetFolder(client: ImapFlow, path: string): Promise<TargetFolder> {
  if (path !== 'INBOX') {
    await here(client.mailboxCreate(path))
    await here(client.mailboxSubscribe(path))
  }
  const status = await here(client.status(path, { uidNext: true, uidValidity: true }))
  const { uidNext, uidValidity } = status || {}
  if (uidNext === undefined || uidValidity === undefined) throw new TargetError(new Error('no numbers'))
  return {
    uidNext,
    uidValidity: Number(uidValidity),
    async *readFacts(fromUid) {
      if (fromUid >= uidNext) return
      await here(client.mailboxOpen(path, { readOnly: true }))
      const query = { uid: true, size: true, internalDate: true, headers: ['message-id'] }
      for await (const message of client.fetch(`${fromUid}:*`, query, { uid: true }))
        // `n:*` always includes the last message, even if its UID is below n.
        if (message.uid >= fromUid)
          yield {
            uid: message.uid,
            receivedAt: new Date(message.internalDate ?? 0),
            size: message.size ?? 0,
            head: message.headers ?? Buffer.alloc(0)
          }
      await here(client.mailboxClose())
    },
    async append(content, flags, receivedAt) {
      const stored = await here(client.append(path, content, [...flags], receivedAt))
      if (!stored || stored.uid === undefined) throw new TargetError(new Error('not stored'))
      return stored.uid
    }
  }
}

const here = <T>(work: Promise<T>): Promise<T> =>
  work.catch((cause: unknown) => {
    throw new TargetError(cause)
  })

import type { CopyEvent, LeftOut } from '../../infra/mailbox-copier/mailbox-copier.ts'

/** How far an import is, as its row has it. */
export interface ImportProgress {
  foldersDone: number
  foldersTotal: number | null
  messagesDone: number
  messagesTotal: number | null
  bytesDone: number
  bytesTotal: number | null
  leftOut: { folder: string; reason: string; messages: number }[]
  failures: number
  reason: string | null
}

const maxLeftOut = 100

/** What an event changes of it. Totals are of what has come and what is still to come: each run counts the latter anew. */
export function progressOf(
  now: ImportProgress,
  event: Exclude<CopyEvent, { type: 'alive' }>,
  words: (reason: LeftOut) => string
): Partial<ImportProgress> {
  switch (event.type) {
    case 'planned':
      return {
        foldersDone: 0,
        foldersTotal: event.folders,
        messagesTotal: now.messagesDone + event.messages,
        bytesTotal: now.bytesDone + event.bytes,
        reason: null
      }
    case 'position':
      return {
        messagesDone: now.messagesDone + event.messages,
        bytesDone: now.bytesDone + event.bytes,
        // More may have come since they were counted.
        messagesTotal: atLeast(now.messagesTotal, now.messagesDone + event.messages),
        bytesTotal: atLeast(now.bytesTotal, now.bytesDone + event.bytes),
        ...(event.messages > 0 ? { failures: 0 } : {})
      }
    case 'folder-done':
      return { foldersDone: now.foldersDone + 1 }
    case 'left-out':
      return { leftOut: withLeftOut(now.leftOut, { ...event, reason: words(event.reason) }) }
  }
}

const atLeast = (total: number | null, done: number): number | null => (total === null ? null : Math.max(total, done))

/** Each folder and reason once, however often the import begins anew. */
function withLeftOut(
  known: ImportProgress['leftOut'],
  { folder, reason, messages }: { folder: string; reason: string; messages: number }
): ImportProgress['leftOut'] {
  const same = known.find((one) => one.folder === folder && one.reason === reason)
  if (same) return known.map((one) => (one === same ? { ...one, messages: one.messages + messages } : one))
  return known.length < maxLeftOut ? [...known, { folder, reason, messages }] : known
}

import type { CopyEvent, LeftOut } from '../../infra/mailbox-copier/mailbox-copier.ts'

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

/** Column changes for an event. Totals are what was copied plus what remains; each run counts the remainder again. */
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
        // New messages may have arrived since the count.
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

function withLeftOut(
  known: ImportProgress['leftOut'],
  { folder, reason, messages }: { folder: string; reason: string; messages: number }
): ImportProgress['leftOut'] {
  const same = known.find((one) => one.folder === folder && one.reason === reason)
  if (same) return known.map((one) => (one === same ? { ...one, messages: one.messages + messages } : one))
  return known.length < maxLeftOut ? [...known, { folder, reason, messages }] : known
}

import type { HeldNote } from '../../infra/mail-filter/mail-filter.ts'

/** A note is there before its message is on hold. */
const noteAheadMs = 3_600_000

/** Of notes on messages that are held: of which the owner is to be told, and which are of messages that are held no more. */
export function heldWork(
  notes: readonly HeldNote[],
  held: ReadonlySet<string>,
  now: Date
): { toTell: string[]; toForget: string[] } {
  const isOver = ({ id, notedAt }: HeldNote) => !held.has(id) && now.getTime() - notedAt.getTime() > noteAheadMs
  return {
    toTell: notes.filter((note) => !note.isNotified && held.has(note.id)).map(({ id }) => id),
    toForget: notes.filter(isOver).map(({ id }) => id)
  }
}

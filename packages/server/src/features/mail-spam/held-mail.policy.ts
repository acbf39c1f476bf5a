import type { HeldNote } from '../../infra/mail-filter/mail-filter.ts'

/** The filter writes its note before Postfix puts the message on hold. */
const noteAheadMs = 3_600_000

/** Which notes need a notification, and which belong to messages that are no longer held. */
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

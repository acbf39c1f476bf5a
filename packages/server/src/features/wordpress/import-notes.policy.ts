import type { WordpressNotes } from '@panel/contract/wordpress'
import type { WordpressNoteCode } from '@panel/contract/wordpress-texts'
import type { LeftOut } from './dump-statement.policy.ts'

const codes: Readonly<Record<LeftOut, readonly [WordpressNoteCode, WordpressNoteCode]>> = {
  trigger: ['TRIGGER', 'TRIGGERS'],
  view: ['VIEW', 'VIEWS'],
  event: ['EVENT', 'EVENTS'],
  routine: ['ROUTINE', 'ROUTINES']
}

export function notesOf(
  leftOut: ReadonlyMap<LeftOut, number>,
  { malformed, tooLarge }: { malformed: number; tooLarge: number }
): WordpressNotes {
  const notes: WordpressNotes = [...leftOut].map(([kind, count]) => {
    const [one, several] = codes[kind]
    return count === 1 ? { code: one } : { code: several, values: { count } }
  })
  if (malformed > 0) notes.push({ code: 'MALFORMED_TEXTS', values: { count: malformed } })
  if (tooLarge > 0) notes.push({ code: 'LARGE_ROWS', values: { count: tooLarge } })
  return notes
}

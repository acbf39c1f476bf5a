/** For the owner: what of the dump was not loaded, and texts and rows that were left as they were. */
export function notesOf(
  leftOut: ReadonlyMap<string, number>,
  { malformed, tooLarge }: { malformed: number; tooLarge: number }
): string[] {
  const notes = [...leftOut].map(([kind, count]) => `Not imported: ${kind}${count === 1 ? '' : ` (${count} of them)`}`)
  if (malformed > 0) notes.push(`Left as they were: ${malformed} texts that look serialized and that PHP cannot read`)
  if (tooLarge > 0) notes.push(`Left as they were: ${tooLarge} rows too large for their address to be replaced`)
  return notes
}

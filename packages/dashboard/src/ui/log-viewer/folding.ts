/** Lines [from, to) of a log with a heading on the first one. A folded section shows that line alone. */
export interface Section {
  key: string
  from: number
  to: number
  isOpen: boolean
}

export interface Folding {
  /** Number of rows that are shown. */
  count: number
  lineOf(row: number): number
  /** Lines that are hidden have the row of their heading. */
  rowOf(line: number): number
}

/** Maps between lines and shown rows. Sections are in order and do not overlap. */
export function foldingOf(lines: number, sections: readonly Section[]): Folding {
  const hidden = sections
    .filter(({ isOpen, from, to }) => !isOpen && to - from > 1)
    .map(({ from, to }) => ({ from: from + 1, to: Math.min(to, lines) }))
  const total = hidden.reduce((sum, { from, to }) => sum + to - from, 0)
  return {
    count: lines - total,
    lineOf: (row) => hidden.reduce((line, { from, to }) => (line >= from ? line + to - from : line), row),
    rowOf(line) {
      let row = line
      for (const { from, to } of hidden) {
        if (line >= to) row -= to - from
        else if (line >= from) row -= line - from + 1
      }
      return row
    }
  }
}

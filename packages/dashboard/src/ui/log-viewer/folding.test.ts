import { expect, test } from 'vitest'
import { foldingOf } from './folding.ts'

const section = (from: number, to: number, isOpen = false) => ({ key: String(from), from, to, isOpen })
const shownLines = (lines: number, ...sections: ReturnType<typeof section>[]) => {
  const { count, lineOf } = foldingOf(lines, sections)
  return Array.from({ length: count }, (_, row) => lineOf(row))
}

test('without folded sections each line is a row', () => {
  expect(shownLines(4)).toEqual([0, 1, 2, 3])
  expect(shownLines(4, section(0, 2, true), section(2, 4, true))).toEqual([0, 1, 2, 3])
})

test('a folded section shows its heading', () => {
  expect(shownLines(9, section(1, 4), section(4, 6, true), section(6, 9))).toEqual([0, 1, 4, 5, 6])
  expect(shownLines(6, section(0, 3), section(3, 6))).toEqual([0, 3])
  expect(shownLines(3, section(0, 1), section(1, 2), section(2, 3))).toEqual([0, 1, 2])
})

test('lines have their row, and hidden ones that of their heading', () => {
  const { rowOf, lineOf, count } = foldingOf(9, [section(1, 4), section(4, 6, true), section(6, 9)])
  expect([0, 1, 2, 3, 4, 5, 6, 7, 8].map(rowOf)).toEqual([0, 1, 1, 1, 2, 3, 4, 4, 4])
  for (let row = 0; row < count; row++) expect(rowOf(lineOf(row))).toBe(row)
})

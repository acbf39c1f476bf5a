import { useCallback, useState } from 'react'
import { type Folding, foldingOf, type Section } from './folding.ts'
import type { LogBuffer } from './log-buffer.ts'

/** A part of the log below a heading, which replaces its first line. */
export interface LogSection extends Section {
  title: string
  note?: string | undefined
  isBad?: boolean
}

interface SectionsOptions {
  buffer: LogBuffer
  sections: readonly LogSection[]
  find: string
  /** 0-based index of the linked line. */
  linked: number | undefined
}

export interface Sections {
  folding: Folding
  /** By the index of their first line. */
  headings: ReadonlyMap<number, LogSection>
  /** The closed section with the linked line. */
  closed: string | undefined
  /** Changes when a section opens or closes; empty without sections. */
  folded: string
  /** Stable. */
  set(key: string, isOpen: boolean): void
}

/** Open and closed sections. A search opens all of them, and a link that of its line. */
export function useSections({ buffer, sections, find, linked }: SectionsOptions): Sections {
  const [toggled, setToggled] = useState<Readonly<Record<string, boolean>>>({})
  const set = useCallback((key: string, isOpen: boolean) => setToggled((before) => ({ ...before, [key]: isOpen })), [])
  const isLinked = ({ from, to }: Section) => linked !== undefined && linked >= from && linked < to
  // The lines of earlier sections may still be missing.
  const folds = (buffer.isWhole ? sections : []).map((section) => ({
    ...section,
    isOpen: find !== '' || (toggled[section.key] ?? (section.isOpen || isLinked(section)))
  }))
  return {
    folding: foldingOf(buffer.lines.length, folds),
    headings: new Map(folds.map((section) => [section.from, section])),
    closed: folds.find((section) => isLinked(section) && !section.isOpen)?.key,
    folded: folds.map(({ key, from, isOpen }) => `${key} ${from} ${isOpen}`).join(),
    set
  }
}

import type { WantedNames } from './smallest-names.ts'

/** Directories are `self` paths: threads use the handle that stays open here until they have answered. */
export type ListingRequest =
  | { kind: 'names'; directory: string; wanted: WantedNames }
  | { kind: 'facts'; directory: string; names: string }

export interface ListingAnswers {
  names: string
  /** Mode, size and mtime per name; NaN if the entry is gone. */
  facts: Float64Array<ArrayBuffer>
}

// Cannot occur in names. Copying one string between threads is much faster than ten thousand.
const separator = '\0'

export const textOfNames = (names: readonly string[]): string => names.join(separator)

export const namesOfText = (text: string): string[] => (text === '' ? [] : text.split(separator))

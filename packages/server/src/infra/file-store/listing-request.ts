import type { WantedNames } from './smallest-names.ts'

/**
 * What the threads of a listing are asked. Directories are named as `self` does, so that a thread asks the very one that is open here; it stays
 * open until the thread has answered.
 */
export type ListingRequest =
  { kind: 'names'; directory: string; wanted: WantedNames } | { kind: 'facts'; directory: string; names: string }

export interface ListingAnswers {
  /** Of namesOfText. */
  names: string
  /** Mode, size and time of each; not a number where it is gone. */
  facts: Float64Array<ArrayBuffer>
}

/** No name has it in it. One text is copied between threads in a fraction of the time that ten thousand take. */
const separator = '\0'

export const textOfNames = (names: readonly string[]): string => names.join(separator)

export const namesOfText = (text: string): string[] => (text === '' ? [] : text.split(separator))

import type { FailureCode } from '@panel/contract/failure-texts'
import type { Sentence } from '@panel/contract/sentences'

/** Why nothing is built now: a sentence for the owner of the project, who cannot see the disk. Undefined while there is room. */
export function lowDiskProblem(freeBytes: number | undefined, minFreeBytes: number): Sentence<FailureCode> | undefined {
  if (freeBytes === undefined || freeBytes >= minFreeBytes) return undefined
  return { code: 'DISK_LOW', values: { free: String(mebibytes(freeBytes)), needed: String(mebibytes(minFreeBytes)) } }
}

const mebibytes = (bytes: number): number => Math.floor(bytes / 2 ** 20)

import type { FailureCode } from '@panel/contract/failure-texts'
import type { Sentence } from '@panel/contract/sentences'

/** For the project owner, who cannot see the disk. Undefined while there is enough space. */
export function lowDiskProblem(freeBytes: number | undefined, minFreeBytes: number): Sentence<FailureCode> | undefined {
  if (freeBytes === undefined || freeBytes >= minFreeBytes) return undefined
  return { code: 'DISK_LOW', values: { free: String(mebibytes(freeBytes)), needed: String(mebibytes(minFreeBytes)) } }
}

const mebibytes = (bytes: number): number => Math.floor(bytes / 2 ** 20)

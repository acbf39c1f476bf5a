/** Why nothing is built now: a sentence for the owner of the project, who cannot see the disk. Undefined while there is room. */
export function lowDiskProblem(freeBytes: number | undefined, minFreeBytes: number): string | undefined {
  if (freeBytes === undefined || freeBytes >= minFreeBytes) return undefined
  return (
    `The disk of this server is nearly full: ${mebibytes(freeBytes)} are free and a build needs ${mebibytes(minFreeBytes)} ` +
    '(MIN_FREE_DISK). An administrator must make room; then build again'
  )
}

const mebibytes = (bytes: number): string => `${Math.floor(bytes / 2 ** 20)} MiB`

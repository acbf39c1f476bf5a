export interface Need {
  directory: string
  /** Number of its file system. */
  device: number
  bytes: number
  freeBytes: number
}

/** What is missing on the fullest file system; undefined if everything has room. */
export function roomProblem(needs: readonly Need[]): string | undefined {
  for (const device of new Set(needs.map((need) => need.device))) {
    const here = needs.filter((need) => need.device === device)
    const wanted = here.reduce((sum, { bytes }) => sum + bytes, 0)
    const free = Math.min(...here.map(({ freeBytes }) => freeBytes))
    if (wanted > free)
      return `Not enough disk space at ${here.map(({ directory }) => directory).join(', ')}: the restore needs ${mebibytes(wanted)} MiB, ${mebibytes(free)} MiB are free.`
  }
  return undefined
}

const mebibytes = (bytes: number): number => Math.ceil(bytes / 2 ** 20)

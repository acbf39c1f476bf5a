import type { FullRun } from './full-run.ts'

/** Sorts files without timings first, as they may take longest, then the longest first. */
export function longestFirst({ files }: Pick<FullRun, 'files'>): (a: string, b: string) => number {
  const secondsOf = (path: string) => files[path] ?? (path.startsWith('e2e/') ? Number.MAX_VALUE : 0)
  return (a, b) => secondsOf(b) - secondsOf(a)
}

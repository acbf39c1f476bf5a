import type { FullRun } from './full-run.ts'

/** Sorts paths so that the longest files start first; before them files that nobody has timed, which may take longer still. */
export function longestFirst({ files }: Pick<FullRun, 'files'>): (a: string, b: string) => number {
  const secondsOf = (path: string) => files[path] ?? (path.startsWith('e2e/') ? Number.MAX_VALUE : 0)
  return (a, b) => secondsOf(b) - secondsOf(a)
}

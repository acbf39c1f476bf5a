/** A row of the table of docs/testing.md: a file, and how long it took. */
const row = /^\| (\S+\.test\.ts) +\|[^|]*\|[^|]*\| +([\d.]+) \|$/gm

/** Seconds by the path from the root, as the table says. */
export const recordedSeconds = (document: string): ReadonlyMap<string, number> =>
  new Map([...document.matchAll(row)].map(([, path, seconds]) => [path!, Number(seconds)]))

/** Which of two files begins first, for a sort: what takes long, and before it what nobody has timed, since it may take longer still. */
export function longestFirst(seconds: ReadonlyMap<string, number>): (a: string, b: string) => number {
  const secondsOf = (path: string) => seconds.get(path) ?? Number.MAX_VALUE
  return (a, b) => secondsOf(b) - secondsOf(a)
}

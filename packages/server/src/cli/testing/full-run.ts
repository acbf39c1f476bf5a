import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileResult } from './report.ts'

/** The last green `./panel test --all`, committed as `e2e/last-full-run.json`. */
export interface FullRun {
  commit: string
  /** ISO 8601. */
  date: string
  seconds: number
  /** Seconds per area: the sum over its files, which run in parallel. */
  areas: Readonly<Record<string, number>>
  /** Seconds per file that takes longer than one second; the longest start first. */
  files: Readonly<Record<string, number>>
}

const place = (root: string) => join(root, 'e2e/last-full-run.json')

export async function readFullRun(root: string): Promise<FullRun | undefined> {
  try {
    return JSON.parse(await readFile(place(root), 'utf8')) as FullRun
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

export const writeFullRun = (root: string, run: FullRun): Promise<void> =>
  writeFile(place(root), `${JSON.stringify(run, null, 2)}\n`)

export function fullRunOf(commit: string, date: Date, seconds: number, files: readonly FileResult[]): FullRun {
  const [areas, byPath] = [new Map<string, number>(), new Map<string, number>()]
  const add = (to: Map<string, number>, key: string, value: number) => to.set(key, (to.get(key) ?? 0) + value)
  for (const { path, seconds } of files) {
    const [, area] = /^e2e\/([^/]+)\//.exec(path) ?? []
    if (area !== undefined) add(areas, area, seconds)
    add(byPath, path, seconds)
  }
  const rounded = (of: Map<string, number>, atLeast = 0) =>
    Object.fromEntries(
      [...of].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([key, value]) => (value < atLeast ? [] : [[key, Math.round(value)]]))
    ) // oxfmt-ignore
  return {
    commit,
    date: date.toISOString(),
    seconds: Math.round(seconds),
    areas: rounded(areas),
    files: rounded(byPath, 1)
  }
}

/** Files of an area that run in parallel. */
const filesAtOnce = 2

/** Splits areas by whether they fit into the remaining seconds, shortest first. Areas without timings do not fit. */
export function planAreas(areas: readonly string[], { areas: known }: Pick<FullRun, 'areas'>, secondsLeft: number) {
  const estimate = (area: string) => (known[area] ?? Infinity) / filesAtOnce
  const [run, notRun]: [string[], string[]] = [[], []]
  for (const area of [...areas].sort((a, b) => estimate(a) - estimate(b))) {
    const fits = estimate(area) <= secondsLeft
    if (fits) secondsLeft -= estimate(area)
    ;(fits ? run : notRun).push(area)
  }
  return { run, notRun }
}

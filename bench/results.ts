import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { comparableRatios, type Ratios } from './compare.ts'
import type { Row } from './figures.ts'

const root = join(import.meta.dirname, '..')
const resultsFile = join(root, 'node_modules/.bench-results.json')
const ratiosFile = join(root, 'docs/performance.json')

/** The last result of a part. */
export interface PartResult {
  commit: string
  /** Of the machine, as the part began. */
  load: number
  rows: readonly Row[]
}

const readJson = <T>(path: string): Record<string, T> =>
  existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Record<string, T>) : {}

const writeJson = (path: string, value: object) => writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`)

export const readResults = (): Record<string, PartResult> => readJson<PartResult>(resultsFile)

/** Call as the part begins; the result is kept for `npm run bench:table`. */
export function beginPart(): (name: string, rows: readonly Row[]) => void {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8', timeout: 10_000 }).trim()
  const changed = git('status', '--porcelain', '--untracked-files=no') === '' ? '' : ', changed'
  const commit = `${git('rev-parse', '--short=8', 'HEAD')}${changed}`
  const load = loadavg()[0]!
  return (name, rows) => writeJson(resultsFile, { ...readResults(), [name]: { commit, load, rows } })
}

/** The committed ratios of each part, which a change is compared with. */
export const readRatios = (): Record<string, Ratios> => readJson<Ratios>(ratiosFile)

/** Records the ratios of these parts; those of others stay. */
export function recordRatios(results: Readonly<Record<string, PartResult>>): void {
  const added = Object.entries(results).map(([name, { rows }]) => [name, comparableRatios(rows)] as const)
  const all = { ...readRatios(), ...Object.fromEntries(added) }
  const kept = Object.entries(all).filter(([, ratios]) => Object.keys(ratios).length > 0)
  writeJson(ratiosFile, Object.fromEntries(kept.sort(([one], [other]) => (one < other ? -1 : 1))))
}

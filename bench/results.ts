import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import type { Row } from './figures.ts'

const file = join(import.meta.dirname, '..', 'node_modules', '.bench-results.json')

/** What a part printed, of which commit, and how busy the machine was when it began. */
export interface Part {
  commit: string
  load: number
  rows: Row[]
}

/** Keeps what each part printed last, for scripts/bench-table.mjs. */
export function beginPart(): (name: string, rows: Row[]) => void {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8', timeout: 10_000 }).trim()
  const changed = git('status', '--porcelain', '--untracked-files=no') === '' ? '' : ', changed'
  const commit = `${git('rev-parse', '--short=8', 'HEAD')}${changed}`
  const load = loadavg()[0]!
  return (name, rows) => {
    const parts = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, Part>) : {}
    parts[name] = { commit, load, rows }
    writeFileSync(file, JSON.stringify(parts, null, 2))
  }
}

import type { Run } from '../process/process.ts'
import { takeServerTable } from './nft.ts'

const tablePattern = /^panel_[0-9a-f]{10}_(server|bans)$/
const timeoutMs = 10_000
/** Longer than a panel takes to start again after a crash. */
const deadForMs = 60_000

/**
 * Removes rules and bans of panels that were killed and did not come back: they cannot be changed any more, and would
 * block what another panel on this machine serves. At the start of a panel at once, later only after a minute.
 */
export function createDeadTableRemoval({ run, ownTables }: { run: Run; ownTables: readonly string[] }) {
  const deadSince = new Map<string, number>()
  return async (nowMs: number, waitMs = deadForMs): Promise<string[]> => {
    const { stdout } = await run(['nft', 'list', 'tables', 'inet'], { timeoutMs, env: { LC_ALL: 'C' } })
    const tables = [...stdout.matchAll(/^table inet (\S+)$/gm)].map(([, name]) => name!)
    const others = tables.filter((table) => !ownTables.includes(table) && tablePattern.test(table))
    for (const table of deadSince.keys()) if (!others.includes(table)) deadSince.delete(table)
    const removed: string[] = []
    for (const table of others) {
      const release = await takeServerTable(table)
      if (!release) {
        deadSince.delete(table)
        continue
      }
      try {
        const since = deadSince.get(table) ?? nowMs
        deadSince.set(table, since)
        if (nowMs - since < waitMs) continue
        await run(['nft', '-f', '-'], { timeoutMs, input: `table inet ${table}\ndelete table inet ${table}\n` })
        deadSince.delete(table)
        removed.push(table)
      } finally {
        await release()
      }
    }
    return removed
  }
}

import type { Run } from '../process/process.ts'
import { takeServerTable } from './nft-server-firewall.ts'

const tablePattern = /^panel_[0-9a-f]{10}_server$/
const timeoutMs = 10_000
/** Longer than a panel takes to start again after a crash. */
const deadForMs = 60_000

/**
 * Removes server firewalls of panels that were killed and did not come back: their rules cannot be changed any more, and
 * would block what another panel on this machine serves. At the start of a panel at once, later only after a minute.
 */
export function createDeadTableRemoval({ run, ownTable }: { run: Run; ownTable: string }) {
  const deadSince = new Map<string, number>()
  return async (nowMs: number, waitMs = deadForMs): Promise<string[]> => {
    const { stdout } = await run(['nft', 'list', 'tables', 'inet'], { timeoutMs, env: { LC_ALL: 'C' } })
    const tables = [...stdout.matchAll(/^table inet (\S+)$/gm)].map(([, name]) => name!)
    const others = tables.filter((table) => table !== ownTable && tablePattern.test(table))
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

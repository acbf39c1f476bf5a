import { readdir } from 'node:fs/promises'
import { z } from 'zod'
import { ProcessError, type Run } from '../process/process.ts'
import { type ReleaseName, takeName } from '../process/name-lock.ts'
import { restoreEngineRules } from './engine-rules.ts'
import { poolsSet, renderBridgeTable } from './nftables.render.ts'

/** The process that holds the lock keeps the table in force. The kernel releases it when the process ends. */
export const takeTable = (table: string): Promise<ReleaseName | undefined> => takeName(`firewall-table ${table}`)

const tablePattern = /^panel_(?<instanceId>[0-9a-f]{10})$/
const timeoutMs = 10_000

interface OtherPanels {
  run: Run
  ownTable: string
  bridgePrefix: (instanceId: string) => string
  listInterfaces?: () => Promise<string[]>
  /** Lists them and removes nothing. */
  isDryRun?: boolean
}

/**
 * Removes tables of dead panels whose networks are gone: their rules would block what a later panel allows at the same
 * addresses. Keeps tables that a process holds or whose networks exist, because sites keep running without their panel.
 */
export async function removeDeadTables(options: OtherPanels): Promise<string[]> {
  const { run, bridgePrefix, listInterfaces = () => readdir('/sys/class/net') } = options
  const tables = await listOtherTables(options)
  if (tables.length === 0) return []
  const removed: string[] = []
  for (const table of tables) {
    const release = await takeTable(table)
    if (!release) continue
    try {
      // Checked under the lock: a starting panel takes the lock before it creates networks.
      const prefix = bridgePrefix(tablePattern.exec(table)!.groups!.instanceId!)
      if ((await listInterfaces()).some((bridge) => bridge.startsWith(prefix))) continue
      removed.push(table)
      if (options.isDryRun) continue
      const text = `table inet ${table}\ndelete table inet ${table}\n`
      await run(['nft', '-f', '-'], { timeoutMs, input: text })
      await run(['nft', '-f', '-'], { timeoutMs, input: renderBridgeTable(table, {}) }).catch(() => {}) // as in nftables.ts
      await restoreEngineRules(run, prefix)
    } finally {
      await release()
    }
  }
  return removed
}

/** CIDRs reserved by other panels on this machine, even if unused. */
export async function listOtherPools(options: Pick<OtherPanels, 'run' | 'ownTable'>): Promise<string[]> {
  const pools: string[] = []
  for (const table of await listOtherTables(options)) {
    const { stdout } = await options
      .run(['nft', '-j', 'list', 'set', 'inet', table, poolsSet], { timeoutMs })
      .catch((error: unknown) => {
        if (error instanceof ProcessError && error.reason === 'failed') return { stdout: '{"nftables":[]}' }
        throw error
      })
    pools.push(...poolsIn(stdout))
  }
  return pools
}

async function listOtherTables({ run, ownTable }: Pick<OtherPanels, 'run' | 'ownTable'>): Promise<string[]> {
  const { stdout } = await run(['nft', 'list', 'tables', 'inet'], { timeoutMs, env: { LC_ALL: 'C' } })
  const names = [...stdout.matchAll(/^table inet (\S+)$/gm)].map(([, name]) => name!)
  return names.filter((table) => table !== ownTable && tablePattern.test(table))
}

const ListedSet = z.object({
  nftables: z.array(z.object({ set: z.object({ elem: z.array(z.unknown()).optional() }).optional() }))
})
const network = z.object({ prefix: z.object({ addr: z.string(), len: z.number() }) })

function poolsIn(json: string): string[] {
  const found = ListedSet.parse(JSON.parse(json)).nftables.flatMap(({ set }) => set?.elem ?? [])
  return found.flatMap((element) => {
    const { data } = network.safeParse(element)
    return data ? [`${data.prefix.addr}/${data.prefix.len}`] : []
  })
}

import { readdir } from 'node:fs/promises'
import { z } from 'zod'
import { ProcessError, type Run } from '../process/process.ts'
import { type ReleaseName, takeName } from '../process/name-lock.ts'
import { restoreEngineRules } from './engine-rules.ts'
import { poolsSet } from './nftables.render.ts'

/** Who has it keeps the table of this name in force. The kernel takes it back when that process ends, however it ends. */
export const takeTable = (table: string): Promise<ReleaseName | undefined> => takeName(`firewall-table ${table}`)

const tablePattern = /^panel_(?<instanceId>[0-9a-f]{10})$/
const timeoutMs = 10_000

interface OtherPanels {
  run: Run
  /** Ours, which is none of the others'. */
  ownTable: string
  /** The beginning of the names of an installation's bridges. */
  bridgePrefix: (instanceId: string) => string
  /** Network interfaces of the machine. */
  listInterfaces?: () => Promise<string[]>
}

/**
 * Removes the tables of panels that were killed, with their networks gone since: their rules would refuse what a later panel allows at the
 * same addresses. One that a process keeps, or whose networks are there, since sites run on without their panel, stays.
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
      // Read under the lock: a panel that starts takes it before it makes its networks.
      const prefix = bridgePrefix(tablePattern.exec(table)!.groups!.instanceId!)
      if ((await listInterfaces()).some((bridge) => bridge.startsWith(prefix))) continue
      const text = `table inet ${table}\ndelete table inet ${table}\n`
      await run(['nft', '-f', '-'], { timeoutMs, input: text })
      await restoreEngineRules(run, prefix)
      removed.push(table)
    } finally {
      await release()
    }
  }
  return removed
}

/** What other panels on this machine take their networks from, in CIDR notation, whether the networks are made yet or not. */
export async function listOtherPools(options: Pick<OtherPanels, 'run' | 'ownTable'>): Promise<string[]> {
  const pools: string[] = []
  for (const table of await listOtherTables(options)) {
    const { stdout } = await options
      .run(['nft', '-j', 'list', 'set', 'inet', table, poolsSet], { timeoutMs })
      .catch((error: unknown) => {
        // Of an earlier version, which has none, or gone since.
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

const listed = z.object({
  nftables: z.array(z.object({ set: z.object({ elem: z.array(z.unknown()).optional() }).optional() }))
})
const network = z.object({ prefix: z.object({ addr: z.string(), len: z.number() }) })

function poolsIn(json: string): string[] {
  const found = listed.parse(JSON.parse(json)).nftables.flatMap(({ set }) => set?.elem ?? [])
  return found.flatMap((element) => {
    const { data } = network.safeParse(element)
    return data ? [`${data.prefix.addr}/${data.prefix.len}`] : []
  })
}

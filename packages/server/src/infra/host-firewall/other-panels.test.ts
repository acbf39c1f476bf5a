import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { ProcessError, type Run } from '../process/process.ts'
import { listOtherPools, removeDeadTables, takeTable } from './other-panels.ts'

const bridgePrefix = (instanceId: string) => `pn${instanceId.slice(0, 6)}`
const newTable = () => `panel_${randomBytes(5).toString('hex')}`

function machine({
  tables,
  interfaces = [],
  sets = {}
}: {
  tables: string[]
  interfaces?: string[]
  sets?: Record<string, string>
}) {
  const removed: string[] = []
  const run: Run = async (argv, { input }) => {
    if (argv.includes('tables')) return { stdout: tables.map((table) => `table inet ${table}\n`).join(''), stderr: '' }
    if (argv[0] === 'iptables') throw new ProcessError('iptables', 'failed', 1, 'iptables: Bad rule')
    if (argv.includes('-f')) {
      removed.push(String(input))
      return { stdout: '', stderr: '' }
    }
    const answer = sets[argv[5]!]
    if (answer === undefined) throw new ProcessError('nft', 'failed', 1, 'No such file or directory')
    return { stdout: answer, stderr: '' }
  }
  return { run, bridgePrefix, ownTable: 'panel_0000000000', listInterfaces: async () => ['lo', ...interfaces], removed }
}

describe('tables of other panels', () => {
  test('removes only tables of dead panels without networks', async () => {
    const [dead, alive, serving] = [newTable(), newTable(), newTable()]
    const release = await takeTable(alive)
    const interfaces = [`${bridgePrefix(serving.slice(6))}a1`]
    const tables = ['filter', 'panel_services_1', 'panel_0000000000', dead, alive, serving]
    const { removed, ...options } = machine({ tables, interfaces })
    expect(await removeDeadTables(options)).toEqual([dead])
    expect(removed).toEqual(
      ['inet', 'bridge'].map((family) => `table ${family} ${dead}\ndelete table ${family} ${dead}\n`)
    )
    await release!()
    expect(await removeDeadTables(options)).toContain(alive)
  })

  test('releases table locks after the check', async () => {
    const table = newTable()
    await removeDeadTables(machine({ tables: [table], interfaces: [`${bridgePrefix(table.slice(6))}p`] }))
    const release = await takeTable(table)
    expect(release).toBeDefined()
    expect(await takeTable(table)).toBeUndefined()
    await release!()
  })

  test('reads pools from tables; earlier versions have none', async () => {
    const [notified, silent] = [newTable(), newTable()]
    const json = JSON.stringify({
      nftables: [
        { metainfo: { version: '1.0.6' } },
        { set: { name: 'pools', table: notified, elem: [{ prefix: { addr: '172.28.0.0', len: 16 } }, { prefix: { addr: '10.128.0.0', len: 18 } }] } } // oxfmt-ignore
      ]
    })
    const options = machine({ tables: [silent, notified], sets: { [notified]: json } })
    expect(await listOtherPools(options)).toEqual(['172.28.0.0/16', '10.128.0.0/18'])
    expect(await listOtherPools(machine({ tables: ['panel_0000000000'] }))).toEqual([])
  })
})

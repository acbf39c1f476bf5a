import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { describeServerFirewall } from '../../../test/contracts/server-firewall.contract.ts'
import { createMemoryServerFirewall } from '../../../test/fakes/memory-server-firewall.ts'
import { ProcessError, type Run } from '../process/process.ts'
import { createDeadTableRemoval } from './dead-tables.ts'
import { takeServerTable } from './nft.ts'

describeServerFirewall('memory', async () => {
  const firewall = createMemoryServerFirewall()
  const isInForce = async (ruleset: unknown) => isDeepStrictEqual(firewall.ruleset, ruleset)
  return { firewall, isInForce, dispose: async () => {} }
})

test('tables of dead panels are removed after a minute, others stay', async () => {
  const [own, dead, alive] = ['a', 'b', 'c'].map((digit) => `panel_${digit.repeat(10)}_server`) as [
    string,
    string,
    string
  ]
  const removed: unknown[] = []
  const run: Run = async (argv, { input }) => {
    if (argv.includes('-f')) removed.push(input)
    else if (!argv.includes('tables')) throw new ProcessError('unexpected', 'failed', 1, '')
    const tables = [own, dead, alive, 'filter', 'panel_dddddddddd', 'other_server']
    return { stdout: tables.map((table) => `table inet ${table}\n`).join(''), stderr: '' }
  }
  const release = await takeServerTable(alive)
  const remove = createDeadTableRemoval({ run, ownTables: [own] })
  expect(await remove(0)).toEqual([])
  expect(await remove(59_999)).toEqual([])
  // A panel that comes back starts anew.
  const back = await takeServerTable(dead)
  expect(await remove(60_000)).toEqual([])
  await back!()
  expect(await remove(61_000)).toEqual([])
  expect(await remove(121_000)).toEqual([dead])
  expect(removed).toEqual([`table inet ${dead}\ndelete table inet ${dead}\n`])
  // At the start of a panel at once.
  expect(await createDeadTableRemoval({ run, ownTables: [own] })(0, 0)).toEqual([dead])
  await release!()
})

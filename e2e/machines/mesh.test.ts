import { randomInt } from 'node:crypto'
import type { Machine as MachineView, MachineKey } from '@panel/contract/machines'
import { afterAll, expect, test } from 'vitest'
import { run } from '../../packages/server/src/infra/process/run.ts'
import { tunnelInterface } from '../../packages/server/src/net/network-names.ts'
import { panelWithMachines, reachEachOther } from '../support/machines.ts'
import { visit } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { nodeSite } from '../support/sites.ts'
import type { SshMachine } from '../support/ssh-machine.ts'

// A proxy for visitors and a site on two machines of the encrypted network.

const subnet = `10.84.${randomInt(1, 255)}`
// After the panel, which would make it again.
afterAll(() => run(['ip', 'link', 'del', 'dev', tunnelInterface(world.panel.instanceId)], { timeoutMs: 10_000 }).catch(() => {})) // oxfmt-ignore
const world = panelWithMachines(
  { MACHINE_TUNNEL_PORT: String(randomInt(40_000, 50_000)), MACHINE_TUNNEL_SUBNET: `${subnet}.0/24` },
  { count: 2 }
)

async function addEncrypted(machine: SshMachine, name: string): Promise<MachineView> {
  await machine.allow((await world.admin.call<MachineKey>('GET', '/machine-key')).publicKey)
  const { address: host, port, hostKey } = machine
  const { id } = await world.admin.call<MachineView>('POST', '/machines', { name, host, port, hostKey, isEncrypted: true }) // oxfmt-ignore
  return world.admin.call<MachineView>('PATCH', `/machines/${id}`, { labels: [name] })
}

test('the proxy of a machine reaches sites on another one without the panel\u2019s machine', async () => {
  const { admin, git, machines, panel } = world
  const [edge, other] = machines as [SshMachine, SshMachine]
  await reachEachOther(edge, other)
  const m2 = await addEncrypted(edge, 'm2')
  const m3 = await addEncrypted(other, 'm3')
  await admin.call('PATCH', `/machines/${m2.id}`, { isEdge: true })
  for (const { id } of [m2, m3]) await world.becomes(id, 'ACTIVE')
  const site = await admin.createSite(git, nodeSite('far'), { keepsFiles: false, machineLabels: ['m3'] })
  await admin.mustRun(site.id)
  const body = () => visit(edge.address, panel.proxyPort, site.hostname, '/', {}).then((answer) => answer.body, () => undefined) // oxfmt-ignore
  await until(body, (found) => found === 'far /')
  const isReached = async () => {
    const [row] = await panel.query<{ reached: string[] | null }>(`select tunnel->'reached' as reached from nodes where name = 'm2'`) // oxfmt-ignore
    return row?.reached ?? []
  }
  await until(isReached, (reached) => reached.length === 1)

  // Its connections to machines, and what is relayed through them, end with it.
  await panel.kill()
  expect(await body()).toBe('far /')
  const peers = await other.run('wg', 'show', tunnelInterface(panel.instanceId), 'allowed-ips')
  expect(peers.split('\n')).toHaveLength(2)
  await panel.start()
})

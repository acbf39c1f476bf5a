import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../../packages/server/src/infra/process/run.ts'
import { panelWithMachines, reachEachOther } from '../support/machines.ts'
import { type Site, visit } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { makeRootDirectory } from '../support/root-directory.ts'
import { nodeSite } from '../support/sites.ts'
import type { SshMachine } from '../support/ssh-machine.ts'

// Two machines for visitors on one network, which share an address with keepalived and the file of deploy/floating-address.

const world = panelWithMachines({}, { count: 2 })
// 203.0.113.0/24 is reserved for documentation (RFC 5737).
const lan = { name: `pl${process.pid}`, own: '203.0.113.1', floating: '203.0.113.100' }
const own = (index: number) => `203.0.113.${11 + index}`
const port = (index: number) => `m${index}`
let site: Site
const daemons: ChildProcess[] = []

const ip = (...args: string[]) => run(['ip', ...args], { timeoutMs: 10_000 })
const template = () => readFile(new URL('../../deploy/floating-address/keepalived.conf', import.meta.url), 'utf8')

beforeAll(async () => {
  const { admin, git, machines, panel } = world
  await reachEachOther(machines[0]!, machines[1]!)
  // A namespace of its own: the rules of this machine's engine apply to its bridges.
  await ip('netns', 'add', lan.name)
  await ip('-n', lan.name, 'link', 'add', 'bridge', 'type', 'bridge')
  await ip('-n', lan.name, 'link', 'set', 'bridge', 'up')
  await ip('link', 'add', lan.name, 'type', 'veth', 'peer', 'name', 'visitors', 'netns', lan.name)
  await ip('-n', lan.name, 'link', 'set', 'visitors', 'master', 'bridge', 'up')
  await ip('address', 'add', `${lan.own}/24`, 'dev', lan.name)
  await ip('link', 'set', lan.name, 'up')
  const directory = await makeRootDirectory()
  for (const [index, machine] of machines.entries()) {
    await ip('-n', lan.name, 'link', 'add', port(index), 'type', 'veth', 'peer', 'name', 'lan', 'netns', String(machine.pid)) // oxfmt-ignore
    await ip('-n', lan.name, 'link', 'set', port(index), 'master', 'bridge', 'up')
    await machine.run('ip', 'address', 'add', `${own(index)}/24`, 'dev', 'lan')
    await machine.run('ip', 'link', 'set', 'lan', 'up')
    const { id } = await world.add(machine, `m${index + 2}`, [`m${index + 2}`])
    await admin.call('PATCH', `/machines/${id}`, { isEdge: true })
    const config = (await template())
      .replace('/127.0.0.1/80', `/127.0.0.1/${panel.proxyPort}`)
      .replace('interface eth0', 'interface lan')
      .replace('10.0.0.11', own(index))
      .replace('10.0.0.12', own(1 - index))
      .replace('10.0.0.100', lan.floating)
    const files = join(directory, String(index))
    await mkdir(files)
    await writeFile(join(files, 'keepalived.conf'), config, { mode: 0o644 })
    const pids = ['-p', join(files, 'pid'), '-r', join(files, 'vrrp.pid'), '-c', join(files, 'checkers.pid')]
    const [file, ...args] = machine.enter('keepalived', '-n', '-l', '-f', join(files, 'keepalived.conf'), ...pids)
    daemons.push(spawn(file, args, { stdio: 'ignore' }))
  }
  site = await admin.createSite(git, nodeSite('up'), { keepsFiles: false, machineLabels: ['m3'] })
  await admin.mustRun(site.id)
})
afterAll(async () => {
  for (const daemon of daemons) daemon.kill('SIGTERM')
  await ip('link', 'del', lan.name).catch(() => {})
  await ip('netns', 'del', lan.name).catch(() => {})
})

const answers = () =>
  visit(lan.floating, world.panel.proxyPort, site.hostname, '/', {}).then(({ body }) => body === 'up /', () => false) // oxfmt-ignore
const holders = async (): Promise<SshMachine[]> => {
  const found = await Promise.all(world.machines.map((machine) => machine.run('ip', '-4', 'address', 'show', 'dev', 'lan'))) // oxfmt-ignore
  return world.machines.filter((_, index) => found[index]!.includes(`${lan.floating}/`))
}
const holder = async () => (await until(holders, ({ length }) => length === 1))[0]!
const moves = async (from: SshMachine) =>
  void (await until(holders, (found) => found.length === 1 && found[0] !== from))

test('one of the machines has the address, and the other takes it when that one is cut off from the network', async () => {
  await until(answers, Boolean)
  const first = await holder()
  const link = port(world.machines.indexOf(first))
  await ip('-n', lan.name, 'link', 'set', link, 'down')
  await until(async () => (await answers()) && (await holders()).some((machine) => machine !== first), Boolean)
  await ip('-n', lan.name, 'link', 'set', link, 'up')
  await moves(first)
  await sleep(4_000) // Longer than a machine with a higher priority would wait.
  await moves(first)
  expect(await answers()).toBe(true)
})

test('a machine gives the address up when its proxy does not answer', async () => {
  const first = await holder()
  // A rule, because the panel would start a proxy that ended again at once.
  const drop = `table inet test { chain input { type filter hook input priority 0; tcp dport ${world.panel.proxyPort} drop; }; }`
  await first.run('nft', drop)
  await moves(first)
  await until(answers, Boolean)
})

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { MachineDetails } from '@panel/contract/machines'
import { beforeAll, expect, test } from 'vitest'
import { createMachinePackages } from '../../packages/server/src/infra/machine-packages/machine-packages.ts'
import { run } from '../../packages/server/src/infra/process/run.ts'
import { startLoad } from '../support/load.ts'
import { panelWithMachines } from '../support/machines.ts'
import type { Client, Site } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { makeRootDirectory } from '../support/root-directory.ts'
import { nodeSite } from '../support/sites.ts'
import type { SshMachine } from '../support/ssh-machine.ts'

// Machines share the packages of this computer, so apt has no source there, and nothing to upgrade.

const world = panelWithMachines()
const sources = '/etc/apt/sources.list.d'
let machine: SshMachine
let admin: Client
let site: Site
let id: string

beforeAll(async () => {
  machine = world.machines[0]!
  admin = world.admin
  for (const directory of [sources, '/var/lib/apt/lists']) await machine.run('mount', '-t', 'tmpfs', 'none', directory)
  await machine.run('sh', '-ec', '[ ! -e /etc/apt/sources.list ] || mount --bind /dev/null /etc/apt/sources.list')
  id = (await world.add(machine, 'm2', ['far'])).id
  site = await admin.createSite(world.git, nodeSite('up'), { keepsFiles: false, machineLabels: ['far'] })
  await admin.mustRun(site.id)
  await admin.call('PUT', `/projects/${site.id}`, { machineLabels: [] })
})

const upgrade = () => admin.call<MachineDetails>('POST', `/machines/${id}/upgrade`)
const upgradeOf = async () => (await world.details(id)).machine.upgrade

test('an upgrade that fails, and one during which the panel is killed: the site returns, no request fails', async () => {
  const load = startLoad(world.panel.proxyPort, site.hostname, (text) => /^up( |$)/.test(text))
  try {
    await machine.run('sh', '-ec', `echo 'deb [trusted=yes] file:/nonexistent ./' >${sources}/broken.list`)
    expect(await upgrade()).toMatchObject({
      drain: { moving: 1, staying: 0 },
      machine: { upgrade: { step: 'MOVING' } }
    })
    const failed = await until(upgradeOf, (found) => found?.failure != null)
    expect(failed).toMatchObject({ step: 'INSTALLING', failure: { sentences: [{ code: 'PACKAGES' }] } })
    expect(await world.details(id)).toMatchObject({ machine: { isDraining: true }, sites: [] })

    await machine.run('rm', `${sources}/broken.list`)
    await upgrade()
    await until(upgradeOf, (found) => found?.step !== 'MOVING')
    await world.panel.kill()
    await world.panel.start()
    await until(upgradeOf, (found) => found?.step === 'DONE')
    await until(
      () => world.containers(site.id),
      (found) => found.length === 0
    )
    await sleep(3_500) // Longest possible slow request of the old container.
  } finally {
    await load.stop()
  }
  expect(load.failures).toEqual([])
  const { machine: view, sites } = await world.details(id)
  expect(view).toMatchObject({ status: 'ACTIVE', isDraining: false, problems: [] })
  expect(sites).toMatchObject([{ projectId: site.id }])
})

test('this version of the panel is copied once, and replaces the one that was copied before', async () => {
  const home = await makeRootDirectory()
  const version = async (name: string) => {
    await mkdir(join(home, 'versions', name), { recursive: true })
    await writeFile(join(home, 'versions', name, 'panel'), name)
    return createMachinePackages({
      connection: { run: (argv, options) => run(machine.enter(...argv), options) },
      root: join(home, 'versions', name)
    })
  }
  const { signal } = new AbortController()
  const [first, second] = [await version('0.1.0'), await version('0.2.0')]
  await machine.run('mount', '-t', 'tmpfs', 'none', home)
  await first.putPanel(signal)
  await second.putPanel(signal)
  expect(await machine.run('cat', `${home}/current/panel`)).toBe('0.2.0')
  expect(await machine.run('ls', '-A', `${home}/versions`)).toBe('0.2.0')
  await machine.run('sh', '-c', 'echo changed >"$1"', 'sh', `${home}/current/panel`)
  await second.putPanel(signal)
  expect(await machine.run('cat', `${home}/current/panel`)).toBe('changed')
})

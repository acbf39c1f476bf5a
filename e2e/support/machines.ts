import type { JoinCommand, Machine as MachineView, MachineDetails, MovedSite } from '@panel/contract/machines'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { findObjects } from './engine.ts'
import { type GitHttpServer, startGitHttpServer } from './git-server.ts'
import { connectMachines } from './machine.ts'
import { type Client, type RunningPanel, type Site, startPanel } from './panel.ts'
import { until } from './poll.ts'
import { makeRootDirectory } from './root-directory.ts'
import { createSshMachine, type SshMachine } from './ssh-machine.ts'

/** A panel with a git server, and machines that can be added to it. */
export interface PanelWithMachines {
  panel: RunningPanel
  git: GitHttpServer
  admin: Client
  machines: SshMachine[]
  /** Adds a machine and sets its labels. */
  add(machine: SshMachine, name: string, labels?: string[]): Promise<MachineView>
  list(): Promise<MachineView[]>
  details(id: string): Promise<MachineDetails>
  /** Waits for a status. */
  becomes(id: string, status: MachineView['status']): Promise<void>
  /** Of a project, on a machine or on the panel's own. Also those that do not run. */
  containers(projectId: string, machine?: SshMachine): Promise<string[]>
  move(projectId: string, machineId: string): Promise<MovedSite>
  body(site: Pick<Site, 'hostname'>): Promise<string | undefined>
  /** Waits until the site answers with this text. */
  serves(site: Pick<Site, 'hostname'>, text: string): Promise<void>
}

/** Started before the tests of the file and removed after them. */
export function panelWithMachines(
  env: Record<string, string> = {},
  { count = 1 }: { count?: number } = {}
): PanelWithMachines {
  const world = {} as PanelWithMachines
  beforeAll(async () => {
    const making = Promise.all(Array.from({ length: count }, createSshMachine))
    world.git = await startGitHttpServer()
    world.panel = await startPanel({
      DATA_DIR: await makeRootDirectory(),
      GIT_EXTRA_HOSTS: `127.0.0.1:${world.git.port}`,
      ...env
    })
    world.machines = await making
    // Other machines have other files.
    for (const machine of world.machines)
      await machine.run('mount', '-t', 'tmpfs', '-o', 'mode=755', 'none', world.panel.dataDir)
    world.admin = await world.panel.signUp('admin')
  })
  afterAll(async () => {
    await world.panel?.dispose()
    await world.git?.stop()
    for (const machine of world.machines ?? []) await machine.remove()
  })
  afterEach(({ task }) => {
    if (task.result?.state === 'fail') console.error(world.panel?.output().slice(-15_000))
  })
  const details = (id: string) => world.admin.call<MachineDetails>('GET', `/machines/${id}`)
  const body = async ({ hostname }: Pick<Site, 'hostname'>) =>
    (await world.panel.visit(hostname).catch(() => undefined))?.body
  return Object.assign(world, {
    async add(machine: SshMachine, name: string, labels: string[] = []) {
      const { id } = await machine.addTo(world.admin, name)
      return world.admin.call<MachineView>('PATCH', `/machines/${id}`, { labels })
    },
    list: async () => (await world.admin.call<{ machines: MachineView[] }>('GET', '/machines')).machines,
    details,
    becomes: async (id: string, status: string) =>
      void (await until(async () => (await details(id)).machine.status, (found) => found === status)), // oxfmt-ignore
    containers: async (projectId: string, machine?: SshMachine) => {
      const ofProject = `panel.project=${projectId}`
      if (!machine) return (await findObjects(ofProject)).containers
      return lines(await machine.run('docker', 'ps', '--all', '--no-trunc', '--quiet', '--filter', `label=${ofProject}`)) // oxfmt-ignore
    },
    move: (projectId: string, id: string) =>
      world.admin.call<MovedSite>('POST', `/machines/${id}/sites`, { projectId }),
    body,
    serves: async (site: Pick<Site, 'hostname'>, text: string) =>
      void (await until(() => body(site), (found) => found === text)) // oxfmt-ignore
  })
}

/** The command with which a machine adds itself. The name of the panel is unknown outside, and it has no certificate. */
export async function joinCommand({ admin, panel }: PanelWithMachines, machine: SshMachine, name: string) {
  const { command } = await admin.call<JoinCommand>('POST', '/machine-joins', { name })
  const url = `-H 'Host: panel.test' 'http://${machine.hostAddress}:${panel.proxyPort}`
  return ['sh', '-ec', command.replace(`'https://panel.test`, url)]
}

/** Two machines reach each other at their addresses, as on the Internet or in a network of theirs. */
export async function reachEachOther(one: SshMachine, other: SshMachine): Promise<void> {
  const [ofOne, ofOther] = await connectMachines(one, other)
  await one.run('ip', 'route', 'add', other.address, 'via', ofOther, 'src', one.address)
  await other.run('ip', 'route', 'add', one.address, 'via', ofOne, 'src', other.address)
}

export const lines = (text: string): string[] => text.split('\n').filter(Boolean)

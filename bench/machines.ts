import type { Machine, MachineDetails, MovedSite } from '@panel/contract/machines'
import type { Project } from '@panel/contract/projects'
import { startGitHttpServer } from '../e2e/support/git-server.ts'
import { visit } from '../e2e/support/panel.ts'
import { until } from '../e2e/support/poll.ts'
import { makeRootDirectory } from '../e2e/support/root-directory.ts'
import { nodeSite } from '../e2e/support/sites.ts'
import { createSshMachine } from '../e2e/support/ssh-machine.ts'
import { run } from '../packages/server/src/infra/process/run.ts'
import { tunnelInterface } from '../packages/server/src/net/network-names.ts'
import { freePort } from '../packages/server/test/support/ports.ts'
import { median, report } from './figures.ts'
import { startMeasuredPanel } from './panel.ts'
import { requestsPerSecond, timed } from './requests.ts'
import { step } from './step.ts'

const rounds = 5
const name = 'bench-machines'

/** A site on another machine against one on the panel's: switch to new containers, requests, a move, and how long it does not answer after its machine was cut off. */
export async function benchMachines(): Promise<void> {
  const git = await startGitHttpServer()
  const panel = await startMeasuredPanel({
    DATA_DIR: await makeRootDirectory(),
    GIT_EXTRA_HOSTS: `127.0.0.1:${git.port}`,
    DEPLOY_DRAIN_SECONDS: '0',
    MACHINE_TUNNEL_PORT: String(await freePort())
  })
  // The start of the panel has installed what it needs.
  const machine = await createSshMachine()
  try {
    await machine.run('mount', '-t', 'tmpfs', '-o', 'mode=755', 'none', panel.dataDir)
    const admin = await panel.signUp('admin')
    const other = await machine.addTo(admin, 'm2')
    const { machines } = await admin.call<{ machines: Machine[] }>('GET', '/machines')
    const own = machines.find(({ isOwn }) => isOwn)!
    await git.createRepository('bench/site', nodeSite('0'))
    const { id } = await admin.createProject({ name, type: 'NODEJS', keepsFiles: false })
    await admin.call('POST', `/projects/${id}/git/connect`, { gitUrl: git.url('bench/site'), branch: 'main' })
    await step('the first build, which makes the base image', () => admin.build(id))
    const project = () => admin.call<Project>('GET', `/projects/${id}`)
    const isOn = async (place: Machine) =>
      (await admin.call<MachineDetails>('GET', `/machines/${place.id}`)).sites.length === 1
    const moveTo = async (place: Machine) => {
      const { deploymentId } = await admin.call<MovedSite>('POST', `/machines/${place.id}/sites`, { projectId: id })
      const { status, buildLogs } = await admin.waitFor(id, deploymentId)
      if (status !== 'RUNNING') throw new Error(buildLogs ?? status)
    }
    /** Another size replaces the container without a build. */
    const replace = async (memoryMb: number) => {
      const { containerId } = await project()
      const size = { memoryMb, cpus: 1, pids: 64 }
      return timed(async () => {
        await admin.call('PUT', `/projects/${id}`, { size })
        await until(project, (now) => now.containerId !== containerId && now.state === 'RUNNING')
      })
    }
    const figures = new Map([own, other].map(({ id }) => [id, { switchMs: [] as number[], requests: [] as number[] }]))
    const moves = { with: [] as number[], without: [] as number[] }
    for (let round = 1; round <= rounds; round++)
      await step(`round ${round} of ${rounds}`, async () => {
        for (const place of [own, other]) {
          const of = figures.get(place.id)!
          if (!(await isOn(place))) {
            // Its image is copied in the first round only.
            const ms = await timed(() => moveTo(place))
            if (place === other) moves[round === 1 ? 'with' : 'without'].push(ms)
          }
          await replace(128)
          of.switchMs.push(await replace(129))
          of.requests.push(await requestsPerSecond(panel.proxyPort, name))
        }
      })
    const edge = await step('visitors use the other machine', async () => {
      await admin.call('PATCH', `/machines/${other.id}`, { isEdge: true })
      const answers = () =>
        visit(machine.address, panel.proxyPort, `${name}.apps.localhost`, '/', {}).catch(() => undefined)
      await until(answers, (answer) => answer?.status === 200)
      const direct = await requestsPerSecond(panel.proxyPort, name, machine.address)
      await moveTo(own)
      await until(answers, (answer) => answer?.status === 200)
      const relayed = await requestsPerSecond(panel.proxyPort, name, machine.address)
      await moveTo(other)
      await admin.call('PATCH', `/machines/${other.id}`, { isEdge: false })
      return { direct, relayed }
    })
    const encrypted = await step('the same through the encrypted network', async () => {
      await moveTo(own)
      // Refused until the containers there are gone.
      const change = () => admin.request('PATCH', `/machines/${other.id}`, { isEncrypted: true })
      await until(change, ({ status }) => status === 200)
      await moveTo(other)
      return requestsPerSecond(panel.proxyPort, name)
    })
    const cutMs = await step('the machine is cut off', async () => {
      await machine.run('ip', 'link', 'set', 'uplink', 'down')
      const body = async () => (await panel.visit(`${name}.apps.localhost`).catch(() => undefined))?.body ?? ''
      return timed(() => until(body, (text) => text.startsWith('0')))
    })
    const [here, there] = [figures.get(own.id)!, figures.get(other.id)!]
    compare('switch to new containers, other machine / own', median(there.switchMs), median(here.switchMs), 'ms')
    compare(
      'requests through the proxy, other machine / own',
      median(there.requests),
      median(here.requests),
      'requests/s'
    )
    compare(
      'requests to a site there, its own proxy / proxy of the panel',
      edge.direct,
      median(there.requests),
      'requests/s'
    )
    compare(
      'requests to a site here, through the proxy there / proxy of the panel',
      edge.relayed,
      median(here.requests),
      'requests/s'
    )
    // By wireguard-go where the kernel has no WireGuard.
    compare('requests, encrypted / not encrypted', encrypted, median(there.requests), 'requests/s')
    compare('move to the other machine / switch on the own', median(moves.without), median(here.switchMs), 'ms')
    report('the first move, with a copy of the image', `${median(moves.with).toFixed(0)} ms`)
    report('a machine is cut off, until its site answers elsewhere', `${(cutMs / 1000).toFixed(1)} s`, {
      value: cutMs / 20_000,
      aim: '<= 1x of 20 s'
    })
  } finally {
    await panel.dispose()
    await run(['ip', 'link', 'del', 'dev', tunnelInterface(panel.instanceId)], { timeoutMs: 10_000 }).catch(() => {})
    await git.stop()
    await machine.remove()
  }
}

const compare = (what: string, more: number, few: number, unit: string): void =>
  report(what, `${more.toFixed(0)} / ${few.toFixed(0)} ${unit}`, { value: more / few })

import type { Deployment } from '@panel/contract/deployments'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { docker, runningContainers } from '../support/engine.ts'
import type { Client, RunningPanel, Site } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { probingSite } from '../support/probe.ts'
import { removeProjects, sharedWorld, type World } from '../support/shared-world.ts'

let world: World
let panel: RunningPanel
let user: Client
beforeAll(async () => {
  world = await sharedWorld()
  panel = world.panel
  user = await panel.signUp()
})
afterAll(() => removeProjects(user))

interface ContainerEndpoint {
  id: string
  address: string
  network: string
  bridge: string
  subnet: string
}

async function endpointOf(label: string): Promise<ContainerEndpoint> {
  const [id] = await until(
    () => runningContainers(label),
    (found) => found.length === 1
  )
  const [container] = JSON.parse(await docker('inspect', id!)) as {
    NetworkSettings: { Networks: Record<string, { IPAddress: string }> }
  }[]
  const networks = Object.entries(container!.NetworkSettings.Networks)
  expect(networks).toHaveLength(1)
  const [network, { IPAddress: address }] = networks[0]!
  const [state] = JSON.parse(await docker('network', 'inspect', network)) as {
    Options: Record<string, string>
    IPAM: { Config: { Subnet: string }[] }
  }[]
  return {
    ...{ id: id!, address, network, subnet: state!.IPAM.Config[0]!.Subnet },
    bridge: state!.Options['com.docker.network.bridge.name']!
  }
}

async function startListeningBuild(): Promise<{ site: Site; deployment: Deployment; endpoint: ContainerEndpoint }> {
  const listen = `node -e "console.log('listening'); require('net').createServer().listen(4000, '0.0.0.0')"`
  const site = await user.createSite(world.git, { ...probingSite(listen) })
  const deployment = await user.call<Deployment>('POST', `/projects/${site.id}/build`)
  await user.waitFor(site.id, deployment.id, ({ buildLogs }) => buildLogs?.includes('\nlistening') ?? false)
  return { site, deployment, endpoint: await endpointOf(`panel.project=${site.id}`) }
}

const connectFrom = ({ id }: ContainerEndpoint, address: string, port: number) =>
  docker('exec', id, 'node', 'probe.js', 'connect', address, String(port))

test('a build reaches neither sites nor other builds and shares no bridge; kill -9 of the panel leaves no network', async () => {
  const neighbour = await user.createSite(world.git, probingSite())
  await user.mustRun(neighbour.id)
  const running = await endpointOf(`panel.project=${neighbour.id}`)
  const { internalPort } = await user.call<{ internalPort: number }>('GET', `/projects/${neighbour.id}`)
  const port = 3000
  expect(await connectFrom(running, running.address, port), String(internalPort)).toContain('connected')

  const builds = [await startListeningBuild(), await startListeningBuild()]
  const [first, second] = builds.map(({ endpoint }) => endpoint) as [ContainerEndpoint, ContainerEndpoint]
  for (const key of ['network', 'bridge', 'subnet', 'address'] as const)
    expect(new Set([running[key], first[key], second[key]]).size).toBe(3)
  expect(first.subnet).toMatch(/\/28$/)
  for (const [from, to] of [
    [first, second],
    [second, first]
  ] as const) {
    expect(await connectFrom(from, from.address, 4000)).toContain('connected')
    expect(await connectFrom(from, to.address, 4000)).toContain('blocked')
    expect(await connectFrom(from, running.address, port)).toContain('blocked')
    expect(await connectFrom(running, from.address, 4000)).toContain('blocked')
  }

  await panel.kill()
  await panel.start()
  const names = () => docker('network', 'ls', '--format', '{{.Name}}').then((text) => text.split('\n'))
  for (const { network } of [first, second]) {
    expect(network).toMatch(/-build-\d+-\d+$/)
    await until(names, (found) => !found.includes(network))
  }

  const step = `node probe.js connect ${running.address} ${port}`
  const site = await user.createSite(world.git, probingSite(step))
  const built = await user.build(site.id)
  expect(built, built.buildLogs ?? '').toMatchObject({ status: 'RUNNING' })
  expect(built.buildLogs).toMatch(/probe connect [\d.]+ 3000: blocked/)
})

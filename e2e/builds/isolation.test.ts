import type { Deployment } from '@panel/contract/deployments'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { docker, runningContainers } from '../support/engine.ts'
import { type GitHttpServer, startGitHttpServer } from '../support/git-server.ts'
import { type Client, type RunningPanel, type Site, startPanel } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { probingSite } from '../support/probe.ts'

let git: GitHttpServer
let panel: RunningPanel
let user: Client
beforeAll(async () => {
  git = await startGitHttpServer()
  panel = await startPanel({ GIT_EXTRA_HOSTS: `127.0.0.1:${git.port}`, BUILD_CONCURRENCY: '2' })
  user = await panel.signUp()
})
afterAll(async () => {
  await panel?.dispose()
  await git?.stop()
})

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

const buildNetworks = async () =>
  (
    await docker(
      'network',
      'ls',
      '-q',
      '--filter',
      `label=panel.instance=${panel.instanceId}`,
      '--filter',
      'label=panel.role=build'
    )
  )
    .split('\n')
    .filter((line) => line !== '')

async function startListeningBuild(): Promise<{ site: Site; deployment: Deployment; endpoint: ContainerEndpoint }> {
  const listen = `node -e "console.log('listening'); require('net').createServer().listen(4000, '0.0.0.0')"`
  const site = await user.createSite(git, { ...probingSite(listen) })
  const deployment = await user.call<Deployment>('POST', `/projects/${site.id}/build`)
  await user.waitFor(site.id, deployment.id, ({ buildLogs }) => buildLogs?.includes('\nlistening') ?? false)
  return { site, deployment, endpoint: await endpointOf(`panel.project=${site.id}`) }
}

const connectFrom = ({ id }: ContainerEndpoint, address: string, port: number) =>
  docker('exec', id, 'node', 'probe.js', 'connect', address, String(port))

test('a build reaches neither sites nor other builds and shares no bridge', async () => {
  const neighbour = await user.createSite(git, probingSite())
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

  for (const { site, deployment } of builds)
    await user.call('POST', `/projects/${site.id}/deployments/${deployment.id}/cancel`)
  await until(buildNetworks, (found) => found.length <= 1)

  const step = `node probe.js connect ${running.address} ${port}`
  const site = await user.createSite(git, probingSite(step))
  const built = await user.build(site.id)
  expect(built, built.buildLogs ?? '').toMatchObject({ status: 'RUNNING' })
  expect(built.buildLogs).toMatch(/probe connect [\d.]+ 3000: blocked/)
  expect(await buildNetworks()).not.toEqual([])
})

test('build networks are removed with their worker, also after a kill', async () => {
  const { site } = await startListeningBuild()
  expect(await buildNetworks()).not.toEqual([])
  await panel.stop()
  expect(await buildNetworks()).toEqual([])

  await panel.start()
  const listening = await user.call<Deployment>('POST', `/projects/${site.id}/build`)
  const isBuilding = ({ buildLogs }: Deployment) => buildLogs?.includes('\nlistening') ?? false
  await user.waitFor(site.id, listening.id, isBuilding)
  const left = await endpointOf(`panel.project=${site.id}`)
  await panel.kill()
  await panel.start()
  const names = () => docker('network', 'ls', '--format', '{{.Name}}').then((text) => text.split('\n'))
  expect(left.network).toMatch(/-build-\d+-0$/)
  await until(names, (found) => !found.includes(left.network))
})

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { docker, runningContainers } from '../support/engine.ts'
import type { Client, RunningPanel, Site } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { probingSite } from '../support/probe.ts'
import { removeProjects, sharedWorld, type World } from '../support/shared-world.ts'

const execute = promisify(execFile)

/** A host with a private address that accepts connections on two ports, in its own network namespace. */
const namespace = `an${process.pid}`
const neighbour = '10.77.0.2'
const ports = [25, 8025]
async function startNeighbour(): Promise<() => Promise<void>> {
  const inside = (...argv: string[]) => execute('ip', ['netns', 'exec', namespace, ...argv])
  await execute('ip', ['netns', 'add', namespace])
  await execute('ip', ['link', 'add', namespace, 'type', 'veth', 'peer', 'name', 'uplink', 'netns', namespace])
  await execute('ip', ['address', 'add', '10.77.0.1/30', 'dev', namespace])
  await execute('ip', ['address', 'add', '203.0.113.201/30', 'dev', namespace])
  await execute('ip', ['link', 'set', namespace, 'up'])
  await inside('ip', 'address', 'add', `${neighbour}/30`, 'dev', 'uplink')
  await inside('ip', 'address', 'add', '203.0.113.202/30', 'dev', 'uplink')
  await inside('ip', 'link', 'set', 'uplink', 'up')
  await inside('ip', 'route', 'add', 'default', 'via', '10.77.0.1')
  const listen = `for (const port of [${ports}]) require('net').createServer((socket) => socket.destroy()).listen(port); console.log('listening')`
  const server = execFile('ip', ['netns', 'exec', namespace, 'node', '-e', listen])
  await new Promise((resolve) => server.stdout!.once('data', resolve))
  return async () => {
    server.kill('SIGKILL')
    await execute('ip', ['netns', 'delete', namespace])
  }
}

let world: World
let panel: RunningPanel
let ann: Client
let bob: Client
let annSite: Site
let bobSite: Site
let stopNeighbour: (() => Promise<void>) | undefined
let databasePort: number
let databaseIds: string[] = []
beforeAll(async () => {
  stopNeighbour = await startNeighbour()
  world = await sharedWorld()
  panel = world.panel
  ann = await panel.signUp()
  bob = await panel.signUp()
  annSite = await ann.createSite(world.git, probingSite())
  bobSite = await bob.createSite(world.git, probingSite())
  await ann.mustRun(annSite.id)
  await bob.mustRun(bobSite.id)
})
afterAll(async () => {
  for (const id of databaseIds) await ann.call('DELETE', `/databases/${id}`)
  await removeProjects(ann)
  await world?.change({ ALLOW_CONTAINER_SMTP: null })
  await stopNeighbour?.()
})

const ask = async ({ hostname }: Site, path: string) => (await panel.visit(hostname, path)).body

interface Placed {
  name: string
  address: string
  network: string
  gateway: string
}
async function placeOf({ id }: Site): Promise<Placed> {
  const container = await docker('ps', '--quiet', '--filter', `label=panel.project=${id}`, '--filter', 'status=running')
  const format =
    '{{.Name}} {{range $name, $n := .NetworkSettings.Networks}}{{$n.IPAddress}} {{$name}} {{$n.Gateway}}{{end}}'
  const [name, address, network, gateway] = (await docker('inspect', container, '--format', format)).split(' ')
  return { name: name!, address: address!, network: network!, gateway: gateway! }
}

test('each account has its own network, where containers are known only by id', async () => {
  const [a, b] = [await placeOf(annSite), await placeOf(bobSite)]
  expect(a.network).not.toBe(b.network)
  expect(a.gateway).not.toBe(b.gateway)
  expect(a.network).toMatch(new RegExp(`^panel-${panel.instanceId}-account-\\d+$`))
  for (const [each, { name }] of [[a, annSite], [b, bobSite]] as const) expect(each.name).not.toContain(name) // oxfmt-ignore
  expect(await ask(annSite, '/')).toBe('probing site')
})

test('nothing of another account can be reached or resolved', async () => {
  const [a, b] = [await placeOf(annSite), await placeOf(bobSite)]
  const internalPort = (await panel.query<{ container_port: number }>('select container_port from container_slots where address = $1', [b.address]))[0]!.container_port // oxfmt-ignore
  // The host itself can reach the container, as the proxy does.
  expect((await fetch(`http://${b.address}:${internalPort}/`)).status).toBe(200)
  expect(await ask(annSite, `/connect/${b.address}/${internalPort}`)).toMatch(/^blocked/)
  expect(await ask(annSite, `/lookup/${b.name.slice(1)}`)).toMatch(/^not resolved/)
  expect(await ask(annSite, `/reverse/${b.address}`)).toMatch(/^none/)
  expect(await ask(annSite, `/reverse/${a.address}`)).not.toContain(annSite.name)
})

test('private addresses and port 25 are blocked, the rest of the Internet is not', async () => {
  for (const port of ports) expect(await ask(annSite, `/connect/${neighbour}/${port}`)).toMatch(/^blocked/)
  expect(await ask(annSite, '/connect/203.0.113.202/8025')).toBe('connected')
  expect(await ask(annSite, '/connect/203.0.113.202/25')).toBe('blocked: ECONNREFUSED')
})

describe('names of sites', () => {
  const fetchFrom = (from: Site, hostname: string) => ask(from, `/fetch/${hostname}/${panel.proxyPort}`)

  test('point to this server in the containers of their account, also those that come later', async () => {
    expect(await fetchFrom(annSite, annSite.hostname)).toBe('200 probing site')
    const second = await ann.createSite(world.git, probingSite())
    await ann.mustRun(second.id)
    await until(() => fetchFrom(annSite, second.hostname), (answer) => answer === '200 probing site') // oxfmt-ignore
    expect(await fetchFrom(second, annSite.hostname)).toBe('200 probing site')
    expect(await fetchFrom(annSite, bobSite.hostname)).not.toContain('200')
    await ann.call('DELETE', `/projects/${second.id}`)
    await until(() => fetchFrom(annSite, second.hostname), (answer) => answer === 'not resolved: ENOTFOUND') // oxfmt-ignore
  })

  test('cannot be changed by a container', async () => {
    const container = await docker('ps', '--quiet', '--filter', `label=panel.project=${annSite.id}`)
    await expect(docker('exec', '--user', '0', container, 'sh', '-c', 'echo 192.0.2.1 mail.test >> /etc/hosts')).rejects.toThrow('Read-only') // oxfmt-ignore
  })
})

test('what does not speak HTTP is reached by its name, if it allows that, by its account alone and after a deployment', async () => {
  const queue = await ann.createSite(
    world.git,
    {
      'package.json': JSON.stringify({ name: 'queue', private: true, scripts: { start: 'node server.js' } }),
      'server.js': `require('node:net').createServer((socket) => socket.end('ready')).listen(process.env.PORT, '0.0.0.0')`
    },
    { port: 7000, health: { path: null } }
  )
  await ann.mustRun(queue.id)
  const byName = (from: Site) => ask(from, `/connect/${queue.name}/7000`)
  const byAddress = async (from: Site) => ask(from, `/connect/${(await placeOf(queue)).address}/7000`)
  expect(await byName(annSite)).toMatch(/^blocked: (ENOTFOUND|EAI_AGAIN)/)
  expect(await byAddress(annSite)).toMatch(/^blocked/)
  await ann.call('PUT', `/projects/${queue.id}`, { reachable: true })
  await until(() => byName(annSite), (answer) => answer === 'connected') // oxfmt-ignore
  await ann.call('POST', `/projects/${queue.id}/deploy`)
  await until(() => byName(annSite), (answer) => answer === 'connected') // oxfmt-ignore
  expect(await byName(bobSite)).toMatch(/^blocked: (ENOTFOUND|EAI_AGAIN)/)
  await until(() => runningContainers(`panel.project=${queue.id}`), (ids) => ids.length === 1) // oxfmt-ignore
  expect(await byAddress(bobSite)).toMatch(/^blocked/)
  await ann.call('DELETE', `/projects/${queue.id}`)
})

describe('the database servers', () => {
  test('are reachable at the account’s gateway only', async () => {
    for (const type of ['POSTGRESQL', 'MYSQL'])
      await ann.call('POST', '/databases', { name: `nets_${process.pid}_${type.toLowerCase()}`, type })
    const { databases } = await ann.call<{ databases: { id: string; host: string; port: number }[] }>('GET', '/databases') // oxfmt-ignore
    const { gateway } = await placeOf(annSite)
    const { gateway: other } = await placeOf(bobSite)
    expect(databases).toHaveLength(2)
    const listening = await docker('network', 'inspect', `panel-${panel.instanceId}`, '--format', '{{(index .IPAM.Config 0).Gateway}}') // oxfmt-ignore
    for (const { host, port } of databases) {
      databasePort = port
      expect(host).toBe(gateway)
      expect(await ask(annSite, `/connect/${gateway}/${port}`)).toBe('connected')
      expect(await ask(bobSite, `/connect/${other}/${port}`)).toBe('connected')
      for (const address of [other, listening, '172.17.0.1'])
        expect(await ask(annSite, `/connect/${address}/${port}`)).toMatch(/^blocked/)
    }
    databaseIds = databases.map(({ id }) => id)
  })
})

describe('repairs', () => {
  test('a container that was disconnected from its network by hand', async () => {
    const { name, network } = await placeOf(bobSite)
    await docker('network', 'disconnect', '--force', network, name.slice(1))
    const after = await until(() => placeOf(bobSite).catch(() => undefined), (found) => found !== undefined && found.name !== name) // oxfmt-ignore
    expect(after?.network).toBe(network)
    await until(() => ask(bobSite, '/'), (body) => body === 'probing site') // oxfmt-ignore
  })

  test('a network that is gone, with the panel killed meanwhile', async () => {
    const { name, network, gateway } = await placeOf(bobSite)
    await panel.kill()
    await docker('network', 'disconnect', '--force', network, name.slice(1))
    await docker('network', 'rm', network)
    await panel.start()
    await world.change({ ALLOW_CONTAINER_SMTP: 'true' })
    const after = await until(
      () => placeOf(bobSite).catch(() => undefined),
      (found) => found !== undefined && found.name !== name && found.address !== ''
    )
    expect(after).toMatchObject({ network, gateway })
    await until(() => ask(bobSite, '/'), (body) => body === 'probing site') // oxfmt-ignore
    expect(await ask(bobSite, `/connect/${gateway}/${databasePort}`)).toBe('connected')
    await until(() => ask(bobSite, '/connect/203.0.113.202/25'), (answer) => answer === 'connected') // oxfmt-ignore
    expect(await ask(bobSite, `/connect/${neighbour}/25`)).toMatch(/^blocked/)
  })

  test('the network of a deleted account', async () => {
    const { network } = await placeOf(bobSite)
    const { id } = await bob.call<{ id: string }>('GET', '/auth/me')
    await world.ann.call('DELETE', `/users/${id}?projects=delete`)
    await until(
      () => docker('network', 'ls', '--format', '{{.Name}}'),
      (names) => !names.split('\n').includes(network)
    )
  })
})

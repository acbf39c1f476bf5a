import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import http2 from 'node:http2'
import type { DeployResult } from '@panel/contract/deployments'
import type { ContainerMetric } from '@panel/contract/monitoring'
import type { Project } from '@panel/contract/projects'
import type { Traffic } from '@panel/contract/traffic'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { docker } from '../support/engine.ts'
import { type GitHttpServer, startGitHttpServer } from '../support/git-server.ts'
import { openWebSocket } from '../support/load.ts'
import { type Client, type RunningPanel, type Site, startPanel } from '../support/panel.ts'
import { builtNodeSite, nodeSite } from '../support/sites.ts'

const metricsToken = 'a-token-of-prometheus'
let git: GitHttpServer
let panel: RunningPanel
let ann: Client
let bob: Client
let site: Site
let namesake: Site
const theirs = () => `shop-${namesake.id.slice(-6)}.apps.localhost`
beforeAll(async () => {
  git = await startGitHttpServer()
  panel = await startPanel({
    GIT_EXTRA_HOSTS: `127.0.0.1:${git.port}`,
    BUILD_CONCURRENCY: '2',
    DEPLOY_MEMORY_LIMIT: '96m',
    DEPLOY_PIDS_LIMIT: '77',
    DEPLOY_CPU_LIMIT: '0.5',
    METRICS_TOKEN: metricsToken
  })
  ;[ann, bob] = [await panel.signUp(), await panel.signUp()]
  site = await ann.createSite(git, nodeSite('ann'), { name: 'shop' })
  namesake = await bob.createSite(git, nodeSite('bob'), { name: 'shop' })
  for (const deployment of await Promise.all([ann.build(site.id), bob.build(namesake.id)]))
    expect(deployment, deployment.buildLogs ?? '').toMatchObject({ status: 'RUNNING' })
  for (const status of [200, 404, 404, 500, 404, 500])
    expect((await panel.visit(theirs(), `/status/${status}`)).status).toBe(status)
})
afterAll(async () => {
  await panel?.dispose()
  await git?.stop()
})

const projectOf = (client: Client, { id }: Pick<Site, 'id'>) => client.call<Project>('GET', `/projects/${id}`)

describe('hostnames', () => {
  test('an unknown one gets the placeholder page', async () => {
    for (const hostname of ['nobody.apps.localhost', 'apps.localhost', 'shop.example.com', '127.0.0.1']) {
      const page = await panel.visit(hostname)
      expect(page, hostname).toMatchObject({ status: 404, headers: { 'cache-control': 'no-store' } })
      expect(page.body).toContain('There is no site at this address')
      expect(page.body).not.toMatch(/panel|haproxy/i)
    }
  })

  test('two users with the same project name get different hostnames', async () => {
    expect((await projectOf(ann, site)).deployedDomain).toBe('shop.apps.localhost')
    expect((await projectOf(bob, namesake)).deployedDomain).toBe(theirs())
    const answers = async () => [(await panel.visit('shop.apps.localhost')).body, (await panel.visit(theirs())).body]
    expect(await answers()).toEqual(['ann /', 'bob /'])
    await bob.call('POST', `/projects/${namesake.id}/deploy`)
    await ann.call('POST', `/projects/${site.id}/container/stop`)
    await bob.call('POST', `/projects/${namesake.id}/deploy`)
    expect(await panel.visit('shop.apps.localhost')).toMatchObject({ status: 503 })
    await ann.call('POST', `/projects/${site.id}/container/start`)
    expect(await answers()).toEqual(['ann /', 'bob /'])
    const override = await bob.request('POST', `/projects/${namesake.id}/deploy`, { domain: 'shop.apps.localhost' })
    expect(override.status).toBe(403)
    expect(await answers()).toEqual(['ann /', 'bob /'])
  })

  test.each(['panel', 'api', 'www', 'mail', 'webmail', 'ns1', 'autoconfig', 'mta-sts'])(
    'the label %s is reserved',
    async (name) => {
      const { id } = await ann.createProject({ name, type: 'STATIC' })
      expect(await panel.visit(`${name}.apps.localhost`)).toMatchObject({ status: 404 })
      expect(await panel.visit(`${name}-${id.slice(-6)}.apps.localhost`)).toMatchObject({ status: 503 })
    }
  )

  test('a first deployment in progress has its own page', async () => {
    const fresh = await ann.createSite(git, builtNodeSite('fresh', 'sleep 3'))
    expect(await panel.visit(fresh.hostname)).toMatchObject({ status: 503 })
    const deployment = await ann.call<{ id: string }>('POST', `/projects/${fresh.id}/build`)
    await ann.waitFor(fresh.id, deployment.id, ({ status }) => status === 'BUILDING')
    const isStarting = async () => (await panel.visit(fresh.hostname)).body.includes('is starting')
    await expect.poll(isStarting, { timeout: 30_000 }).toBe(true)
    await ann.waitFor(fresh.id, deployment.id)
    expect((await panel.visit(fresh.hostname)).body).toBe('fresh /')
  })
})

describe('requests at the site', () => {
  test('forged forwarding headers are replaced', async () => {
    const forged = {
      'x-forwarded-for': '6.6.6.6',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-port': '1',
      'x-real-ip': '6.6.6.6',
      x_real_ip: '6.6.6.6',
      forwarded: 'for=6.6.6.6',
      proxy: 'http://6.6.6.6'
    }
    const headers = JSON.parse((await panel.visit(site.hostname, '/headers', forged)).body) as Record<string, string>
    expect(headers).toMatchObject({
      host: site.hostname,
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': site.hostname,
      'x-real-ip': '127.0.0.1'
    })
    expect(JSON.stringify(headers)).not.toMatch(/6\.6\.6\.6|evil/)
  })

  test('HTTP/2 over TLS with the right protocol header', async () => {
    const session = http2.connect(`https://127.0.0.1:${panel.proxyHttpsPort}`, {
      rejectUnauthorized: false,
      servername: site.hostname
    })
    try {
      const stream = session.request({ ':path': '/headers', ':authority': site.hostname })
      let body = ''
      stream.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
      await new Promise((resolve, reject) => stream.on('end', resolve).on('error', reject))
      expect(session.alpnProtocol).toBe('h2')
      expect(JSON.parse(body)).toMatchObject({ 'x-forwarded-proto': 'https', 'x-forwarded-host': site.hostname })
    } finally {
      session.destroy()
    }
  })

  test('a WebSocket', async () => {
    const socket = await openWebSocket(panel.proxyPort, site.hostname)
    await socket.echo('hello')
    await socket.echo('x'.repeat(100_000))
    socket.close()
  })

  test('an upload of 100 MB, larger than the memory of the container', async () => {
    const chunk = Buffer.alloc(1_000_000, 'x')
    const answer = await new Promise<string>((resolve, reject) => {
      const sent = request(
        {
          host: '127.0.0.1',
          port: panel.proxyPort,
          path: '/',
          method: 'POST',
          headers: { host: site.hostname, 'content-length': 100 * chunk.length }
        },
        (response) => {
          let body = ''
          response.on('data', (data: Buffer) => (body += data.toString()))
          response.on('end', () => resolve(body))
        }
      )
      sent.on('error', reject)
      const send = async () => {
        for (let count = 0; count < 100; count++)
          if (!sent.write(chunk)) await new Promise((drained) => sent.once('drain', drained))
        sent.end()
      }
      send().catch(reject)
    })
    expect(answer).toBe('100000000')
  })
})

describe('the container', () => {
  interface Inspected {
    State: { Pid: number }
    Config: { User: string }
    HostConfig: Record<string, unknown>
    NetworkSettings: { Networks: Record<string, { IPAddress: string; Gateway: string }> }
  }
  const inspect = async (client: Client, target: Site): Promise<Inspected> => {
    const { containerId } = await projectOf(client, target)
    return (JSON.parse(await docker('inspect', containerId!)) as [Inspected])[0]
  }
  const networkOf = ({ NetworkSettings }: Inspected) => Object.values(NetworkSettings.Networks)[0]!

  test("runs with its user's uid, without capabilities, within limits", async () => {
    const [mine, theirs] = [await inspect(ann, site), await inspect(bob, namesake)]
    expect(mine.Config.User).toMatch(/^2\d{4}:2\d{4}$/)
    expect(theirs.Config.User).toMatch(/^2\d{4}:2\d{4}$/)
    expect(mine.Config.User).not.toBe(theirs.Config.User)
    expect(mine.HostConfig).toMatchObject({
      Privileged: false,
      CapAdd: null,
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges'],
      ReadonlyRootfs: false,
      Memory: 96 * 2 ** 20,
      MemorySwap: 96 * 2 ** 20,
      PidsLimit: 77,
      NanoCpus: 5e8,
      Binds: null,
      PidMode: '',
      UsernsMode: '',
      RestartPolicy: { Name: 'unless-stopped' },
      LogConfig: { Type: 'json-file', Config: { 'max-size': '10m', 'max-file': '3' } }
    })
    expect(mine.HostConfig.Devices ?? []).toEqual([])
    const status = await readFile(`/proc/${mine.State.Pid}/status`, 'utf8')
    const uid = mine.Config.User.split(':')[0]
    expect(status).toMatch(new RegExp(`^Uid:\\s${uid}\\s${uid}\\s${uid}\\s${uid}$`, 'm'))
    for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'])
      expect(status).toMatch(new RegExp(`^${set}:\\s0{16}$`, 'm'))
    expect(status).toMatch(/^NoNewPrivs:\s1$/m)
    expect(status).toMatch(/^Seccomp:\s2$/m)
  })

  test('is published on 127.0.0.1 only', async () => {
    const { internalPort } = await projectOf(ann, site)
    const hex = internalPort!.toString(16).toUpperCase().padStart(4, '0')
    const listening = async (file: string) =>
      (await readFile(file, 'utf8'))
        .split('\n')
        .map((line) => line.trim().split(/\s+/))
        .filter(([, local, , state]) => local?.endsWith(`:${hex}`) && state === '0A')
        .map(([, local]) => local)
    expect(await listening('/proc/net/tcp')).toEqual([`0100007F:${hex}`])
    expect(await listening('/proc/net/tcp6').catch(() => [])).toEqual([])
    expect((await fetch(`http://127.0.0.1:${internalPort}/`)).status).toBe(200)
  })

  test('reaches itself, but neither other containers nor loopback services of the host', async () => {
    const [mine, theirs] = [networkOf(await inspect(ann, site)), networkOf(await inspect(bob, namesake))]
    const { internalPort, containerId } = await projectOf(bob, namesake)
    const own = (await projectOf(ann, site)).containerId!
    const reaches = (address: string, port: number) =>
      docker(
        'exec',
        own,
        'node',
        '-e',
        `const socket = require('node:net').connect({ host: process.argv[1], port: Number(process.argv[2]), timeout: 3000 })
         const end = (word) => { console.log(word); process.exit(0) }
         socket.on('connect', () => end('reached')).on('timeout', () => end('no')).on('error', () => end('no'))`,
        address,
        String(port)
      )
    expect(await reaches(mine.IPAddress, 3000)).toBe('reached')
    expect(await reaches(theirs.IPAddress, 3000)).toBe('no')
    expect(await reaches(theirs.Gateway, internalPort!)).toBe('no')
    expect(await reaches(theirs.Gateway, Number(new URL(panel.url).port))).toBe('no')
    const name = (await docker('inspect', '--format', '{{.Name}}', containerId!)).slice(1)
    expect(await reaches(name, 3000)).toBe('no')
  })

  test('has a unique host port and address, also with two running', async () => {
    const before = await projectOf(ann, site)
    const after = await ann.call<DeployResult>('POST', `/projects/${site.id}/deploy`)
    const ports = [before.internalPort, after.internalPort, (await projectOf(bob, namesake)).internalPort]
    expect(new Set(ports).size).toBe(3)
  })
})

test('resource usage is visible to its owner and administrators', async () => {
  const { containerId } = await projectOf(bob, namesake)
  const seenBy = (client: Client) => client.call<ContainerMetric[]>('GET', '/monitoring/containers')
  await expect.poll(() => seenBy(bob)).toContainEqual(expect.objectContaining({ containerId }))
  const mine = await seenBy(bob)
  expect(mine).toHaveLength(1)
  expect(mine[0]!.ramUsed).toBeGreaterThan(1_000_000)
  expect(mine[0]!.ramLimit).toBe(96 * 1024 * 1024)
  expect((await seenBy(ann)).map(({ projectId }) => projectId)).toEqual(expect.arrayContaining([site.id, namesake.id]))
})

test('requests are counted per site, for its owner and Prometheus', async () => {
  const read = async (client: Client, { id }: Site) => {
    const { body, status } = await client.request<Traffic>('GET', `/projects/${id}/traffic?range=1h`)
    return { status, total: body.total }
  }
  await expect.poll(async () => (await read(bob, namesake)).total.requests, { timeout: 120_000 }).toBeGreaterThan(5)
  const { total } = await read(bob, namesake)
  expect(total).toMatchObject({ clientErrors: 3, serverErrors: 2 })
  expect(total.p50Ms).toBeGreaterThan(0)
  expect(total.p95Ms).toBeGreaterThanOrEqual(total.p50Ms!)
  expect((await read(ann, namesake)).status).toBe(403)
  const headers = { authorization: `Bearer ${metricsToken}` }
  const errors = async () => {
    const text = await (await fetch(`${panel.url}/metrics`, { headers })).text()
    return text.split('\n').filter((line) => line.startsWith('panel_site_errors_total') && line.includes(namesake.id))
  }
  const labels = `project_id="${namesake.id}",project="shop"`
  await expect
    .poll(errors, { timeout: 30_000 })
    .toEqual([`panel_site_errors_total{${labels},class="4xx"} 3`, `panel_site_errors_total{${labels},class="5xx"} 2`])
})

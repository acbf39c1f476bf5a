import { createHmac, randomBytes } from 'node:crypto'
import { connect, createServer, type Socket } from 'node:net'
import type { ProjectType } from '@panel/contract/projects'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Files } from '../support/git-repositories.ts'
import { type GitHttpServer, startGitHttpServer } from '../support/git-server.ts'
import { type Client, type RunningPanel, type Site, startPanel } from '../support/panel.ts'
import { probingSite } from '../support/probe.ts'
import { nodeSite } from '../support/sites.ts'
import { requestText, sendRaw, statusesIn } from './raw-http.ts'

/**
 * Attacks by an account on another one: files, variables, hostnames, build slots. The victim's image and variables
 * hold a secret.
 */
const maxProjects = 12
const secret = randomBytes(20).toString('hex')
let git: GitHttpServer
let panel: RunningPanel
let victim: Client
let attacker: Client
let victimSite: Site
let probe: Site
beforeAll(async () => {
  git = await startGitHttpServer()
  panel = await startPanel({
    GIT_EXTRA_HOSTS: `127.0.0.1:${git.port}`,
    HOST: '0.0.0.0',
    DEFAULT_MAX_PROJECTS: String(maxProjects)
  })
  await panel.signUp('admin')
  victim = await panel.signUp('victim')
  attacker = await panel.signUp('attacker')
  victimSite = await victim.createSite(git, { ...nodeSite('of the victim'), 'secret.txt': secret })
  await victim.call('POST', `/projects/${victimSite.id}/env`, { key: 'API_KEY', value: secret })
  probe = await attacker.createSite(git, { ...probingSite(), ...echo(probingSite()) })
  const built = await Promise.all([victim.build(victimSite.id), attacker.build(probe.id)])
  for (const { status, buildLogs } of built) expect(status, buildLogs ?? '').toBe('RUNNING')
})
afterAll(async () => {
  await panel?.dispose()
  await git?.stop()
})

const apiPort = () => Number(new URL(panel.url).port)

function echo(site: Files): Files {
  const server = String(site['server.js'])
  return { 'server.js': server.replace('const [, kind', "if (request.url === '/headers') return response.end(JSON.stringify(request.headers))\n  const [, kind") } // oxfmt-ignore
}

async function buildOf(type: ProjectType, files: Files) {
  const site = await attacker.createSite(git, files, { type })
  const { status, buildLogs } = await attacker.build(site.id)
  const page = status === 'RUNNING' ? (await panel.visit(site.hostname)).body : ''
  await attacker.call('DELETE', `/projects/${site.id}`)
  return { status, log: buildLogs ?? '', page }
}

describe('a build', () => {
  test('does not include files of this machine through links', async () => {
    const targets = [`${panel.dataDir}/panel.env`, '/etc/shadow', '/proc/self/environ', '../../../../../../etc/shadow']
    for (const [index, symlinkTo] of targets.entries()) {
      const { log, page } = await buildOf('STATIC', { [index % 2 ? 'index.html' : 'a/index.html']: { symlinkTo }, 'b.html': 'b' }) // oxfmt-ignore
      for (const text of [log, page]) expect(text).not.toMatch(/SESSION_SECRET|ENCRYPTION_KEY|root:[*!$]/)
    }
    const Dockerfile = 'FROM node:24-trixie-slim\nCOPY . /x/\nRUN cat /x/link; ls -la /x; true\nCMD ["sleep", "9"]'
    const files = { Dockerfile, link: { symlinkTo: targets[0]! } }
    expect((await buildOf('DOCKERFILE', files)).log).not.toMatch(/SESSION_SECRET=|ENCRYPTION_KEY=/)
  })
})

describe('a site', () => {
  test('receives neither the proxy’s secret nor forged forwarding headers', async () => {
    const lies = { 'x-forwarded-for': '198.51.100.7', 'x-panel-proxy': 'a', x_panel_proxy: 'b', forwarded: 'for=198.51.100.7' }
    const headers = JSON.parse((await panel.visit(probe.hostname, '/headers', lies)).body) as Record<string, string>
    expect(headers['x-forwarded-for']).toBe('127.0.0.1')
    expect(Object.keys(headers).filter((name) => /panel.proxy|^forwarded$/.test(name))).toEqual([])
  }) // oxfmt-ignore

  test('cannot use another project’s or the panel’s name', async () => {
    const [{ id: projectId }] = (await attacker.call<{ projects: [{ id: string }] }>('GET', '/projects')).projects
    for (const domain of [
      victimSite.hostname,
      victimSite.hostname.toUpperCase(),
      `${victimSite.hostname}.`,
      `x.${victimSite.hostname}`,
      '*.apps.localhost',
      'apps.localhost',
      'panel.apps.localhost',
      'localhost'
    ])
      expect((await attacker.request('POST', '/domains', { domain, projectId })).status, domain).toBeGreaterThanOrEqual(
        400
      )
    expect((await panel.visit(victimSite.hostname)).body).toContain('of the victim')
    expect((await panel.visit(`${victimSite.hostname.toUpperCase()}.`)).body).toContain('of the victim')
  })
})

test('repository URLs cannot reach services of this machine', async () => {
  const seen: string[] = []
  const service = createServer((socket) => {
    seen.push('connected')
    socket.destroy()
  }).listen(0, '0.0.0.0')
  await new Promise((resolve) => service.once('listening', resolve))
  const { port } = service.address() as { port: number }
  const { id } = await attacker.createProject({ type: 'NODEJS' })
  const hosts = ['localhost', '127.0.0.1', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '0.0.0.0', '0', '[::1]', '[::ffff:127.0.0.1]', '[::]', 'localhost.', '127.0.0.1.nip.io'] // oxfmt-ignore
  const urls = [
    ...hosts.flatMap((host) => [`http://${host}:${port}/a/b`, `https://${host}:${port}/a/b.git`, `ssh://git@${host}:${port}/a/b`]),
    ...['file:///etc', 'ext::sh -c touch% /tmp/hacked', '/etc', `${panel.dataDir}`, 'git@-oProxyCommand=id:a/b', 'ssh://-oProxyCommand=id/a/b', `git://127.0.0.1:${port}/a/b`, 'http://github.com@127.0.0.1/a/b', 'https://github.com\\@127.0.0.1/a/b']
  ] // oxfmt-ignore
  for (const gitUrl of urls) {
    const { status } = await attacker.request('POST', `/projects/${id}/git/connect`, { gitUrl, branch: 'main' })
    expect(status, gitUrl).toBeGreaterThanOrEqual(400)
  }
  expect(seen).toEqual([])
  await attacker.call('DELETE', `/projects/${id}`)
  await new Promise((resolve) => service.close(resolve))
})

describe('shared resources', () => {
  test('quotas hold against concurrent creation', async () => {
    const { projects: before } = await attacker.call<{ projects: unknown[] }>('GET', '/projects')
    const made = await Promise.all(
      Array.from({ length: 30 }, (_, index) => attacker.request<{ id: string }>('POST', '/projects', { name: `many-${index}`, type: 'STATIC' }))
    ) // oxfmt-ignore
    const created = made.filter(({ status }) => status === 201)
    expect(created).toHaveLength(maxProjects - before.length)
    const other = await Promise.all(
      created.flatMap(({ body }) => [
        attacker.request('DELETE', `/projects/${body.id}`),
        attacker.request('POST', '/projects', { name: `again-${body.id.slice(-6)}`, type: 'STATIC' })
      ])
    )
    expect(other.filter(({ status }) => status >= 500)).toEqual([])
    const { projects } = await attacker.call<{ projects: { id: string; name: string }[] }>('GET', '/projects')
    expect(projects.length).toBeLessThanOrEqual(maxProjects)
    for (const { id, name } of projects)
      if (/^(many|again)-/.test(name)) await attacker.call('DELETE', `/projects/${id}`)
  })

  test('400 concurrent requests of one account block no other', async () => {
    const [{ id }] = (await attacker.call<{ projects: [{ id: string }] }>('GET', '/projects')).projects
    const flood = Array.from({ length: 400 }, (_, index) =>
      index % 4
        ? attacker.request('GET', `/projects/${id}/env`)
        : attacker.request('POST', `/projects/${id}/env`, { key: `K${index}`, value: 'v' })
    )
    const served = []
    for (let index = 0; index < 25; index++) served.push((await victim.request('GET', '/projects')).status)
    served.push((await victim.request('POST', `/projects/${victimSite.id}/env`, { key: 'MINE', value: 'v' })).status)
    expect(served.filter((status) => status >= 300)).toEqual([])
    const statuses = (await Promise.all(flood)).map(({ status }) => status)
    expect(statuses.filter((status) => status >= 500)).toEqual([])
    expect(statuses).toContain(429)
  })

  test('open deliveries of one account or many addresses block no other', async () => {
    const own = [probe, await attacker.createSite(git, nodeSite('b')), await attacker.createSite(git, nodeSite('c'))]
    const sockets: Socket[] = []
    const size = 26 * 1024 * 1024
    const hold = async (from: string, to: Site, bytes: number) => {
      const socket = connect({ host: '127.0.0.1', port: apiPort(), localAddress: from })
      sockets.push(socket.on('error', () => {}).resume())
      await new Promise((resolve) => socket.once('connect', resolve))
      const head = [`X-Hub-Signature-256: sha256=${'0'.repeat(64)}`, 'X-GitHub-Event: push', `Content-Length: ${size}`, 'Connection: keep-alive'] // oxfmt-ignore
      socket.write(requestText('POST', `/api/webhooks/gitprovider/${to.id}`, head))
      await new Promise((resolve) => socket.write(Buffer.alloc(bytes), resolve))
    }
    for (let address = 31; address <= 36; address++) {
      const [from, to] = [`127.0.0.${address}`, own[address % own.length]!]
      await hold(from, to, size - 1)
      await Promise.all(Array.from({ length: 24 }, () => hold(from, to, 1024 * 1024 - 1)))
    }
    const { webhookSecret } = await victim.call<{ webhookSecret: string }>('GET', `/projects/${victimSite.id}/git`)
    const body = JSON.stringify({ ref: 'refs/heads/none', after: victimSite.commitHash, head_commit: { id: victimSite.commitHash } }) // oxfmt-ignore
    const signature = createHmac('sha256', webhookSecret).update(body).digest('hex')
    const delivery = [`X-Hub-Signature-256: sha256=${signature}`, 'X-GitHub-Event: push', 'Content-Type: application/json', `Content-Length: ${body.length}`] // oxfmt-ignore
    const url = `/api/webhooks/gitprovider/${victimSite.id}`
    const answer = await sendRaw(requestText('POST', url, delivery) + body, { port: apiPort(), from: '127.0.0.99' })
    for (const socket of sockets) socket.destroy()
    expect(statusesIn(answer), answer).toEqual([200])
  })

  test('a build with worst-case variables and log does not block the API', async () => {
    const site = await attacker.createSite(git, { Dockerfile: 'FROM node:24-trixie-slim\nRUN seq 1 60000\nCMD ["sleep", "9"]' }, { type: 'DOCKERFILE' }) // oxfmt-ignore
    for (let index = 0; index < 14; index++) {
      const value = Array.from({ length: 7_000 }, () => randomBytes(4).toString('hex')).join('\n')
      await attacker.call('POST', `/projects/${site.id}/env`, { key: `SECRET_${index}`, value })
    }
    const { id } = await attacker.call<{ id: string }>('POST', `/projects/${site.id}/build`)
    const ended = attacker.waitFor(site.id, id)
    const served: number[] = []
    let isOver = false
    void ended.finally(() => (isOver = true)).catch(() => {})
    while (!isOver) served.push((await victim.request('GET', '/projects')).status)
    expect(served.length).toBeGreaterThan(10)
    expect(served.filter((status) => status !== 200)).toEqual([])
    expect((await ended).buildLogs).toContain('60000')
  })
})

import { randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ProjectType } from '@panel/contract/projects'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Files } from '../support/git-repositories.ts'
import type { Client, RunningPanel, Site } from '../support/panel.ts'
import { sharedWorld, type World } from '../support/shared-world.ts'
import { nodeSite } from '../support/sites.ts'

/** Attacks by an account on another one and on this machine: files, variables, hostnames, build slots. */
let world: World
let panel: RunningPanel
let victim: Client
let attacker: Client
let victimSite: Site
beforeAll(async () => {
  world = await sharedWorld()
  panel = world.panel
  victim = await panel.signUp()
  attacker = await panel.signUp()
  victimSite = await victim.createSite(world.git, nodeSite('of the victim'))
  await victim.mustRun(victimSite.id)
})
afterAll(() => victim.call('DELETE', `/projects/${victimSite.id}`))

async function buildOf(type: ProjectType, files: Files, paths = ['/']) {
  const site = await attacker.createSite(world.git, files, { type })
  const { status, buildLogs } = await attacker.build(site.id)
  const pages = status === 'RUNNING' ? await Promise.all(paths.map((path) => panel.visit(site.hostname, path))) : []
  await attacker.call('DELETE', `/projects/${site.id}`)
  return { log: buildLogs ?? '', pages: pages.map(({ body }) => body) }
}

describe('a build', () => {
  test('does not include files of this machine through links', async () => {
    const targets = [`${panel.dataDir}/panel.env`, '/etc/shadow', '/proc/self/environ', '../../../../../../etc/shadow']
    const links = targets.map((symlinkTo, index) => [`${index}/index.html`, { symlinkTo }] as const)
    // One that is refused must not hide the others.
    for (const some of [links.slice(0, 3), links.slice(3)]) {
      const paths = some.map(([path]) => `/${path}`)
      const { log, pages } = await buildOf('STATIC', { 'index.html': 'a', ...Object.fromEntries(some) }, paths)
      for (const text of [log, ...pages]) expect(text).not.toMatch(/SESSION_SECRET|ENCRYPTION_KEY|root:[*!$]/)
    }
    const Dockerfile = 'FROM node:24-trixie-slim\nCOPY . /x/\nRUN cat /x/link; ls -la /x; true\nCMD ["sleep", "9"]'
    const files = { Dockerfile, link: { symlinkTo: targets[0]! } }
    expect((await buildOf('DOCKERFILE', files)).log).not.toMatch(/SESSION_SECRET=|ENCRYPTION_KEY=/)
  })
})

describe('a site', () => {
  test('receives neither the proxy’s secret nor forged forwarding headers', async () => {
    const lies = { 'x-forwarded-for': '198.51.100.7', 'x-panel-proxy': 'a', x_panel_proxy: 'b', forwarded: 'for=198.51.100.7' }
    const headers = JSON.parse((await panel.visit(victimSite.hostname, '/headers', lies)).body) as Record<string, string>
    expect(headers['x-forwarded-for']).toBe('127.0.0.1')
    expect(Object.keys(headers).filter((name) => /panel.proxy|^forwarded$/.test(name))).toEqual([])
  }) // oxfmt-ignore

  test('cannot use another project’s or the panel’s name', async () => {
    const { id: projectId } = await attacker.createProject({ type: 'NODEJS' })
    for (const hostname of [
      victimSite.hostname,
      victimSite.hostname.toUpperCase(),
      `${victimSite.hostname}.`,
      `x.${victimSite.hostname}`,
      '*.apps.localhost',
      'apps.localhost',
      'panel.apps.localhost',
      'localhost'
    ])
      expect(await attacker.request('POST', '/domains', { hostname, projectId }), hostname).toMatchObject({
        status: expect.toBeOneOf([400, 403, 409])
      })
    await attacker.call('DELETE', `/projects/${projectId}`)
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

test('a build with worst-case variables and log does not block the API', async () => {
  const site = await attacker.createSite(world.git, { Dockerfile: 'FROM node:24-trixie-slim\nRUN seq 1 60000\nCMD ["sleep", "9"]' }, { type: 'DOCKERFILE' }) // oxfmt-ignore
  for (let index = 0; index < 14; index++) {
    const value = Array.from({ length: 7_000 }, () => randomBytes(4).toString('hex')).join('\n')
    await attacker.call('POST', `/projects/${site.id}/env`, { key: `SECRET_${index}`, value })
  }
  const { id } = await attacker.call<{ id: string }>('POST', `/projects/${site.id}/build`)
  const ended = attacker.waitFor(site.id, id)
  const served: number[] = []
  let isOver = false
  void ended.finally(() => (isOver = true)).catch(() => {})
  for (; !isOver; await sleep(50)) served.push((await victim.request('GET', '/projects')).status)
  expect(served.length).toBeGreaterThan(10)
  expect(served.filter((status) => status !== 200)).toEqual([])
  expect((await ended).buildLogs).toContain('60000')
  await attacker.call('DELETE', `/projects/${site.id}`)
})

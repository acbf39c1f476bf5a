import type { Deployment } from '@panel/contract/deployments'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Files } from '../support/git-repositories.ts'
import type { Client, RunningPanel, Site } from '../support/panel.ts'
import { sharedWorld, type World } from '../support/shared-world.ts'
import { lockFiles, siteWithDependency } from '../support/sites.ts'

let world: World
let panel: RunningPanel
let user: Client
beforeAll(async () => {
  world = await sharedWorld()
  panel = world.panel
  user = await panel.signUp()
})

const expectRunning = (deployment: Deployment) =>
  expect(deployment, deployment.buildLogs ?? '').toMatchObject({ status: 'RUNNING' })
const bodyOf = async ({ hostname }: Site, path = '/') => (await panel.visit(hostname, path)).body
async function deploy(files: Files, values: Record<string, unknown> = {}) {
  const site = await user.createSite(world.git, files, values)
  const deployment = await user.build(site.id)
  expectRunning(deployment)
  return { ...site, log: deployment.buildLogs ?? '' }
}
async function redeploy(site: Site, files: Files) {
  await world.git.commit(site.repository, files, 'Change')
  const deployment = await user.build(site.id)
  expectRunning(deployment)
  return deployment.buildLogs ?? ''
}

describe.concurrent('a build of', () => {
  test('Node.js with npm; a change of source does not install again', async () => {
    const site = await deploy({
      ...siteWithDependency('npm', { build: 'echo building $((6 * 7))' }),
      ...lockFiles.npm
    })
    expect(site.log).toContain('building 42')
    expect(await bodyOf(site)).toBe('npm 1m')
    const log = await redeploy(site, siteWithDependency('changed', { build: 'echo building $((6 * 7))' }))
    expect(log).toMatch(/RUN [^\n]*\["npm","ci"[^\n]*\n[^\n]*Using cache/)
    expect(await bodyOf(site)).toBe('changed 1m')
  })

  test('a static site as it is', async () => {
    const site = await deploy({ 'index.html': 'home', 'about.html': 'about', '.env': 'SECRET=1' }, { type: 'STATIC' })
    expect([await bodyOf(site), await bodyOf(site, '/about')]).toEqual(['home', 'about'])
    expect(await panel.visit(site.hostname, '/.env')).toMatchObject({ status: 404 })
    await redeploy(site, { 'index.html': 'new home' })
    expect(await bodyOf(site)).toBe('new home')
  })

  test('the Dockerfile of the repository', async () => {
    const files = {
      Dockerfile: 'FROM node:24-trixie-slim\nCOPY server.js /\nEXPOSE 4000\nCMD ["node", "/server.js"]\n',
      'server.js': `require('node:http').createServer((q, s) => s.end('docker ' + process.getuid())).listen(4000)`
    }
    const site = await deploy(files, { type: 'DOCKERFILE', port: 4000 })
    expect(await bodyOf(site)).toMatch(/^docker 2\d{4}$/)
  })
})

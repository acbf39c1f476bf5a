import { unwrap } from '@panel/client'
import { beforeAll, describe, expect, test } from 'vitest'
import { startLoad } from '../support/load.ts'
import { at, type Client, type Site } from '../support/panel.ts'
import { sharedWorld, type World } from '../support/shared-world.ts'
import { builtNodeSite, nodeSite } from '../support/sites.ts'

describe('from a Git repository to a running site', () => {
  let world: World
  let user: Client
  let site: Site
  let first: { id: string }
  beforeAll(async () => {
    world = await sharedWorld()
    user = await world.panel.signUp()
  })

  test('a project is connected, built and served', async () => {
    const { git, panel } = world
    const project = await user.createProject({ type: 'NODEJS' })
    const hostname = `${project.name}.apps.localhost`
    expect(await panel.visit(hostname)).toMatchObject({ status: 503 })
    const repository = `acme/${project.name}`
    const commitHash = await git.createRepository(repository, nodeSite('first'))
    const connection = { gitUrl: git.url(repository), branch: 'main', isPrivate: false }
    const info = await unwrap(user.api.POST('/api/projects/{id}/git/connect', { ...at(project.id), body: connection }))
    expect(info).toMatchObject({ branch: 'main', webhookSecret: expect.stringMatching(/^[0-9a-f]{64}$/) })
    site = { id: project.id, name: project.name, hostname, repository, commitHash }

    const deployment = await user.mustRun(site.id)
    expect(deployment.buildLogs).toContain(`Serving at ${hostname}`)
    expect(deployment).toMatchObject({ commitHash, commitMsg: 'First commit', duration: expect.any(Number) })
    expect((await panel.visit(hostname, '/hello?x=1')).body).toContain('first /hello?x=1')
    expect(await unwrap(user.api.GET('/api/projects/{id}', at(site.id)))).toMatchObject({
      status: 'ACTIVE',
      containerStatus: 'running',
      deployedDomain: hostname,
      internalPort: expect.any(Number)
    })
    first = deployment
  })

  test('a redeploy drops no request', async () => {
    const { git, panel } = world
    const load = startLoad(panel.proxyPort, site.hostname, (body) => /^(first|second)( |$)/.test(body))
    try {
      await git.commit(site.repository, nodeSite('second'), 'Second')
      await user.mustRun(site.id)
    } finally {
      await load.stop()
    }
    expect(load.failures).toEqual([])
    expect((await panel.visit(site.hostname)).body).toBe('second /')
  })

  test('a rollback serves the earlier release without a build', async () => {
    const path = { id: site.id, deploymentId: first.id }
    const { id } = await unwrap(
      user.api.POST('/api/projects/{id}/deployments/{deploymentId}/rollback', { params: { path } })
    )
    const done = await user.waitFor(site.id, id)
    expect(done).toMatchObject({ status: 'RUNNING', trigger: 'ROLLBACK', commitHash: site.commitHash })
    expect(done.buildLogs).not.toMatch(/Step|FROM/)
    expect((await world.panel.visit(site.hostname)).body).toBe('first /')
  })

  test('kill -9 of the panel during a build: it fails with the reason, the site stays up, the next build runs', async () => {
    const { git, panel } = world
    const load = startLoad(panel.proxyPort, site.hostname, (body) => body.startsWith('first'))
    await git.commit(site.repository, builtNodeSite('third', 'echo building && sleep 300'), 'Never finished')
    const { id } = await unwrap(user.api.POST('/api/projects/{id}/build', at(site.id)))
    await user.waitFor(site.id, id, ({ buildLogs }) => /^building/m.test(buildLogs ?? ''))
    await panel.kill()
    await panel.start()
    const failed = await user.waitFor(site.id, id, ({ status }) => status === 'FAILED')
    expect(failed.buildLogs).toMatch(/^FAILED: .*stopped while this was BUILDING/m)
    await load.stop()
    expect(load.failures).toEqual([])
    await git.commit(site.repository, nodeSite('fourth'), 'Mended')
    await user.mustRun(site.id)
    expect((await panel.visit(site.hostname)).body).toBe('fourth /')
  })
})

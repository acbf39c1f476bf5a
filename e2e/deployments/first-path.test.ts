import { unwrap } from '@panel/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GitHttpServer, startGitHttpServer } from '../support/git-server.ts'
import { at, type Client, type RunningPanel, startPanel } from '../support/panel.ts'
import { nodeSite } from '../support/sites.ts'

describe('from a git repository to a running site', () => {
  let git: GitHttpServer
  let panel: RunningPanel
  let user: Client
  beforeAll(async () => {
    git = await startGitHttpServer()
    panel = await startPanel({ GIT_EXTRA_HOSTS: `127.0.0.1:${git.port}` })
    user = await panel.signUp()
  })
  afterAll(async () => {
    await panel?.dispose()
    await git?.stop()
  })

  test('register, project, git, build, container, answer through the proxy', async () => {
    const hash = await git.createRepository('acme/site', nodeSite('first'))
    const project = await user.createProject({ name: 'first-site', type: 'NODEJS' })
    expect(await panel.visit('first-site.apps.localhost')).toMatchObject({ status: 503 })
    const info = await unwrap(
      user.api.POST('/api/projects/{id}/git/connect', {
        ...at(project.id),
        body: {
          gitUrl: git.url('acme/site'),
          branch: 'main',
          isPrivate: false
        }
      })
    )
    expect(info).toMatchObject({ branch: 'main', webhookSecret: expect.stringMatching(/^[0-9a-f]{64}$/) })
    const deployment = await user.build(project.id)
    expect(deployment.buildLogs).toContain('Serving at first-site.apps.localhost')
    expect(deployment).toMatchObject({
      status: 'RUNNING',
      commitHash: hash,
      commitMsg: 'First commit',
      duration: expect.any(Number)
    })
    const page = await panel.visit('first-site.apps.localhost', '/hello?x=1')
    expect(page).toMatchObject({ status: 200, body: expect.stringContaining('first /hello?x=1') })
    expect(await unwrap(user.api.GET('/api/projects/{id}', at(project.id)))).toMatchObject({
      status: 'ACTIVE',
      containerStatus: 'running',
      deployedDomain: 'first-site.apps.localhost',
      internalPort: expect.any(Number)
    })
  })
})

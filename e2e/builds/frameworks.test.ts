import type { Deployment } from '@panel/contract/deployments'
import type { Detection } from '@panel/contract/detection'
import type { ProjectType } from '@panel/contract/projects'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSemaphore } from '../../packages/server/src/concurrency/semaphore.ts'
import { buildImage, docker } from '../support/engine.ts'
import { filesOf, frameworkProjects, nativeProjects, pythonDockerfile, pythonImage } from '../support/frameworks.ts'
import type { Files } from '../support/git-repositories.ts'
import { type GitHttpServer, startGitHttpServer } from '../support/git-server.ts'
import { type Client, type RunningPanel, startPanel } from '../support/panel.ts'
import { ownDatabases } from '../support/shared-databases.ts'

let git: GitHttpServer
let panel: RunningPanel
let user: Client
beforeAll(async () => {
  await buildImage(pythonImage, pythonDockerfile)
  git = await startGitHttpServer()
  panel = await startPanel({
    ...ownDatabases,
    BUILD_IMAGE_PYTHON: pythonImage,
    GIT_EXTRA_HOSTS: `127.0.0.1:${git.port}`,
    BUILD_CONCURRENCY: '2',
    DEPLOY_MEMORY_LIMIT: '256m'
  })
  user = await panel.signUp()
})
afterAll(async () => {
  await panel?.dispose()
  await git?.stop()
})

/** Waits in the queue do not count against the build timeout. */
const serialized = createSemaphore(2)
const waitMs = 900_000

async function deploy(files: Files, type: ProjectType) {
  return serialized(async () => {
    const site = await user.createSite(git, files, { type })
    const detected = await user.call<Detection>('GET', `/projects/${site.id}/detection`)
    const deployment: Deployment = await user.build(site.id, waitMs)
    const log = deployment.buildLogs ?? ''
    expect(deployment.status, log).toBe('RUNNING')
    return { ...site, detected, deployment, log }
  })
}

// Projects with hundreds of packages run in the benchmark: npm run bench frameworks.
const isLight = ({ isHeavy }: { isHeavy?: true }) => isHeavy !== true

describe('a project of a framework, with nothing set but its type', () => {
  describe.concurrent('', () => {
    test.each(frameworkProjects.filter(isLight))(
      '$name',
      async (project) => {
        const { hostname, detected, log } = await deploy(filesOf(project, 'the first page'), project.type)
        expect(detected).toMatchObject({ problem: null, description: expect.stringContaining(project.found) as string })
        expect(log).toContain(`Found ${project.found}`)
        const { status, body } = await panel.visit(hostname, project.page)
        expect([status, body]).toEqual([200, expect.stringContaining('the first page')])
        const [named] = project.names?.exec(body) ?? []
        expect(named !== undefined, body).toBe(project.names !== undefined)
        if (named !== undefined) expect((await panel.visit(hostname, named)).status, named).toBe(200)
      },
      waitMs
    )
  })
})

describe('a package with a native part', () => {
  describe.concurrent('', () => {
    test.each(nativeProjects.filter(isLight))(
      '$name works, and what compiled it is not in the image',
      async ({ files, answers }) => {
        const { id, hostname, deployment } = await deploy(files, 'NODEJS')
        expect((await panel.visit(hostname)).body).toBe(answers)
        const image = `panel-${id}:${deployment.id}`
        const found = await docker('run', '--rm', '--network', 'none', '--entrypoint', '/bin/sh', image, '-c', 'command -v g++ make python3 || echo none') // oxfmt-ignore
        expect(found.trim()).toBe('none')
      },
      waitMs
    )
  })
})

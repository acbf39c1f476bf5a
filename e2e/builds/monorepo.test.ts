import type { Deployment } from '@panel/contract/deployments'
import type { GitInspection } from '@panel/contract/git'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Files } from '../support/git-repositories.ts'
import type { Client, RunningPanel } from '../support/panel.ts'
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

const json = (value: object) => JSON.stringify(value)
const expectRunning = (deployment: Deployment) =>
  expect(deployment, deployment.buildLogs ?? '').toMatchObject({ status: 'RUNNING' })
const bodyOf = async (name: string, path = '/') => (await panel.visit(`${name}.apps.localhost`, path)).body

describe('a Turborepo with a web and an API', () => {
  const files: Files = {
    'package.json': json({
      name: 'shop',
      private: true,
      packageManager: 'npm@10.9.4',
      workspaces: ['apps/*', 'packages/*'],
      devDependencies: { turbo: '^2' }
    }),
    'turbo.json': json({ tasks: { build: { dependsOn: ['^build'], outputs: ['dist/**'] } } }),
    'packages/greeting/package.json': json({
      name: 'greeting',
      version: '1.0.0',
      main: 'dist/index.js',
      scripts: { build: 'mkdir -p dist && cp index.js dist/index.js' }
    }),
    'packages/greeting/index.js': `module.exports = (name) => 'hello from ' + name`,
    'apps/api/package.json': json({
      name: 'api',
      scripts: { build: 'echo building the API', start: 'node server.js' },
      dependencies: { greeting: '1.0.0' }
    }),
    'apps/api/server.js': `
      const { readFileSync } = require('node:fs')
      const text = require('greeting')('the API')
      require('node:http')
        .createServer((request, response) => response.end(text + readFileSync('/data/migrations', 'utf8')))
        .listen(process.env.PORT)`,
    'apps/api/migrate.js': `
      require('node:fs').appendFileSync('/data/migrations', ' migrated')
      console.log('migrated as ' + process.getuid() + ' with ' + process.env.DATABASE)`,
    'apps/web/package.json': json({
      name: 'web',
      scripts: { build: 'node build.js' },
      dependencies: { greeting: '1.0.0' }
    }),
    'apps/web/build.js': `
      const { mkdirSync, writeFileSync } = require('node:fs')
      mkdirSync('site/public', { recursive: true })
      writeFileSync('site/public/index.html', require('greeting')('the web'))`
  }

  test('is two projects of one repository, each by the address of its folder', async () => {
    await world.git.createRepository('acme/turbo', files)
    const addressOf = (app: string) => `${world.git.url('acme/turbo')}/src/branch/main/apps/${app}`
    const found = await user.call<GitInspection>('POST', '/git/inspect', { gitUrl: addressOf('api') })
    expect(found).toMatchObject({ branch: 'main', rootDirectory: 'apps/api', detection: { problem: null } })
    expect(found.places.map(({ rootDirectory }) => rootDirectory)).toEqual(['apps/api', 'apps/web'])

    const api = await user.createProject({ type: 'NODEJS', gitUrl: addressOf('api'), releaseCmd: 'node migrate.js' })
    expect(api).toMatchObject({ gitUrl: found.gitUrl, branch: 'main', rootDirectory: 'apps/api' })
    await user.call('POST', `/projects/${api.id}/env`, { key: 'DATABASE', value: 'the variables', sensitive: false })
    const first = await user.build(api.id)
    expectRunning(first)
    expect(first.buildLogs).toMatch(/^==> release .*\nmigrated as 2\d{4} with the variables$/m)
    expect(await bodyOf(api.name)).toBe('hello from the API migrated')

    const web = await user.createProject({ type: 'STATIC', gitUrl: addressOf('web'), outputDirectory: 'site/public' })
    expectRunning(await user.build(web.id))
    expect(await bodyOf(web.name)).toBe('hello from the web')
  })
})

test('a Dockerfile in a subfolder with the context above it, a target, build arguments and a release command', async () => {
  const files: Files = {
    'services/api/Dockerfile': `
ARG NODE=20
FROM node:\${NODE}-trixie-slim AS app
ARG GREETING=none
COPY shared/text.js services/api/server.js /app/
ENV GREETING=$GREETING
ENTRYPOINT ["node", "/app/server.js"]
FROM app AS unused
RUN exit 9
`,
    'services/api/server.js': `
      const text = [require('./text.js'), process.env.GREETING, process.versions.node.split('.')[0]].join(' ')
      require('node:http').createServer((request, response) => response.end(text)).listen(process.env.PORT)`,
    'shared/text.js': `module.exports = 'shared'`
  }
  const site = await user.createSite(world.git, files, {
    type: 'DOCKERFILE',
    rootDirectory: 'services/api',
    dockerContext: '.',
    dockerTarget: 'app',
    buildArgs: { NODE: '24', GREETING: 'hello = you' },
    releaseCmd: 'echo "released by $(id -u)"',
    port: 4000
  })
  const deployment = await user.build(site.id)
  expectRunning(deployment)
  expect(deployment.buildLogs).toMatch(/^released by 2\d{4}$/m)
  expect(await bodyOf(site.name)).toBe('shared hello = you 24')
  await user.call('PUT', `/projects/${site.id}`, { dockerContext: 'shared' })
  expect((await user.build(site.id)).failure?.sentences).toMatchObject([{ code: 'DOCKERFILE_OUTSIDE_CONTEXT' }])
})

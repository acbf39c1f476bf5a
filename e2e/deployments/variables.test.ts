import { unwrap } from '@panel/client'
import Docker from 'dockerode'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { at, type Client } from '../support/panel.ts'
import { removeProjects, sharedWorld, type World } from '../support/shared-world.ts'
import { builtNodeSite } from '../support/sites.ts'

let world: World
let user: Client
let group: string
beforeAll(async () => {
  world = await sharedWorld()
  user = await world.panel.signUp()
  group = (await unwrap(user.api.POST('/api/env-groups', { body: { name: 'shared' } }))).id
  await unwrap(
    user.api.POST('/api/env-groups/{id}/env', {
      ...at(group),
      body: {
        variables: [
          { key: 'GREETING', value: 'from the group' },
          { key: 'LEVEL', value: 'group' }
        ]
      }
    })
  )
})

afterAll(() => removeProjects(user))

const set = (id: string, variables: { key: string; value: string; sensitive?: boolean; scope?: 'BUILD' | 'RUN' }[]) =>
  unwrap(user.api.POST('/api/projects/{id}/env', { ...at(id), body: { variables } }))
const attach = (id: string) =>
  unwrap(user.api.PUT('/api/projects/{id}/env-groups', { ...at(id), body: { groupIds: [group] } }))

describe('a Node.js site', () => {
  test('gets variables of its group and of its database, each where its scope says', async () => {
    const keep = `node -e "require('fs').writeFileSync('built.json', JSON.stringify(process.env))"`
    const site = await user.createSite(world.git, builtNodeSite('ready', keep))
    const body = { name: `shop_${Date.now()}`, type: 'POSTGRESQL' as const, projectId: site.id, autoInjectEnv: false }
    const database = await unwrap(user.api.POST('/api/databases', { body }))
    await attach(site.id)
    await set(site.id, [
      { key: 'STORE', value: `\${{${database.name}.url}}` },
      { key: 'HELLO', value: '${{GREETING}} on ${{LEVEL}}, $${{kept}}' },
      { key: 'LEVEL', value: 'project' },
      { key: 'ONLY_BUILD', value: 'b', scope: 'BUILD' },
      { key: 'ONLY_RUN', value: 'r', scope: 'RUN' }
    ])
    const deployment = await user.build(site.id)
    expect(deployment, deployment.buildLogs ?? '').toMatchObject({ status: 'RUNNING' })
    const [run, built] = await Promise.all(['/env', '/built'].map(async (path) => JSON.parse((await world.panel.visit(site.hostname, path)).body) as Record<string, string>)) // oxfmt-ignore
    expect(run).toMatchObject({
      GREETING: 'from the group',
      HELLO: 'from the group on project, ${{kept}}',
      ONLY_RUN: 'r',
      STORE: expect.stringMatching(new RegExp(`^postgres(ql)?://.+/${database.name}\\b`)) as string
    })
    expect(run).not.toHaveProperty('ONLY_BUILD')
    expect(built).toMatchObject({ ONLY_BUILD: 'b', LEVEL: 'project' })
    expect(built).not.toHaveProperty('ONLY_RUN')

    // The container that runs keeps the database's address; the next deployment says what is missing.
    await unwrap(user.api.DELETE('/api/databases/{id}', at(database.id)))
    const failed = await user.build(site.id)
    expect(failed).toMatchObject({ status: 'FAILED', failure: { sentences: [{ code: 'REFERENCE_UNKNOWN' }] } })
    expect(failed.buildLogs).toContain(`\${{${database.name}.url}}`)
    expect((await world.panel.visit(site.hostname, '/')).body).toBe('ready /')
  })
})

describe('a Dockerfile', () => {
  const files = {
    Dockerfile: `FROM node:24-trixie-slim
ARG APP_VERSION=none
ARG API_TOKEN=none
RUN printf '%s %s' "$APP_VERSION" "$API_TOKEN" > /built
COPY server.js /
CMD ["node", "/server.js"]
`,
    'server.js': `require('node:http').createServer((request, response) =>
  response.end(require('node:fs').readFileSync('/built', 'utf8') + ' ' + process.env.API_TOKEN)
).listen(process.env.PORT, '0.0.0.0')`
  }

  test('gets what it declares by ARG, and no sensitive value stays in the image', async () => {
    const site = await user.createSite(world.git, files, { type: 'DOCKERFILE' })
    await set(site.id, [
      { key: 'APP_VERSION', value: '1.4.0', sensitive: false },
      { key: 'API_TOKEN', value: 'a-token-of-the-tests' }
    ])
    const deployment = await user.build(site.id)
    expect(deployment, deployment.buildLogs ?? '').toMatchObject({ status: 'RUNNING' })
    expect((await world.panel.visit(site.hostname)).body).toBe('1.4.0 none a-token-of-the-tests')
    const docker = new Docker()
    const [image] = await docker.listImages({ filters: { label: [`panel.project=${site.id}`] } })
    const history = JSON.stringify(await docker.getImage(image!.Id).history())
    expect(history).toContain('1.4.0')
    expect(history).not.toContain('a-token-of-the-tests')
  })

  test('is refused if it declares a sensitive variable that only the build would get', async () => {
    const site = await user.createSite(world.git, files, { type: 'DOCKERFILE' })
    await set(site.id, [{ key: 'API_TOKEN', value: 'a-token-of-the-tests', scope: 'BUILD' }])
    expect(await user.build(site.id)).toMatchObject({
      status: 'FAILED',
      failure: { sentences: [{ code: 'SECRET_BUILD_ARGUMENT' }] }
    })
  })
})

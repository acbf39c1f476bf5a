import { beforeAll, expect, test } from 'vitest'
import { sharedWorld, type World } from '../support/shared-world.ts'

let world: World
beforeAll(async () => {
  world = await sharedWorld()
})

/** `/health` answers 503 as long as the release says so, and only to the site's own host name. */
const site = (name: string, status: number) => ({
  'package.json': JSON.stringify({ name: 'app', scripts: { start: 'node server.js' } }),
  'server.js': `
    const own = /\\.apps\\.localhost$/
    require('node:http').createServer(({ url, headers }, response) => {
      response.writeHead(url === '/health' ? (own.test(headers.host) ? ${status} : 421) : 200).end(${JSON.stringify(name)})
    }).listen(process.env.PORT)`
})

test('a release that is not healthy fails with the answer it gave, and the previous one stays live', async () => {
  const { git, panel } = world
  const user = await panel.signUp()
  const { id, hostname, repository } = await user.createSite(git, site('first', 204), { type: 'NODEJS' })
  await user.call('PUT', `/projects/${id}`, { health: { path: '/health', graceSeconds: 3 } })
  expect((await user.mustRun(id)).buildLogs).toContain('GET /health')
  await git.commit(repository, site('second', 503), 'Unhealthy')
  const failed = await user.build(id)
  expect(failed.status).toBe('FAILED')
  expect(failed.failure).toMatchObject({
    sentences: [{ code: 'NOT_HEALTHY', values: { status: '503', path: '/health' } }]
  })
  expect((await panel.visit(hostname)).body).toBe('first')
  await git.commit(repository, site('third', 200), 'Healthy')
  await user.mustRun(id)
  expect((await panel.visit(hostname)).body).toBe('third')
})

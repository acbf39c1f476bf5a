import { beforeAll, expect, test } from 'vitest'
import { removeProjects, sharedWorld, type World } from '../support/shared-world.ts'

let world: World
beforeAll(async () => {
  world = await sharedWorld()
})

/** `/health` answers with STATUS, and only to the site's own host name. */
const site = {
  'package.json': JSON.stringify({ name: 'app', scripts: { start: 'node server.js' } }),
  'server.js': `
    const own = /\\.apps\\.localhost$/
    const status = Number(process.env.STATUS ?? 204)
    require('node:http').createServer(({ url, headers }, response) => {
      response.writeHead(url === '/health' ? (own.test(headers.host) ? status : 421) : 200).end('answer ' + status)
    }).listen(process.env.PORT)`
}

test('a release that is not healthy fails with the answer it gave, and the previous one stays live', async () => {
  const { git, panel } = world
  const user = await panel.signUp()
  const { id, hostname } = await user.createSite(git, site, { type: 'NODEJS' })
  await user.call('PUT', `/projects/${id}`, { health: { path: '/health', graceSeconds: 3 } })
  expect((await user.mustRun(id)).buildLogs).toContain('GET /health')
  await user.call('POST', `/projects/${id}/env`, { key: 'STATUS', value: '503' })
  const failed = await user.build(id)
  expect(failed.status).toBe('FAILED')
  expect(failed.failure).toMatchObject({
    sentences: [{ code: 'NOT_HEALTHY', values: { status: '503', path: '/health' } }]
  })
  expect((await panel.visit(hostname)).body).toBe('answer 204')
  await removeProjects(user)
})

import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { DiskUsage } from '@panel/contract/disk-usage'
import type { Project } from '@panel/contract/projects'
import type { Files } from '../support/git-repositories.ts'
import type { Client, RunningPanel, Site } from '../support/panel.ts'
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

const nodeFiles: Files = {
  'package.json': JSON.stringify({ name: 'writer', private: true, scripts: { build: 'mkdir -p dist && echo old > dist/page', start: '(rm -rf dist && mkdir dist && echo new > dist/page); exec node server.js' } }), // oxfmt-ignore
  'server.js': `
const { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const attempt = (act) => { try { return act() } catch (error) { return error.code } }
const write = (path) => attempt(() => { const folder = join(path, '..'); if (!existsSync(folder)) mkdirSync(folder); writeFileSync(path, 'x'); return 'written' })
const found = {
  before: ['/app/uploads/a', join(process.env.HOME, '.cache/b'), '/data/kept'].map((path) => existsSync(path)),
  page: attempt(() => readFileSync('dist/page', 'utf8').trim()),
  uploads: write('/app/uploads/a'), besides: write('/app/database.sqlite'), home: write(join(process.env.HOME, '.cache/b')),
  kept: write('/data/kept'), system: write('/etc/x'), program: write('/usr/local/bin/x'),
  owner: attempt(() => statSync('/app').uid === process.getuid())
}
require('node:http').createServer((_, response) => response.end(JSON.stringify(found))).listen(process.env.PORT)
`
}

const seen = async (site: Site) => JSON.parse((await panel.visit(site.hostname)).body) as unknown
let neighbour: Site
const written = { uploads: 'written', besides: 'written', home: 'written', kept: 'written' }
const elsewhere = { system: 'EACCES', program: 'EACCES' }

test('an app can write to its folder and HOME, and only /data persists; its root file system can be read-only', async () => {
  const site = await user.createSite(world.git, nodeFiles)
  await user.mustRun(site.id)
  const first = { before: [false, false, false], page: 'new', ...written, ...elsewhere, owner: true }
  expect(await seen(site)).toEqual(first)
  await user.call('POST', `/projects/${site.id}/deploy`)
  expect(await seen(site)).toEqual({ ...first, before: [false, false, true] })
  await user.call('PUT', `/projects/${site.id}`, { readOnlyRoot: true })
  await user.call('POST', `/projects/${site.id}/deploy`)
  const refused = { uploads: 'EROFS', besides: 'EROFS', system: 'EROFS', program: 'EROFS' }
  expect(await seen(site)).toMatchObject({ ...refused, page: 'old', home: 'written', kept: 'written' })
  neighbour = site
})

test('the same for Python', async () => {
  const site = await user.createSite(
    world.git,
    {
      'main.py': `
import http.server, json, os
def write(path):
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        open(path, 'w').write('x')
        return 'written'
    except OSError as error:
        return error.errno
found = [write('/app/media/a'), write('/app/db.sqlite3'), write(os.environ['HOME'] + '/.cache/b'), write('/data/kept'), write('/etc/x')]
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.end_headers(); self.wfile.write(json.dumps(found).encode())
http.server.HTTPServer(('0.0.0.0', int(os.environ['PORT'])), Handler).serve_forever()
`
    },
    { type: 'PYTHON', startCmd: 'python3 main.py' }
  )
  await user.mustRun(site.id)
  expect(await seen(site)).toEqual(['written', 'written', 'written', 'written', 13])
})

const grower: Files = {
  'package.json': JSON.stringify({ name: 'grower', private: true, scripts: { start: 'node server.js' } }),
  'server.js': `
const { mkdirSync, writeFileSync } = require('node:fs')
let written = 0
require('node:http').createServer((request, response) => {
  const [, what, count] = request.url.split('/')
  if (what === 'bytes') writeFileSync('/app/written-' + written++, Buffer.alloc(Number(count) * 2 ** 20, 1))
  if (what === 'files') for (let each = 0; each < Number(count); each++) {
    const folder = '/app/made/' + (each % 7) + '/' + (each % 5)
    mkdirSync(folder, { recursive: true })
    writeFileSync(folder + '/' + written++, '')
  }
  response.end('here')
}).listen(process.env.PORT)
`
}
const projectOf = ({ id }: Site) => user.call<Project>('GET', `/projects/${id}`)
const nearLimit = async ({ id }: Site) =>
  (await user.call<DiskUsage>('GET', '/users/me/disk')).containersNearLimit.filter(({ projectId }) => projectId === id)
const deployed = async () => {
  const site = await user.createSite(world.git, grower)
  return { ...site, deployment: (await user.mustRun(site.id)).id }
}
const logOf = async (site: Site & { deployment: string }) =>
  (await user.waitFor(site.id, site.deployment)).buildLogs ?? ''
const within = { timeout: 60_000, interval: 500 }

test('a container that keeps writing is warned and stopped; others keep running', async () => {
  onTestFinished(() => world.change({ CONTAINER_DISK_LIMIT: null, CONTAINER_FILES_LIMIT: null, CONTAINER_DISK_SECONDS: null })) // oxfmt-ignore
  await world.change({ CONTAINER_DISK_LIMIT: '40m', CONTAINER_FILES_LIMIT: '3000', CONTAINER_DISK_SECONDS: '1' })
  const [site, other] = [await deployed(), await deployed()]
  await panel.visit(site.hostname, '/bytes/30')
  await panel.visit(other.hostname, '/files/2600')
  const filesOf = async (of: Site) => (await nearLimit(of))[0]?.files ?? 0
  await expect.poll(() => filesOf(other), within).toBeGreaterThanOrEqual(2600)
  expect(await filesOf(other)).toBeLessThan(2700)
  expect(await nearLimit(other)).toMatchObject([{ limitFiles: 3000, limitBytes: 40 * 2 ** 20 }])
  expect(await nearLimit(site)).toEqual([])

  await panel.visit(site.hostname, '/bytes/6')
  await expect.poll(() => nearLimit(site), within).toMatchObject([{ bytes: expect.any(Number), deploymentId: site.deployment }]) // oxfmt-ignore
  await expect.poll(() => logOf(site), within).toMatch(/It has written 3[2-6] MiB of the allowed 40 MiB\./) // oxfmt-ignore
  expect(await projectOf(site)).toMatchObject({ status: 'ACTIVE', stopReason: null })
  expect((await panel.visit(site.hostname)).body).toBe('here')

  await panel.visit(site.hostname, '/bytes/6')
  await panel.visit(other.hostname, '/files/500')
  await expect.poll(() => projectOf(site), within).toMatchObject({ status: 'STOPPED', stopReason: 'CONTAINER_DISK_LIMIT', containerStatus: 'exited' }) // oxfmt-ignore
  await expect.poll(() => projectOf(other), within).toMatchObject({ status: 'STOPPED', stopReason: 'CONTAINER_FILES_LIMIT', containerStatus: 'exited' }) // oxfmt-ignore
  expect(await logOf(site)).toMatch(
    /The container was stopped because it exceeded a disk limit\. It has written 4[0-2] MiB/
  )
  expect((await panel.visit(neighbour.hostname)).status).toBe(200)
  expect(await projectOf(neighbour)).toMatchObject({ status: 'ACTIVE', stopReason: null })

  await user.call('POST', `/projects/${site.id}/deploy`)
  expect((await panel.visit(site.hostname)).body).toBe('here')
  expect(await projectOf(site)).toMatchObject({ status: 'ACTIVE', stopReason: null })
  await expect.poll(() => nearLimit(site), within).toEqual([])
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DiskUsage } from '@panel/contract/disk-usage'
import type { Project } from '@panel/contract/projects'
import { type GitHttpServer, startGitHttpServer } from '../support/git-server.ts'
import type { Files } from '../support/git-repositories.ts'
import { type Client, type RunningPanel, type Site, startPanel } from '../support/panel.ts'

let git: GitHttpServer
let panel: RunningPanel
let user: Client
beforeAll(async () => {
  git = await startGitHttpServer()
  panel = await startPanel({
    GIT_EXTRA_HOSTS: `127.0.0.1:${git.port}`,
    DEPLOY_DRAIN_SECONDS: '0',
    CONTAINER_DISK_LIMIT: '40m',
    CONTAINER_FILES_LIMIT: '3000',
    CONTAINER_DISK_SECONDS: '1'
  })
  user = await panel.signUp()
})
afterAll(async () => {
  await panel?.dispose()
  await git?.stop()
})

const nodeFiles: Files = {
  'package.json': JSON.stringify({ name: 'writer', private: true, scripts: { build: 'mkdir -p dist && echo old > dist/page', start: 'rm -rf dist && mkdir dist && echo new > dist/page && exec node server.js' } }), // oxfmt-ignore
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

const seen = async (site: Site) => {
  const deployment = await user.build(site.id)
  expect(deployment, deployment.buildLogs ?? '').toMatchObject({ status: 'RUNNING' })
  return JSON.parse((await panel.visit(site.hostname)).body) as unknown
}
const written = { uploads: 'written', besides: 'written', home: 'written', kept: 'written' }
const elsewhere = { system: 'EACCES', program: 'EACCES' }

test('an app can write to its folder and HOME; only /data persists', async () => {
  const site = await user.createSite(git, nodeFiles)
  const first = { before: [false, false, false], page: 'new', ...written, ...elsewhere, owner: true }
  expect(await seen(site)).toEqual(first)
  expect(await seen(site)).toEqual({ ...first, before: [false, false, true] })
})

test('the same for Python', async () => {
  const site = await user.createSite(
    git,
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
  expect(await seen(site)).toEqual(['written', 'written', 'written', 'written', 13])
})

test('a project can have a read-only root file system', async () => {
  const files = { ...nodeFiles, 'package.json': JSON.stringify({ name: 'reader', private: true, scripts: { start: 'node server.js' } }) } // oxfmt-ignore
  const site = await user.createSite(git, files, { readOnlyRoot: true })
  const refused = { uploads: 'EROFS', besides: 'EROFS', system: 'EROFS', program: 'EROFS' }
  expect(await seen(site)).toMatchObject({ ...refused, home: 'written', kept: 'written' })
  await user.call('PUT', `/projects/${site.id}`, { readOnlyRoot: false })
  expect(await seen(site)).toMatchObject({ ...written, ...elsewhere })
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
  const site = await user.createSite(git, grower)
  const deployment = await user.build(site.id)
  expect(deployment, deployment.buildLogs ?? '').toMatchObject({ status: 'RUNNING' })
  return { ...site, deployment: deployment.id }
}
const logOf = async (site: Site & { deployment: string }) =>
  (await user.waitFor(site.id, site.deployment)).buildLogs ?? ''
const within = { timeout: 60_000, interval: 500 }

test('a container that keeps writing is warned and stopped; others keep running', async () => {
  const [site, other, neighbour] = [await deployed(), await deployed(), await deployed()]
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
  expect((await panel.visit(neighbour.hostname)).body).toBe('here')
  expect(await projectOf(neighbour)).toMatchObject({ status: 'ACTIVE', stopReason: null })

  await user.build(site.id)
  expect((await panel.visit(site.hostname)).body).toBe('here')
  expect(await projectOf(site)).toMatchObject({ status: 'ACTIVE', stopReason: null })
  await expect.poll(() => nearLimit(site), within).toEqual([])
})

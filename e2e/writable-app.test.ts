import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GitHttpServer, startGitHttpServer } from './support/git-server.ts'
import type { Files } from './support/git-repositories.ts'
import { type Client, type RunningPanel, type Site, startPanel } from './support/panel.ts'

let git: GitHttpServer
let panel: RunningPanel
let user: Client
beforeAll(async () => {
  git = await startGitHttpServer()
  panel = await startPanel({ GIT_EXTRA_HOSTS: `127.0.0.1:${git.port}`, DEPLOY_DRAIN_SECONDS: '0' })
  user = await panel.signUp()
})
afterAll(async () => {
  await panel?.dispose()
  await git?.stop()
})

/** What programs do that were written for a machine of their own, each with what came of it; and what is there of an earlier deployment. */
const nodeFiles: Files = {
  'package.json': JSON.stringify({ name: 'writer', private: true, scripts: { build: 'mkdir -p dist && echo old > dist/page', start: 'rm -rf dist && mkdir dist && echo new > dist/page && exec node server.js' } }), // prettier-ignore
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

test('an application writes to its folder and to HOME, and keeps of it what lies below /data', async () => {
  const site = await user.createSite(git, nodeFiles)
  const first = { before: [false, false, false], page: 'new', ...written, ...elsewhere, owner: true }
  expect(await seen(site)).toEqual(first)
  expect(await seen(site)).toEqual({ ...first, before: [false, false, true] })
})

test('one of Python does so too', async () => {
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

test('a project that asks for it has a root file system that nobody writes to', async () => {
  const files = { ...nodeFiles, 'package.json': JSON.stringify({ name: 'reader', private: true, scripts: { start: 'node server.js' } }) } // prettier-ignore
  const site = await user.createSite(git, files, { readOnlyRoot: true })
  const refused = { uploads: 'EROFS', besides: 'EROFS', system: 'EROFS', program: 'EROFS' }
  expect(await seen(site)).toMatchObject({ ...refused, home: 'written', kept: 'written' })
  await user.call('PUT', `/projects/${site.id}`, { readOnlyRoot: false })
  expect(await seen(site)).toMatchObject({ ...written, ...elsewhere })
})

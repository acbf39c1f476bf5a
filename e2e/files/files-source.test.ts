import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Schema } from '@panel/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { madeZip } from '../../packages/server/test/fixtures/archive.fixture.ts'
import type { Client, Site } from '../support/panel.ts'
import { sharedWorld, type World } from '../support/shared-world.ts'

type Deployment = Schema<'Deployment'>

let world: World
let user: Client
let site: Site
beforeAll(async () => {
  world = await sharedWorld()
  user = await world.panel.signUp()
  site = await user.createSite(world.git, { 'index.html': 'from git', _redirects: '/old /new' }, { type: 'STATIC' })
})
afterAll(() => user.call('DELETE', `/projects/${site.id}`))

const folder = (...names: string[]) => join(world.projects, 'by-id', site.id, ...names)
const visit = (path = '/') => world.panel.visit(site.hostname, path)
const bodyOf = async (path?: string) => (await visit(path)).body.trim()
const put = (path: string, content: string) => user.call('POST', `/files/${site.id}/write`, { path, content })
const list = async () =>
  (await user.call<{ deployments: Deployment[] }>('GET', `/projects/${site.id}/deployments?logs=false`)).deployments

async function upload(files: Record<string, string>): Promise<Deployment> {
  const archive = madeZip(Object.entries(files).map(([name, content]) => ({ name, content })))
  const response = await fetch(`${world.panel.url}/api/projects/${site.id}/uploads?folder=shop.zip`, {
    method: 'POST',
    headers: { cookie: user.cookie, 'content-type': 'application/zip' },
    body: new Uint8Array(archive)
  })
  const answer = (await response.json()) as Deployment
  expect([response.status, answer]).toMatchObject([202, { trigger: 'UPLOAD' }])
  return user.waitFor(site.id, answer.id)
}

const rules = {
  _redirects: '/old /about 301\n/blog/* /news/:splat 302\n/app/* /index.html 200\nnonsense',
  _headers: '/*\n  X-Frame-Options: DENY\n/assets/*\n  Cache-Control: public, max-age=31536000'
}

test('the files of the project replace the repository, from an archive', async () => {
  await user.mustRun(site.id)
  expect([await bodyOf(), (await visit('/old')).headers.location]).toEqual(['from git', '/new'])
  await user.call('PUT', `/projects/${site.id}`, { source: 'FILES' })
  const deployment = await upload({
    'shop/index.html': 'from the archive',
    'shop/about.html': 'about',
    'shop/404.html': 'nothing here',
    'shop/assets/a.css': 'a{}',
    'shop/dump.sql': 'secrets',
    'shop/dump.sql.gz': 'secrets',
    'shop/.env': 'secrets',
    'shop/empty/page.txt': 'x',
    ...Object.fromEntries(Object.entries(rules).map(([name, text]) => [`shop/${name}`, text]))
  })
  expect(deployment).toMatchObject({ status: 'RUNNING', active: true, snapshot: { archive: 'shop.zip', files: 10 } })
  expect(deployment.buildLogs).toContain('not used, because they are not understood or not supported: _redirects:4')
  await expect.poll(() => bodyOf()).toBe('from the archive')
})

test('a file that the file manager changes is live at once', async () => {
  await put('index.html', 'changed')
  expect(await bodyOf()).toBe('changed')
  await put('new/page.html', 'new')
  expect(await bodyOf('/new/page')).toBe('new')
})

test('redirects, headers and the 404 page', async () => {
  const redirect = async (path: string) => {
    const { status, headers } = await visit(path)
    return [status, headers.location?.replace(/^https?:\/\/[^/]+/, '')]
  }
  expect(await redirect('/old?a=1')).toEqual([301, '/about?a=1'])
  expect(await redirect('/blog/a/b')).toEqual([302, '/news/a/b'])
  expect(await redirect('/new')).toEqual([301, '/new/'])
  expect([await bodyOf('/app/deep'), await bodyOf('/about')]).toEqual(['changed', 'about'])
  expect((await visit('/assets/a.css')).headers).toMatchObject({
    'x-frame-options': 'DENY',
    'cache-control': 'public, max-age=31536000',
    'content-type': expect.stringContaining('text/css')
  })
  expect(await visit('/missing')).toMatchObject({ status: 404, body: 'nothing here' })
})

test.each(['/.env', '/dump.sql', '/dump.sql.gz', '/_redirects', '/_headers', '/empty/', '/%2e%2e/%2e%2e/etc/passwd'])(
  '%s is never served',
  async (path) => {
    const { status, body } = await visit(path)
    expect([400, 404]).toContain(status)
    expect(body).not.toMatch(/secrets|page\.txt|root:/)
  }
)

test('a link that leads out of the folder is not served', async () => {
  await symlink('/etc/passwd', folder('out.txt'))
  await symlink('/etc', folder('outside'))
  await symlink('/proc/self/environ', folder('environ'))
  for (const path of ['/out.txt', '/outside/passwd', '/environ']) {
    const { status, body } = await visit(path)
    expect([403, 404]).toContain(status)
    expect(body).toBe('nothing here')
  }
})

test('a snapshot is rolled back to, and what was there since is kept', async () => {
  const snapshot = await user.mustRun(site.id)
  expect(snapshot).toMatchObject({ trigger: 'SNAPSHOT', canRollback: true, snapshot: { archive: null } })
  await put('index.html', 'broken')
  const back = await user.call<Deployment>('POST', `/projects/${site.id}/deployments/${snapshot.id}/rollback`)
  expect(await user.waitFor(site.id, back.id)).toMatchObject({ status: 'RUNNING', active: true })
  await expect.poll(() => bodyOf()).toBe('changed')
  // Live again after the exchange of the folder.
  await put('index.html', 'repaired')
  expect(await bodyOf()).toBe('repaired')
  const [, saved] = await list()
  expect(saved).toMatchObject({ trigger: 'SNAPSHOT', status: 'RUNNING', active: false, canRollback: true })
  const forth = await user.call<Deployment>('POST', `/projects/${site.id}/deployments/${saved!.id}/rollback`)
  await user.waitFor(site.id, forth.id)
  await expect.poll(() => bodyOf()).toBe('broken')
})

test('the repository serves the site again', async () => {
  await user.call('PUT', `/projects/${site.id}`, { source: 'GIT' })
  expect(await user.mustRun(site.id)).toMatchObject({ trigger: 'MANUAL' })
  await expect.poll(() => bodyOf()).toBe('from git')
})

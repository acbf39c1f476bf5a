import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client, RunningPanel, Site } from '../support/panel.ts'
import { sharedWorld, type World } from '../support/shared-world.ts'
import { nodeSite } from '../support/sites.ts'
import { requestText, sendRaw, statusesIn } from './raw-http.ts'

/**
 * Attacks with a stolen API token of an administrator: secrets outside its scope, code execution, access that survives
 * revocation.
 */
type Scope = 'read' | 'deploy' | 'full'
interface Operation {
  security?: { token?: string[] }[]
}

let world: World
let panel: RunningPanel
let owner: Client
let ownId: string
let site: Site
const tokens = {} as Record<Scope, string>
const tokenIds = {} as Record<Scope, string>
const secret = randomBytes(20).toString('hex')
const ownerName = `owner${randomBytes(3).toString('hex')}`
const password = 'correct horse battery'
const setRole = async (role: string) => {
  await world.ann.call('POST', '/auth/confirm', { password })
  await world.ann.call('PATCH', `/users/${ownId}/role`, { role })
}
beforeAll(async () => {
  world = await sharedWorld()
  panel = world.panel
  owner = await panel.signUp(ownerName)
  ownId = (await owner.call<{ id: string }>('GET', '/auth/me')).id
  await setRole('ADMIN')
  site = await owner.createSite(world.git, nodeSite('first'))
  await owner.call('POST', `/projects/${site.id}/env`, { key: 'API_KEY', value: secret })
  await owner.mustRun(site.id)
  for (const scope of ['read', 'deploy', 'full'] as const) {
    const made = { name: scope, scope, password }
    const { token, id } = await owner.call<{ token: string; id: string }>('POST', '/auth/tokens', made)
    tokens[scope] = token
    tokenIds[scope] = id
  }
})
afterAll(async () => {
  await owner.call('DELETE', `/projects/${site.id}`)
  await setRole('USER')
})

const apiPort = () => Number(new URL(panel.url).port)
async function ask(scope: Scope, method: string, path: string, body?: unknown) {
  const response = await fetch(`${panel.url}/api${path}`, {
    method,
    headers: { authorization: `Bearer ${tokens[scope]}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(20_000)
  }) // oxfmt-ignore
  return { status: response.status, text: await response.text() }
}
const raw = (method: string, path: string, headers: string[], body?: unknown) =>
  sendRaw(requestText(method, path, headers, body), { port: apiPort() })
const bearer = (scope: Scope) => `Authorization: Bearer ${tokens[scope]}`
const commands = () =>
  panel
    .query<{ n: number }>('select count(*)::int as n from deployments where project_id = $1', [site.id])
    .then(([row]) => row!.n)

test('the test token works', async () => {
  expect((await ask('read', 'GET', '/projects')).text).toContain(site.id)
  expect((await ask('full', 'GET', `/projects/${site.id}/env/API_KEY/reveal`)).text).toContain(secret)
})

describe('a read token', () => {
  test('cannot change anything on any route', async () => {
    const document = (await (await fetch(`${panel.url}/api/openapi.json`)).json()) as {
      paths: Record<string, Record<string, Operation>>
    }
    const changing = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { security }]) =>
        method !== 'get' && security?.some((way) => 'session' in way) ? [{ method, path }] : []
      )
    )
    expect(changing.length).toBeGreaterThan(50)
    const audited = () =>
      panel.query(
        `select action from audit_log where actor_id = $1 union all
         select action from audit_pending where actor_id = $1 order by action`,
        [ownId]
      )
    const before = await audited()
    for (const { method, path } of changing) {
      const filled = path.replace(/^\/api/, '').replaceAll(/\{[^}]+\}/g, site.id)
      const { status, text } = await ask('read', method.toUpperCase(), filled, {})
      expect({ method, path, status, text }).toMatchObject({ status: 403 })
    }
    expect(await audited()).toEqual(before)
  })

  test.each([
    ['POST', 'X-HTTP-Method-Override: GET'],
    ['GET', 'X-HTTP-Method-Override: POST'],
    ['GET', 'X-Method-Override: DELETE'],
    ['HEAD', 'X-Nothing: 1'],
    ['OPTIONS', 'X-Nothing: 1']
  ])('%s with %s neither shows nor changes', async (method, header) => {
    for (const path of [`/api/projects/${site.id}/env/API_KEY/reveal`, `/api/projects/${site.id}/build?_method=POST`]) {
      const answer = await raw(method, path, [bearer('read'), header])
      expect(answer).not.toContain(secret)
      expect(statusesIn(answer)[0]).toBeGreaterThanOrEqual(400)
    }
  })

  test.each([
    (path: string) => `/${path}`,
    (path: string) => `${path}/`,
    (path: string) => path.replace('/env/', '//env//'),
    (path: string) => path.replace('/env/', '/%65nv/'),
    (path: string) => path.replace('/env/', '/./env/'),
    (path: string) => path.replace('/env/', '/x/../env/'),
    (path: string) => path.replace('/api/', '/API/'),
    (path: string) => path.replace('reveal', 'REVEAL'),
    (path: string) => `${path};x=1`,
    (path: string) => `${path}%2f`,
    (path: string) => `${path}%00`,
    (path: string) => `${path}?scope=full&token=x`,
    (path: string) => path.replace('API_KEY', 'API_KEY%2freveal%3f')
  ])('alternative URL spellings change nothing: %o', async (spelled) => {
    const answer = await raw('GET', spelled(`/api/projects/${site.id}/env/API_KEY/reveal`), [bearer('read')])
    expect(answer).toContain('HTTP/1.1')
    expect(answer).not.toContain(secret)
  })

  test('cannot see secrets', async () => {
    const info = await owner.call<{ webhookSecret: string }>('GET', `/projects/${site.id}/git`)
    expect(info.webhookSecret).toMatch(/^[0-9a-f]{64}$/)
    const paths = ['', '/git', '/env', '/deployments', '/domains', '/env/export'].map((end) => `/projects/${site.id}${end}`)
    for (const path of [...paths, '/projects', '/databases', '/audit/me', '/audit', '/auth/me', '/auth/tokens', '/users', '/sftp/info']) {
      const { text } = await ask('read', 'GET', path)
      for (const opening of [secret, info.webhookSecret, tokens.full, owner.cookie.split('=')[1]!])
        expect(text, path).not.toContain(opening)
    }
  }) // oxfmt-ignore
})

describe('a deploy token', () => {
  test.each<[string, string, object]>([
    ['a command of its own', 'build', { buildCmd: 'env | rev' }],
    ['an empty command', 'build', { buildCmd: '' }],
    ['a command under another case', 'build', { BuildCmd: 'env', buildCmd: 'env' }],
    ['a command as a list', 'build', { buildCmd: ['env'] }],
    ['the end of the container', 'container/remove', {}]
  ])('does not run %s', async (_, path, body) => {
    const before = await commands()
    expect((await ask('deploy', 'POST', `/projects/${site.id}/${path}`, body)).status).toBeGreaterThanOrEqual(400)
    expect(await commands()).toBe(before)
    expect(await panel.visit(site.hostname)).toMatchObject({ status: 200 })
  })

  test.each([
    ['that stands twice', '{"buildCmd":null,"buildCmd":"env"}'],
    ['of the prototype', '{"__proto__":{"buildCmd":"env"}}'],
    ['of the constructor', '{"constructor":{"prototype":{"buildCmd":"env"}}}'],
    ['by its escape', String.raw`{"\u0062uildCmd":"env"}`]
  ])('cannot run code with the variable %s', async (_, text) => {
    const head = [bearer('deploy'), 'Content-Type: application/json', `Content-Length: ${text.length}`]
    for (const route of ['build', 'deploy'])
      await sendRaw(requestText('POST', `/api/projects/${site.id}/${route}`, head) + text, { port: apiPort() })
    expect(
      await panel.query('select build_cmd from deployments where build_cmd is not null and project_id = $1', [site.id])
    ).toEqual([])
  })

  test('cannot change what a build runs or its source', async () => {
    const tries: [string, string, object][] = [
      ['PUT', `/projects/${site.id}`, { buildCmd: 'env', startCmd: 'env' }],
      ['POST', `/projects/${site.id}/git/connect`, { gitUrl: world.git.url('acme/other'), branch: 'main' }],
      ['POST', `/projects/${site.id}/env`, { key: 'NODE_OPTIONS', value: '--inspect' }],
      ['POST', `/files/${site.id}/write`, { path: 'a', content: 'b' }],
      ['POST', '/projects', { name: 'mine', type: 'NODEJS' }],
      ['POST', '/sftp/provision', {}]
    ]
    for (const [method, path, body] of tries)
      expect(await ask('deploy', method, path, body), path).toMatchObject({ status: 403 })
  })
})

describe('a full token of an administrator', () => {
  const account = (role: string) => ({ name: role, email: `${role}${randomBytes(3).toString('hex')}@example.com`, password, confirmPassword: password, role }) // oxfmt-ignore

  test('cannot create access that outlives it', async () => {
    const someone = await panel.signUp()
    const { id } = await someone.call<{ id: string }>('GET', '/auth/me')
    const accounts = () => panel.query<{ role: string; email: string }>('select role, email from users order by id')
    const before = await accounts()
    const tries: [string, string, object?][] = [
      ['POST', '/users', account('ADMIN')],
      ['POST', '/users', account('RESELLER')],
      ['PATCH', `/users/${id}/role`, { role: 'ADMIN' }],
      ['PATCH', `/users/${id}/role`, { role: 'RESELLER' }],
      ['PATCH', `/users/${ownId}`, { email: 'thief@example.com' }],
      ['PATCH', `/users/${id}`, { email: 'thief@example.com' }],
      ['POST', `/users/${ownId}/2fa/reset`, {}],
      ['DELETE', `/users/${ownId}/sessions`],
      ['POST', '/auth/tokens', { name: 'more', scope: 'full', password }],
      ['POST', '/auth/confirm', { password }],
      ['POST', '/auth/change-password', { currentPassword: password, newPassword: 'another one', confirmNewPassword: 'another one' }],
      ['POST', '/auth/2fa/setup', {}],
      ['DELETE', `/auth/tokens/${tokenIds.read}`]
    ]
    for (const [method, path, body] of tries)
      expect((await ask('full', method, path, body)).status, `${method} ${path}`).toBe(403)
    expect(await accounts()).toEqual(before)
    expect(await owner.call('GET', '/auth/me')).toMatchObject({ email: `${ownerName}@example.com` })
  }) // oxfmt-ignore

  test('is not a session, wherever it is sent', async () => {
    for (const headers of [
      [`Cookie: panel_session=${tokens.full}`],
      [`Cookie: __Host-panel_session=${tokens.full}`],
      [`Authorization: Basic ${Buffer.from(`${ownerName}@example.com:${tokens.full}`).toString('base64')}`],
      [`Authorization: ${tokens.full}`],
      [`X-Api-Key: ${tokens.full}`],
      [bearer('full').replace(/.$/, 'x'), `Cookie: ${owner.cookie}`]
    ])
      expect(statusesIn(await raw('GET', '/api/auth/me', headers)), headers[0]).toEqual([401])
    expect(statusesIn(await raw('GET', `/api/auth/me?token=${tokens.full}&access_token=${tokens.full}`, []))).toEqual([401])
    const twice = await raw('GET', '/api/auth/me', [bearer('read'), bearer('full')])
    expect(statusesIn(twice)).not.toEqual([500])
  }) // oxfmt-ignore

  test('two tokens in one request do not add up', async () => {
    for (const headers of [
      [bearer('read'), bearer('full')],
      [bearer('read'), `Cookie: ${owner.cookie}`],
      [`Authorization: Bearer ${tokens.read}, Bearer ${tokens.full}`]
    ])
      expect(await raw('GET', `/api/projects/${site.id}/env/API_KEY/reveal`, headers)).not.toContain(secret)
  })

  test('ends when revoked or when the password changes', async () => {
    await owner.call('DELETE', `/auth/tokens/${tokenIds.deploy}`)
    expect((await ask('deploy', 'GET', '/projects')).status).toBe(401)
    const body = { currentPassword: password, newPassword: `${password}!`, confirmNewPassword: `${password}!` }
    await owner.call('POST', '/auth/change-password', body)
    for (const scope of ['read', 'full'] as const) expect((await ask(scope, 'GET', '/projects')).status).toBe(401)
  })
})

import { spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Client, createClient, createCookieJar, isApiError, unwrap } from '@panel/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { GitHttpServer } from '../support/git-server.ts'
import type { RunningPanel } from '../support/panel.ts'
import { sharedWorld } from '../support/shared-world.ts'
import { nodeSite } from '../support/sites.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

let git: GitHttpServer
let panel: RunningPanel
let home: string
let session: Client
let token: string

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'panel-cli-'))
  ;({ git, panel } = await sharedWorld())
  await panel.signUp('ann')
  session = createClient({ baseUrl: panel.url, cookies: createCookieJar() })
})
afterAll(async () => {
  await rm(home, { recursive: true, force: true })
})

interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

interface Options {
  input?: string
  env?: Record<string, string>
  cwd?: string
  program?: string
  until?: string
  onOutput?: () => void
}

function cli(
  args: string[],
  { input = '', env = {}, cwd = home, program, until, onOutput }: Options = {}
): Promise<Ended> {
  const [file, ...before] = program === undefined ? [join(root, 'panel'), 'cli'] : [process.execPath, program]
  const child = spawn(file!, [...before, ...args], {
    cwd,
    env: { PATH: process.env.PATH, PANEL_NODE: process.execPath, HOME: home, ...env }
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (stdout === '') onOutput?.()
    stdout += text
    if (until !== undefined && stdout.includes(until)) child.kill('SIGINT')
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  // The program may exit before it reads its input.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })))
}

describe('the typed client', () => {
  test('signs in with a session and a token, and exposes error codes', async () => {
    const body = { email: 'ann@example.com', password: 'correct horse battery' }
    await expect(unwrap(session.GET('/api/auth/me'))).rejects.toMatchObject({ status: 401, code: 'UNAUTHENTICATED' })
    await unwrap(session.POST('/api/auth/login', { body }))
    expect(await unwrap(session.GET('/api/auth/me'))).toMatchObject({ email: body.email })

    const project = { name: 'shop', type: 'NODEJS' } as const
    expect(await unwrap(session.POST('/api/projects', { body: project }))).toMatchObject(project)
    const again = await session.POST('/api/projects', { body: project })
    expect(again.error?.code).toBe('PROJECT_NAME_EXISTS')
    const refused: unknown = await unwrap(session.POST('/api/projects', { body: project })).catch(
      (error: unknown) => error
    )
    expect(isApiError(refused, 'PROJECT_NAME_EXISTS')).toBe(true)
    expect(isApiError(refused, 'QUOTA_EXCEEDED')).toBe(false)
    const invalid = unwrap(session.POST('/api/projects', { body: { ...project, name: 'No Name' } }))
    await expect(invalid).rejects.toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path: 'name' }] })

    const made = await unwrap(
      session.POST('/api/auth/tokens', {
        body: { name: 'cli', scope: 'full', expiresInDays: 1, password: body.password }
      })
    )
    token = made.token
    const bearer = createClient({ baseUrl: panel.url, token })
    expect(await unwrap(bearer.GET('/api/auth/me'))).toMatchObject({ email: body.email })
  })
})

describe('the command', () => {
  const kept = () => join(home, '.config/panel-cli/credentials.json')

  test('stores the token for its user only', async () => {
    expect(await cli(['whoami'])).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('login --url') })
    const wrong = await cli(['login', '--url', panel.url], { input: 'panel_wrong\n' })
    expect(wrong).toMatchObject({ code: 3, stdout: '' })
    await expect(stat(kept())).rejects.toThrow('ENOENT')

    const right = await cli(['login', '--url', `${panel.url}/`], { input: `${token}\n` })
    expect(right).toMatchObject({ code: 0, stdout: `Signed in to ${panel.url} as ann@example.com\n` })
    expect(right.stdout + right.stderr).not.toContain(token)
    expect((await stat(kept())).mode & 0o777).toBe(0o600)
    expect((await stat(dirname(kept()))).mode & 0o777).toBe(0o700)
    expect(JSON.parse(await readFile(kept(), 'utf8'))).toEqual({ url: panel.url, token })

    expect(await cli(['whoami'])).toMatchObject({ code: 0, stdout: expect.stringMatching(/email +ann@example\.com/) })
    expect(JSON.parse((await cli(['whoami', '--json'])).stdout)).toMatchObject({ email: 'ann@example.com' })
  })

  test('explains errors and exits with a matching code', async () => {
    expect(await cli(['nothing'])).toMatchObject({ code: 2, stderr: expect.stringContaining('--help') })
    expect(await cli(['deploy'])).toMatchObject({ code: 2, stderr: expect.stringContaining('deploy [project]') })
    expect(await cli(['projects', '--wide'])).toMatchObject({ code: 2 })
    expect(await cli(['deploy', 'missing'])).toMatchObject({ code: 1, stderr: expect.stringContaining('not found') })
    const plain = await cli(['login', '--url', 'http://panel.example.com'], { input: token })
    expect(plain).toMatchObject({ code: 2, stderr: expect.stringMatching(/Use https/) })
    const unavailable = { PANEL_URL: 'http://127.0.0.1:1', PANEL_TOKEN: 'panel_x' }
    expect(await cli(['whoami'], { env: unavailable })).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('Could not reach')
    })
  })

  test('deploys, shows logs and sets variables without secrets in its arguments', async () => {
    await git.createRepository('acme/shop', nodeSite('from the shell'))
    const { projects } = await unwrap(session.GET('/api/projects'))
    const path = { id: projects[0]!.id }
    const connection = { gitUrl: git.url('acme/shop'), branch: 'main', isPrivate: false }
    await unwrap(session.POST('/api/projects/{id}/git/connect', { params: { path }, body: connection }))

    expect(await cli(['env', 'set', 'shop', 'GREETING=hello'])).toMatchObject({ code: 2 })
    expect(await cli(['env', 'set', 'shop', 'GREETING'], { input: 'hello there\n' })).toMatchObject({ code: 0 })
    expect(await cli(['env', 'import', 'shop'], { input: 'A=1\nB="two words"\n' })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Set 2 variables')
    })
    const partly = await cli(['env', 'import', 'shop'], { input: 'A=2\nno variable\n' })
    expect(partly).toMatchObject({ code: 0, stdout: expect.stringContaining('Set 0 variables') })
    expect(partly.stderr).toMatch(/Skipped line 2: .*\n.*--overwrite/)
    expect(await cli(['env', 'unset', 'shop', 'A'])).toMatchObject({ code: 0 })
    const list = await cli(['env', 'list', 'shop'])
    expect(list.stdout).toMatch(/^NAME +SENSITIVE .*CHANGED\nB .*\nGREETING /m)
    expect(list.stdout).not.toContain('hello')

    const deployed = await cli(['deploy', 'shop', '--wait'])
    expect(deployed).toMatchObject({ code: 0, stdout: expect.stringContaining('RUNNING at shop.apps.localhost') })
    expect(deployed.stderr).toContain('Serving at shop.apps.localhost')
    const env = JSON.parse((await panel.visit('shop.apps.localhost', '/env')).body) as Record<string, string>
    expect(env).toMatchObject({ GREETING: 'hello there', B: 'two words' })
    expect(env.A).toBeUndefined()
    expect(await cli(['projects'])).toMatchObject({ stdout: expect.stringMatching(/^shop +NODEJS +ACTIVE +running/m) })

    expect(await cli(['logs', 'shop', '--tail', '5'])).toMatchObject({
      stdout: expect.stringContaining('listening on')
    })
    let visited: Promise<unknown> | undefined
    const followed = await cli(['logs', 'shop', '-f', '--tail', '1'], {
      until: 'last words',
      onOutput: () => (visited = panel.visit('shop.apps.localhost', '/exit'))
    })
    await visited
    expect(followed).toMatchObject({ code: 130, stdout: expect.stringContaining('last words'), stderr: '' })

    await unwrap(session.PUT('/api/projects/{id}', { params: { path }, body: { buildCmd: 'exit 7' } }))
    const failed = await cli(['deploy', 'shop', '--wait', '--json'])
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('The deployment is FAILED') })
    expect(JSON.parse(failed.stdout)).toMatchObject({ status: 'FAILED' })
  })

  test('adds domains, shows their verification records and lists databases', async () => {
    const added = await cli(['domains', 'add', 'shop.example.com', '--project', 'shop'])
    expect(added).toMatchObject({ code: 0 })
    expect(added.stdout).toMatch(/^TXT +_panel-challenge\.shop\.example\.com +panel-verification=/m)
    expect(await cli(['domains', 'list'])).toMatchObject({
      stdout: expect.stringMatching(/^shop\.example\.com +PENDING.* shop$/m)
    })
    expect(await cli(['domains', 'verify', 'shop.example.com'])).toMatchObject({ code: 1, stdout: '' })
    expect(await cli(['domains', 'add', 'shop.example.com'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/\(\w+\)$/m)
    })

    await unwrap(
      session.POST('/api/databases', { body: { name: 'shop_data', type: 'POSTGRESQL', autoInjectEnv: false } })
    )
    expect(await cli(['databases'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^shop_data +POSTGRESQL/m)
    })
  })

  test('creates a project in a linked folder, deploys, edits variables and rolls back', async () => {
    await git.createRepository('acme/blog', nodeSite('first'))
    const folder = join(home, 'blog/src')
    await mkdir(folder, { recursive: true })
    const here = { cwd: join(home, 'blog') }
    const created = await cli(['create', 'blog', '--repo', git.url('acme/blog')], here)
    expect(created).toMatchObject({
      code: 0,
      stdout: 'Created blog (NODEJS)\n',
      stderr: expect.stringMatching(/deploy/)
    })
    const link = JSON.parse(await readFile(join(here.cwd, '.panel/project.json'), 'utf8')) as object
    expect(link).toEqual({ url: panel.url, projectId: expect.any(String), name: 'blog' })

    expect(await cli(['deploy'], { cwd: folder })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('RUNNING')
    })
    await writeFile(join(here.cwd, '.env'), 'GREETING=pushed\nOLD=1\n')
    expect(await cli(['env', 'push'], here)).toMatchObject({ code: 0, stdout: expect.stringContaining('Set 2') })
    expect(await cli(['env', 'pull'], here)).toMatchObject({ code: 2, stderr: expect.stringContaining('--force') })
    expect(await cli(['env', 'pull', '--file', 'pulled'], here)).toMatchObject({ code: 0 })
    expect((await stat(join(here.cwd, 'pulled'))).mode & 0o777).toBe(0o600)
    expect(await readFile(join(here.cwd, 'pulled'), 'utf8')).toContain('GREETING=')
    const editor = { ...here, env: { EDITOR: `sed -i -e /OLD/d -e s/pushed/edited/` } }
    expect(await cli(['env', 'edit'], editor)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Removed OLD')
    })
    expect((await cli(['env', 'export'], here)).stdout).toMatch(/edited/)
    expect((await cli(['env', 'list'], here)).stdout).not.toContain('OLD')

    expect(await cli(['deploy'], here)).toMatchObject({ code: 0 })
    expect(await cli(['releases'], here)).toMatchObject({ stdout: expect.stringMatching(/^\* .*RUNNING/m) })
    const back = await cli(['rollback', '--json'], here)
    expect(JSON.parse(back.stdout)).toMatchObject({ trigger: 'ROLLBACK', status: 'RUNNING' })
    expect(await cli(['restart'], here)).toMatchObject({ code: 0 })
    expect(await cli(['status'], here)).toMatchObject({ stdout: expect.stringMatching(/^domain +blog\.apps/m) })
    expect(await cli(['logs', '--search', 'listening'], here)).toMatchObject({
      stdout: expect.stringContaining('listening on')
    })
    expect((await cli(['logs', '--search', 'nothing like this'], here)).stdout).toBe('')
    expect(await cli(['open', '--json'], here)).toMatchObject({
      stdout: expect.stringContaining('blog.apps.localhost')
    })

    await writeFile(join(here.cwd, 'note.txt'), 'hello')
    expect(await cli(['files', 'put', 'note.txt', '--to', 'notes'], here)).toMatchObject({ code: 0 })
    expect(await cli(['files', 'list', 'notes'], here)).toMatchObject({ stdout: expect.stringContaining('note.txt') })
    expect(await cli(['files', 'get', 'notes/note.txt'], here)).toMatchObject({ code: 0, stdout: 'hello' })
  })

  test.each([
    ['postgresql', 'cli_pg', ['blog']],
    ['mysql', 'cli_my', ['--no-project']]
  ])('creates, dumps and loads a %s database', async (type, name, where) => {
    expect(await cli(['db', 'create', ...where, name, '--type', type])).toMatchObject({ code: 0 })
    const url = new URL((await cli(['db', 'url', name])).stdout.trim())
    expect(url.pathname).toBe(`/${name}`)
    expect(
      await cli(['db', 'load', name], { input: 'CREATE TABLE notes (id int); INSERT INTO notes VALUES (42);' })
    ).toMatchObject({
      code: 0
    })
    const dump = await cli(['db', 'dump', name])
    expect(dump).toMatchObject({ code: 0, stdout: expect.stringContaining('42') })
    expect(await cli(['db', 'load', name], { input: 'SELECT nonsense;' })).toMatchObject({ code: 1 })
    const asked = await cli(['db', 'shell', name], { input: 'SELECT id FROM notes;\n' })
    expect(asked).toMatchObject({ code: 0, stdout: expect.stringContaining('42') })
  })

  test('saves no credentials that a registry did not accept', async () => {
    const refused = await cli(['registries', 'add', '127.0.0.1:1', 'ann'], { input: 'a-registry-token\n' })
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('REGISTRY_UNREACHABLE') })
    expect(refused.stderr).not.toContain('a-registry-token')
    const listed = await cli(['registries', 'list', '--json'])
    expect([listed.code, JSON.parse(listed.stdout)]).toEqual([0, []])
    expect(await cli(['registries', 'remove', '127.0.0.1:1'])).toMatchObject({ code: 1, stdout: '' })
  })

  test('sends any request, and says why it lists no records', async () => {
    expect(JSON.parse((await cli(['api', 'GET', '/api/projects?limit=1'])).stdout)).toMatchObject({ projects: [{}] })
    expect(await cli(['api', 'GET', '/api/projects/missing'])).toMatchObject({ code: 1, stdout: '' })
    expect(await cli(['api', 'GET', '/other'])).toMatchObject({ code: 2 })
    const update = { input: JSON.stringify({ buildCmd: 'true' }) }
    const { projects } = await unwrap(session.GET('/api/projects'))
    const path = `/api/projects/${projects[0]!.id}`
    expect(await cli(['api', 'PUT', path, '--input', '-'], update)).toMatchObject({ code: 0 })
    expect(await cli(['dns', 'list', 'shop.example.com'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('DNS_NOT_MANAGED')
    })
    expect(await cli(['mail', 'create', 'nobody'], { input: 'x' })).toMatchObject({ code: 2 })
    expect(await cli(['complete', 'bash'])).toMatchObject({ stdout: expect.stringContaining('complete -F') })
  })

  test('runs without a panel on the machine', async () => {
    const alone = join(home, 'alone')
    for (const name of ['client', 'cli'])
      for (const part of ['package.json', 'dist'])
        await cp(join(root, 'packages', name, part), join(alone, 'node_modules/@panel', name, part), {
          recursive: true
        })
    const libraries = [
      ...['openapi-fetch', 'openapi-typescript-helpers', 'commander', '@bomb.sh/tab', 'ws', 'ignore'],
      ...['tar-stream', 'streamx', 'b4a', 'fast-fifo', 'events-universal', 'text-decoder']
    ]
    for (const name of libraries)
      await cp(join(root, 'node_modules', name), join(alone, 'node_modules', name), { recursive: true })
    await mkdir(join(home, 'xdg'))
    const own = {
      program: join(alone, 'node_modules/@panel/cli/dist/main.js'),
      env: { XDG_CONFIG_HOME: join(home, 'xdg') }
    }
    expect(await cli(['login', '--url', panel.url], { ...own, input: token })).toMatchObject({ code: 0 })
    expect(await cli(['projects'], own)).toMatchObject({ code: 0, stdout: expect.stringContaining('shop') })
    expect(await cli(['logout'], own)).toMatchObject({ code: 0 })
    expect(await cli(['projects'], own)).toMatchObject({ code: 3 })
  })
})

import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { credentialsPath, forgetCredentials, keepCredentials, panelUrl, readCredentials } from './credentials.ts'

const directories: string[] = []
afterEach(() => Promise.all(directories.splice(0).map((path) => rm(path, { recursive: true }))))

async function home(): Promise<{ HOME: string }> {
  const directory = await mkdtemp(join(tmpdir(), 'panel-credentials-'))
  directories.push(directory)
  return { HOME: directory }
}

test('credentials are private, replaced atomically and deleted on logout', async () => {
  const env = await home()
  await keepCredentials(env, { url: 'https://one.example.com', token: 'first' })
  const path = await keepCredentials(env, { url: 'https://two.example.com', token: 'second' })
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(await readdir(join(path, '..'))).toEqual(['credentials.json'])
  expect(await readCredentials(env)).toEqual({ url: 'https://two.example.com', token: 'second' })
  expect(await readFile(path, 'utf8')).not.toContain('first')
  await forgetCredentials(env)
  await expect(readCredentials(env)).rejects.toMatchObject({ exitCode: 3 })
})

test('the environment overrides the file, and a relative XDG_CONFIG_HOME is ignored', async () => {
  const env = await home()
  await keepCredentials(env, { url: 'https://one.example.com', token: 'kept' })
  const given = { ...env, PANEL_URL: 'https://ci.example.com', PANEL_TOKEN: 'given' }
  expect(await readCredentials(given)).toEqual({ url: 'https://ci.example.com', token: 'given' })
  expect(credentialsPath({ ...env, XDG_CONFIG_HOME: 'relative' })).toBe(credentialsPath(env))
  expect(credentialsPath({ ...env, XDG_CONFIG_HOME: '/etc/xdg' })).toBe('/etc/xdg/panel-cli/credentials.json')
})

test.each([
  ['https://panel.example.com/login?x=1', 'https://panel.example.com'],
  ['http://localhost:3000', 'http://localhost:3000'],
  ['http://127.0.0.1:3000/', 'http://127.0.0.1:3000'],
  ['http://[::1]:3000', 'http://[::1]:3000']
])('%s resolves to the origin %s', (given, url) => {
  expect(panelUrl(given, {})).toBe(url)
})

test.each([
  'http://panel.example.com',
  'http://127.0.0.1.example.com',
  'ftp://x',
  'panel.example.com',
  'https://a:b@x.example.com'
])('%s is refused, because it would expose the token or is not a URL', (given) => {
  expect(() => panelUrl(given, {})).toThrow()
})

test('plain http on request', () => {
  expect(panelUrl('http://10.0.0.1:3000', { PANEL_ALLOW_HTTP: '1' })).toBe('http://10.0.0.1:3000')
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { addVerifiedDomain } from '../../packages/server/test/support/domains.ts'
import type { Git } from '../../packages/server/src/infra/git/git.ts'
import { createMemoryGit } from '../../packages/server/test/fakes/memory-git.ts'
import type { Client } from '../../packages/server/test/support/panel.ts'
import { accessibilityProblems } from '../support/chromium.ts'
import { type Pages, startPages } from '../support/pages.ts'

const manifest = JSON.stringify({ scripts: { build: 'vite build', start: 'node server.js' } })
const git: Git = {
  ...createMemoryGit(),
  listFiles: async () => [{ path: 'package.json', kind: 'file', sizeBytes: manifest.length }],
  readFile: async (_directory, _hash, path) => (path === 'package.json' ? manifest : undefined)
}

let pages: Pages
let ann: Client
beforeAll(async () => {
  pages = await startPages({}, { git })
  ann = await pages.panel.signUp('ann')
})
afterAll(() => pages?.close())

const auditOf = async (id: string) => (await pages.panel.audited({ targetId: id })).map(({ action }) => action)

test('the webhook secret is shown on request only, and viewing a project is not audited', async () => {
  const { id } = await ann.createProject({ name: 'shop' })
  const connected = await ann.request('POST', `/api/projects/${id}/git/connect`, {
    gitUrl: 'https://github.com/owner/shop'
  })
  const { webhookSecret: secret } = connected.json<{ webhookSecret: string }>()
  const { page, complaints } = await pages.open(ann)
  await page.goto(`/projects/${id}/settings`)
  await page.getByRole('button', { name: 'Show secret' }).waitFor()
  for (const name of ['shop-one', 'shop-two', 'shop-three']) {
    await ann.request('PUT', `/api/projects/${id}`, { name })
    await page.getByRole('heading', { name, level: 1 }).waitFor()
  }
  expect(await page.content()).not.toContain(secret)
  expect(await auditOf(id)).not.toContain('git.webhook_secret_shown')
  await page.getByRole('button', { name: 'Show secret' }).click()
  await page.getByText(secret, { exact: true }).waitFor()
  expect((await auditOf(id)).filter((action) => action === 'git.webhook_secret_shown')).toHaveLength(1)
  await page.getByRole('button', { name: 'Generate new secret' }).click()
  await page.getByText('Enter the new secret at your Git host').waitFor()
  await expect.poll(() => page.getByText(secret, { exact: true }).count()).toBe(0)
  const { webhookSecret: next } = (await ann.request('GET', `/api/projects/${id}/git`)).json<{
    webhookSecret: string
  }>()
  await page.getByText(next, { exact: true }).waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Show secret' }).waitFor()
  expect(await page.content()).not.toContain(next)
  expect(await accessibilityProblems(page)).toEqual([])
  expect(complaints).toEqual([])
})

const projectOf = async (id: string) => (await ann.request('GET', `/api/projects/${id}?secrets=false`)).json()

test('a Dockerfile has a context, a target and build arguments', async () => {
  const { id } = await ann.createProject({ name: 'boxed', type: 'DOCKERFILE', buildArgs: { A: '1', B: '2' } })
  const { page, complaints } = await pages.open(ann)
  await page.goto(`/projects/${id}/settings`)
  const form = page.getByRole('form', { name: 'Build and runtime' })
  await form.getByLabel('Build context').fill('.')
  await form.getByLabel('Build target').fill('web')
  expect(await form.getByLabel('Build arguments').inputValue()).toBe('A=1\nB=2')
  await form.getByLabel('Build arguments').fill('A B=1')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => form.getByLabel('Build arguments').getAttribute('aria-invalid')).toBe('true')
  await form.getByLabel('Build arguments').fill('A=3')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect
    .poll(() => projectOf(id))
    .toMatchObject({ dockerContext: '.', dockerTarget: 'web', buildArgs: { A: '3' } })
  expect(await accessibilityProblems(page)).toEqual([])
  expect(complaints).toEqual([])
})

test('build and runtime settings are changed, and the port can be automatic again', async () => {
  const { id } = await ann.createProject({ name: 'built', port: 8080, buildCmd: 'npm run build' })
  const { page, complaints } = await pages.open(ann)
  await page.goto(`/projects/${id}/settings`)
  const form = page.getByRole('form', { name: 'Build and runtime' })
  await form.getByLabel('Start command').fill('node server.js')
  await form.getByLabel('Build command').fill('')
  await form.getByLabel('Port').fill('')
  await form.getByLabel('Read-only root filesystem').check()
  await form.getByLabel('Release command').fill('npm run migrate')
  await form.getByLabel('Output directory').fill('dist')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect
    .poll(() => projectOf(id))
    .toMatchObject({
      startCmd: 'node server.js',
      buildCmd: null,
      port: null,
      readOnlyRoot: true,
      releaseCmd: 'npm run migrate',
      outputDirectory: 'dist'
    })
  await form.getByLabel('Port').fill('70000')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => form.getByLabel('Port').getAttribute('aria-invalid')).toBe('true')
  await form.getByLabel('Port').fill('3000')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => projectOf(id)).toMatchObject({ port: 3000, startCmd: 'node server.js' })
  expect(complaints).toEqual([])
})

test('empty settings show what was detected', async () => {
  const { id } = await ann.createProject({ name: 'detected' })
  await ann.request('POST', `/api/projects/${id}/git/connect`, { gitUrl: 'https://github.com/owner/detected' })
  const { page, complaints } = await pages.open(ann)
  await page.goto(`/projects/${id}/settings`)
  const form = page.getByRole('form', { name: 'Build and runtime' })
  const placeholder = (label: string) => form.getByLabel(label).getAttribute('placeholder')
  await expect.poll(() => placeholder('Build command')).toBe('npm run build (auto-detected)')
  expect(await placeholder('Start command')).toBe('node server.js (auto-detected)')
  expect(await placeholder('Port')).toBe('3000 (auto-detected)')
  expect(await accessibilityProblems(page)).toEqual([])
  await form.getByLabel('Start command').fill('node other.js')
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved').first().waitFor()
  await page.getByRole('link', { name: 'Overview' }).last().click()
  const details = page.getByRole('region', { name: 'Details' })
  await details.getByText('npm run build (auto-detected)').waitFor()
  await details.getByText('node other.js', { exact: true }).waitFor()
  await page.goto(`/projects/${id}/settings`)
  await form.getByLabel('Start command').fill('')
  expect(await placeholder('Start command')).toBe('Auto-detected')
  expect(complaints).toEqual([])
})

test('a repository is connected, changed and disconnected', async () => {
  const { id } = await ann.createProject()
  const { page, complaints } = await pages.open(ann, { width: 360, height: 740 })
  await page.goto(`/projects/${id}`)
  await page.getByRole('link', { name: 'Connect a repository' }).click()
  const form = page.getByRole('form', { name: 'Repository' })
  expect(await page.getByRole('button', { name: 'Show secret' }).count()).toBe(0)
  await form.getByLabel('Repository URL').fill('https://elsewhere.example.net/acme/shop')
  await form.getByRole('button', { name: 'Connect' }).click()
  await expect.poll(() => form.getByLabel('Repository URL').getAttribute('aria-invalid')).toBe('true')
  await form.getByLabel('Repository URL').fill('git@github.com:acme/shop.git')
  await form.getByRole('button', { name: 'Connect' }).click()
  await form.getByText('requires a deploy key').waitFor()
  expect(await projectOf(id)).toMatchObject({ gitUrl: null })
  await page.getByRole('button', { name: 'Create deploy key' }).click()
  await page.getByText('ssh-ed25519').waitFor()
  await form.getByLabel('Branch').fill('production')
  await form.getByRole('button', { name: 'Connect' }).click()
  await page.getByText('Branch production connected').waitFor()
  expect(await projectOf(id)).toMatchObject({ gitUrl: 'git@github.com:acme/shop.git', branch: 'production' })
  await page.getByRole('button', { name: 'Show secret' }).waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
  expect(await accessibilityProblems(page)).toEqual([])
  await form.getByRole('button', { name: 'Disconnect' }).click()
  await expect.poll(() => projectOf(id)).toMatchObject({ gitUrl: null })
  await form.getByRole('button', { name: 'Connect' }).waitFor()
  expect(complaints).toEqual([])
})

test('deleting a project and a domain requires their names', async () => {
  const { id, name } = await ann.createProject({ name: 'goner' })
  const { id: domainId, hostname } = await addVerifiedDomain(ann, 'goner.example.com', { projectId: id })
  const { page, complaints } = await pages.open(ann)
  for (const [path, button, typed, list] of [
    [`/projects/${id}/settings`, 'Delete project', name, '/projects'],
    [`/domains/${domainId}`, 'Remove domain', hostname, '/domains']
  ] as const) {
    await page.goto(path)
    await page.getByRole('button', { name: button }).click()
    const dialog = page.getByRole('dialog')
    const sure = dialog.getByRole('button', { name: button })
    await dialog.getByRole('textbox').fill(typed.slice(0, -1))
    expect(await sure.isDisabled()).toBe(true)
    expect(await accessibilityProblems(page)).toEqual([])
    await dialog.getByRole('textbox').fill(typed)
    await sure.click()
    await page.waitForURL(`**${list}`)
    expect((await ann.request('GET', `/api${path.replace('/settings', '')}`)).statusCode).toBe(404)
  }
  expect(complaints).toEqual([])
})

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { AdapterError } from '../../packages/server/src/infra/adapter-error.ts'
import type { Git } from '../../packages/server/src/infra/git/git.ts'
import { createMemoryGit } from '../../packages/server/test/fakes/memory-git.ts'
import type { Client } from '../../packages/server/test/support/panel.ts'
import { accessibilityProblems } from '../support/chromium.ts'
import { type Pages, startPages } from '../support/pages.ts'

const memory = createMemoryGit()
const next = JSON.stringify({ scripts: { build: 'next build', start: 'next start' }, dependencies: { next: '1' } })
const filesOf: Record<string, Record<string, string>> = {
  main: { 'package.json': next },
  mono: {
    'turbo.json': '{}',
    'package.json': '{}',
    'apps/web/package.json': next,
    'apps/api/Dockerfile': 'FROM node:24'
  },
  site: { 'index.html': '<img src=x onerror=alert(1)>' }
}
let branch = 'main'
let isKeyAdded = false
const git: Git = {
  ...memory,
  async listBranches(directory, remote, options) {
    if (remote.url.startsWith('ssh:') && !isKeyAdded)
      throw new AdapterError('repository-private', [{ code: 'GIT_KEY_REFUSED' }])
    if (!isKeyAdded) await memory.listBranches(directory, remote, options)
    return { names: Object.keys(filesOf), head: 'main' }
  },
  async fetchBranch(directory, remote, wanted, options) {
    branch = wanted
    return memory.fetchBranch(directory, remote, wanted, options)
  },
  listFiles: async () => Object.keys(filesOf[branch]!).map((path) => ({ path, kind: 'file', sizeBytes: 1 })),
  readFile: async (_directory, _hash, path) => filesOf[branch]![path]
}

let pages: Pages
let ann: Client
beforeAll(async () => {
  pages = await startPages({ GIT_EXTRA_HOSTS: 'git.example.invalid' }, { git })
})
afterAll(() => pages?.close())
beforeEach(async () => {
  isKeyAdded = false
  ann = await pages.panel.signUp(`ann${++count}`)
})
let count = 0

const projectsOf = async (client: Client) =>
  (await client.request('GET', '/api/projects')).json<{
    projects: { id: string; name: string; type: string; branch: string; gitUrl: string }[]
  }>().projects

test('a repository is inspected, a branch chosen and the project deployed', async () => {
  const { page, complaints } = await pages.open(ann)
  await page.goto('/projects/new')
  await page.getByLabel('Repository URL').fill('https://github.com/acme/Shop.git')
  await page.getByRole('button', { name: 'Inspect repository' }).click()
  await page.getByText('Next.js', { exact: true }).waitFor()
  await page.getByText('next start', { exact: true }).waitFor()
  expect(await page.getByLabel('Branch').inputValue()).toBe('main')
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByLabel('Name').fill('my-shop')
  await page.getByLabel('Branch').selectOption('site')
  await expect.poll(() => page.getByLabel('Type').inputValue()).toBe('STATIC')
  expect(await page.getByLabel('Name').inputValue()).toBe('my-shop')
  expect(new URL(page.url()).searchParams.get('branch')).toBe('site')
  await page.getByRole('button', { name: 'Deploy' }).click()
  await page.waitForURL('**/deployments?d=*')
  expect(await projectsOf(ann)).toMatchObject([
    { name: 'my-shop', type: 'STATIC', branch: 'site', gitUrl: 'https://github.com/acme/Shop.git' }
  ])
  expect(complaints).toEqual([])
})

test('an app of a monorepo is chosen by the address of its folder, and another from the list', async () => {
  const { page, complaints } = await pages.open(ann)
  await page.goto('/projects/new')
  await page.getByLabel('Repository URL').fill('https://github.com/acme/shop/tree/mono/apps/web')
  await page.getByRole('button', { name: 'Inspect repository' }).click()
  const root = page.getByLabel('Root directory')
  const chosen = () => root.locator('option:checked').textContent()
  await expect.poll(chosen).toBe('apps/web (Node.js)')
  expect(await page.getByLabel('Branch').inputValue()).toBe('mono')
  expect(await page.getByLabel('Name').inputValue()).toBe('shop-web')
  expect(await accessibilityProblems(page)).toEqual([])
  await root.selectOption({ label: 'apps/api/Dockerfile (Dockerfile)' })
  await expect.poll(() => page.getByLabel('Type').inputValue()).toBe('DOCKERFILE')
  await root.selectOption({ label: 'apps/web (Node.js)' })
  await expect.poll(() => page.getByLabel('Type').inputValue()).toBe('NODEJS')
  await page.getByRole('button', { name: 'Deploy' }).click()
  await page.waitForURL('**/deployments?d=*')
  expect(await projectsOf(ann)).toMatchObject([
    { name: 'shop-web', branch: 'mono', gitUrl: 'https://github.com/acme/shop', rootDirectory: 'apps/web' }
  ])
  expect(complaints).toEqual([])
})

test('taken names, invalid addresses and unreachable servers are reported in place', async () => {
  await ann.createProject({ name: 'shop' })
  const { page } = await pages.open(ann)
  await page.goto('/projects/new')
  for (const [url, sentence] of [
    ['https://127.0.0.1/a/b', /must use one of/],
    ['https://git.example.invalid/a/b', /cannot be reached/]
  ] as const) {
    await page.getByLabel('Repository URL').fill(url)
    await page.getByRole('button', { name: 'Inspect repository' }).click()
    await page.getByText(sentence).waitFor()
    expect(await page.getByLabel('Repository URL').inputValue()).toBe(url)
  }
  await page.getByLabel('Repository URL').fill('https://github.com/acme/shop')
  await page.getByRole('button', { name: 'Inspect repository' }).click()
  await page.getByRole('button', { name: 'Deploy' }).click()
  await page.getByText('You already have a project with that name').waitFor()
  expect(await projectsOf(ann)).toHaveLength(1)
})

test('a repository from a link is contacted only after confirmation, also after a reload', async () => {
  const { page, complaints } = await pages.open(ann)
  const requested: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/git/inspect')) requested.push(request.method())
  })
  await page.goto('/projects/new?url=https%3A%2F%2Fgithub.com%2Facme%2Fshop&branch=site')
  const check = page.getByRole('button', { name: 'Inspect this repository' })
  await check.waitFor()
  expect(await page.getByLabel('Repository URL').inputValue()).toBe('https://github.com/acme/shop')
  expect(await accessibilityProblems(page)).toEqual([])
  expect(requested).toEqual([])
  isKeyAdded = true
  await check.click()
  await expect.poll(() => page.getByLabel('Branch').inputValue()).toBe('site')
  await page.getByLabel('Type').selectOption('PYTHON')
  await expect.poll(() => new URL(page.url()).searchParams.get('type')).toBe('PYTHON')
  expect(await check.count()).toBe(0)
  await page.reload()
  await expect.poll(() => page.getByLabel('Branch').inputValue()).toBe('site')
  expect(complaints).toEqual([])
})

test('a private repository gets a deploy key and is deployed once the key works', async () => {
  const { page, complaints } = await pages.open(ann)
  await page.goto('/projects/new?url=https%3A%2F%2Fgithub.com%2Fprivate%2Fapp')
  await page.getByRole('button', { name: 'Inspect this repository' }).click()
  await page.getByText('Repository is private or does not exist').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByLabel('Name').fill('secret-app')
  await page.getByRole('button', { name: 'Create project and deploy key' }).click()
  await page.getByText(/^ssh-ed25519 /).waitFor()
  await page.getByText('The Git server rejected the SSH key').waitFor()
  await page.reload()
  await page.getByText(/^ssh-ed25519 /).waitFor()
  isKeyAdded = true
  await page.getByRole('button', { name: 'Inspect again' }).click()
  await page.getByText('Next.js', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Deploy' }).click()
  await page.waitForURL('**/deployments?d=*')
  expect(await projectsOf(ann)).toMatchObject([{ name: 'secret-app', gitUrl: 'git@github.com:private/app' }])
  expect(complaints).toEqual([])
})

test('a failed key creation is retried with the same project', async () => {
  const { page } = await pages.open(ann)
  let isUnavailable = true
  await page.route('**/git/ssh-key', (route) => (isUnavailable ? route.abort('connectionrefused') : route.continue()))
  await page.goto('/projects/new?url=https%3A%2F%2Fgithub.com%2Fprivate%2Fapp')
  await page.getByRole('button', { name: 'Inspect this repository' }).click()
  await page.getByLabel('Name').fill('keyless')
  await page.getByRole('button', { name: 'Create project and deploy key' }).click()
  await page.getByRole('alert').filter({ hasText: 'The panel is not responding' }).waitFor()
  isUnavailable = false
  await page.getByRole('button', { name: 'Create deploy key' }).click()
  await page.getByText(/^ssh-ed25519 /).waitFor()
  expect(await projectsOf(ann)).toMatchObject([{ name: 'keyless' }])
})

test('an empty project needs a name and a type', async () => {
  const { page, complaints } = await pages.open(ann)
  await page.goto('/projects/new')
  await page.getByRole('link', { name: 'Empty' }).click()
  await page.getByLabel('Name').fill('later')
  await page.getByRole('button', { name: 'Create project' }).click()
  await page.getByRole('heading', { name: 'later' }).waitFor()
  expect(complaints).toEqual([])
})

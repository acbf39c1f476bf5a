import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runQueue } from '../../packages/server/src/features/deployments/deployment-runner.jobs.ts'
import { createBuiltinBuilder } from '../../packages/server/src/infra/image-builder/builtin-builder.ts'
import { createMemoryEngine } from '../../packages/server/test/fakes/memory-container-engine.ts'
import { createMemoryGit } from '../../packages/server/test/fakes/memory-git.ts'
import { envOf } from '../../packages/server/test/support/databases.ts'
import { addVerifiedDomain, publicDnsOf } from '../../packages/server/test/support/domains.ts'
import { type Client, password } from '../../packages/server/test/support/panel.ts'
import { countedPage } from '../support/counted-page.ts'
import { type Pages, startPages } from '../support/pages.ts'

// The table in docs/dashboard.md has these figures and where each path starts.
const limits = { deploy: 6, domain: 4, database: 3, mailbox: 4, rollback: 2, failure: 2 }

const engine = createMemoryEngine()
const git = createMemoryGit()
const builder = createBuiltinBuilder({
  git,
  engine,
  images: { node: 'node:20', python: 'python:3.11', static: 'caddy:2', php: 'php:8.2' },
  limits: { memoryBytes: 1, cpus: 1, pids: 1, contextBytes: 1024 * 1024 }
})

let pages: Pages
let count = 0
beforeAll(async () => {
  pages = await startPages({}, { engine, git, builder })
  await pages.panel.signUp('ada')
})
afterAll(() => pages?.close())

const newAccount = () => pages.panel.signUp(`ann${++count}`)

/** Runs what is queued, as the worker does. */
async function runDeployments(): Promise<void> {
  const worker = {
    lease: { workerId: 1 },
    signal: new AbortController().signal,
    buildNetworks: { acquire: async () => ({ name: 'build', release: async () => {} }) }
  }
  for (const queue of ['build', 'image'] as const) await runQueue(pages.panel.deps, worker, queue)
}

async function deployedProject(client: Client, name: string): Promise<string> {
  const { id } = await client.createProject({ name, type: 'STATIC', gitUrl: `https://github.com/acme/${name}` })
  await client.request('POST', `/api/projects/${id}/build`)
  await runDeployments()
  return id
}

const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Project sections' }).getByRole('link', { name, exact: true })

const shownDeployment = (page: Page) => page.getByRole('region', { name: 'Deployment', exact: true })

/** Of the deployment that is shown. Its progress also has a step of that name. */
async function isLive(page: Page): Promise<void> {
  await page.getByRole('list', { name: 'Deployment progress' }).waitFor({ state: 'detached' })
  await shownDeployment(page).getByText('Live', { exact: true }).waitFor()
}

test(`from signing in to a deployed site in ${limits.deploy} actions`, async () => {
  const ann = await newAccount()
  const { page, complaints } = await pages.open()
  await page.goto('/login')
  const { click, fill, actions } = countedPage(page)
  await fill(page.getByLabel('Email'), ann.user.email)
  await fill(page.getByLabel('Password', { exact: true }), password)
  await click(page.getByRole('button', { name: 'Sign in' }))
  await fill(page.getByLabel('Repository URL'), 'https://github.com/acme/shop')
  await click(page.getByRole('button', { name: 'Inspect repository' }))
  await click(page.getByRole('button', { name: 'Deploy' }))
  await page.waitForURL('**/deployments?d=*')
  await runDeployments()
  await isLive(page)
  expect(actions()).toBeLessThanOrEqual(limits.deploy)
  expect(complaints).toEqual([])
})

test(`a domain on a project in ${limits.domain} actions`, async () => {
  const ann = await newAccount()
  const id = await deployedProject(ann, 'shop')
  const { page, complaints } = await pages.open(ann)
  await page.goto(`/projects/${id}`)
  const { click, fill, actions } = countedPage(page)
  await click(tab(page, 'Domains'))
  await click(page.getByRole('button', { name: 'Add domain' }))
  await fill(page.getByRole('dialog').getByLabel('Hostname'), 'shop.example.com')
  await click(page.getByRole('dialog').getByRole('button', { name: 'Add domain' }))
  const proof = await page.locator('code', { hasText: /^panel-verification=/ }).innerText()
  publicDnsOf(pages.panel).set('_panel-challenge.shop.example.com', 'TXT', [proof])
  await page.getByText('Active', { exact: true }).first().waitFor()
  const domains = (await ann.request('GET', '/api/domains')).json<{ projectId: string; status: string }[]>()
  expect(domains).toMatchObject([{ projectId: id, status: 'ACTIVE' }])
  expect(actions()).toBeLessThanOrEqual(limits.domain)
  expect(complaints).toEqual([])
})

test(`a database whose URL is in the project’s variables in ${limits.database} actions`, async () => {
  const ann = await newAccount()
  const id = await deployedProject(ann, 'wine-shop')
  const { page, complaints } = await pages.open(ann)
  await page.goto(`/projects/${id}`)
  const { click, actions } = countedPage(page)
  await click(tab(page, 'Databases'))
  await click(page.getByRole('button', { name: 'Add database' }))
  await click(page.getByRole('dialog').getByRole('button', { name: 'Add database' }))
  await page.getByRole('link', { name: 'wine_shop' }).waitFor()
  expect((await envOf(ann, id)).DATABASE_URL).toContain('/wine_shop')
  expect(actions()).toBeLessThanOrEqual(limits.database)
  expect(complaints).toEqual([])
})

test(`a mailbox on a verified domain in ${limits.mailbox} actions`, async () => {
  const ann = await newAccount()
  await addVerifiedDomain(ann, 'mail.example.com')
  const { page, complaints } = await pages.open(ann)
  await page.goto('/')
  const { click, fill, actions } = countedPage(page)
  await click(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Mail', exact: true }))
  await click(page.getByRole('button', { name: 'Add mailbox' }))
  await fill(page.getByRole('dialog').getByLabel('Local part'), 'info')
  await click(page.getByRole('dialog').getByRole('button', { name: 'Add mailbox' }))
  await page.getByRole('dialog').getByText('info@mail.example.com').waitFor()
  expect(actions()).toBeLessThanOrEqual(limits.mailbox)
  expect(complaints).toEqual([])
})

test(`a rollback in ${limits.rollback} actions`, async () => {
  const ann = await newAccount()
  const id = await deployedProject(ann, 'shop')
  await ann.request('POST', `/api/projects/${id}/build`)
  await runDeployments()
  const { page, complaints } = await pages.open(ann)
  await page.goto(`/projects/${id}`)
  const { click, actions } = countedPage(page)
  const recent = page.getByRole('region', { name: 'Recent deployments' }).getByRole('listitem')
  await click(recent.filter({ hasText: 'Replaced' }).getByRole('link'))
  await click(page.getByRole('button', { name: 'Roll back to this' }))
  await shownDeployment(page).getByText('Queued').first().waitFor()
  await runDeployments()
  await isLive(page)
  expect(actions()).toBeLessThanOrEqual(limits.rollback)
  expect(complaints).toEqual([])
})

test(`why a deployment failed in ${limits.failure} actions`, async () => {
  const ann = await newAccount()
  engine.fail = 'build'
  await deployedProject(ann, 'broken').finally(() => (engine.fail = undefined))
  const { page, complaints } = await pages.open(ann)
  await page.goto('/')
  const { click, actions } = countedPage(page)
  await click(page.getByRole('region', { name: 'Needs attention' }).getByRole('link', { name: 'broken' }))
  await page.getByRole('alert').filter({ hasText: 'Build failed.' }).getByText('The engine refused to build').waitFor()
  expect(actions()).toBeLessThanOrEqual(limits.failure)
  expect(complaints).toEqual([])
})

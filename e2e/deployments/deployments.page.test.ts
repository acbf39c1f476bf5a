import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deploymentLogs, deployments } from '../../packages/server/src/db/schema/deployments.ts'
import { projects } from '../../packages/server/src/db/schema/projects.ts'
import { newId } from '../../packages/server/src/security/ids.ts'
import type { Git } from '../../packages/server/src/infra/git/git.ts'
import { createMemoryGit } from '../../packages/server/test/fakes/memory-git.ts'
import type { Client } from '../../packages/server/test/support/panel.ts'
import { accessibilityProblems } from '../support/chromium.ts'
import { type Pages, startPages } from '../support/pages.ts'

let requested = 0
const git: Git = {
  ...createMemoryGit(),
  async listCommits(_directory, _remote, { to }) {
    requested++
    const at = new Date('2026-01-02T03:04:05Z')
    return {
      commits: [
        { hash: to, subject: 'Pay by <img src=x onerror=alert(1)> \u202ecard', author: 'Grace Hopper', at },
        { hash: 'e'.repeat(40), subject: 'x'.repeat(300), author: 'Ann', at }
      ],
      isComplete: true
    }
  }
}

let pages: Pages
let ann: Client
beforeAll(async () => {
  pages = await startPages({}, { git })
  ann = await pages.panel.signUp('ann')
})
afterAll(() => pages?.close())

async function addHistory() {
  const { db } = pages.panel.deps
  const project = await ann.createProject({ gitUrl: 'https://github.com/acme/shop' })
  const [live, newer, failed] = [newId(), newId(), newId()]
  const row = { projectId: project.id, userId: ann.user.id, trigger: 'MANUAL', startedAt: new Date() } as const
  const failure = { phase: 'BUILD', reason: 'The build failed: exit code 3', exitCode: 3, line: 900 } as const
  for (const values of [
    { ...row, id: live, status: 'RUNNING', commitHash: 'a'.repeat(40), commitMsg: 'First' },
    { ...row, id: newer, status: 'RUNNING', commitHash: 'b'.repeat(40), commitMsg: 'Second' },
    { ...row, id: failed, status: 'FAILED', commitHash: 'c'.repeat(40), commitMsg: 'Third', failure }
  ] as const)
    await db.insert(deployments).values(values)
  const lines = Array.from({ length: 2_000 }, (_, n) => (n === 899 ? 'error: it is here\n' : `line ${n + 1}\n`))
  await db.insert(deploymentLogs).values({ deploymentId: failed, text: lines.join('') })
  await db.update(projects).set({ liveDeploymentId: live }).where(eq(projects.id, project.id))
  return { path: `/projects/${project.id}/deployments`, live, newer, failed }
}

test('a failed deployment opens at its error line with the reason above', async () => {
  const { path } = await addHistory()
  const { page, complaints } = await pages.open(ann)
  await page.goto(path)
  const alert = page.getByRole('alert').filter({ hasText: 'The build failed: exit code 3' })
  await alert.getByText('Exit code 3.').waitFor()
  const log = page.getByRole('region', { name: 'Deployment log' })
  await log.getByText('error: it is here').waitFor()
  expect(await log.getByText('line 2000').count()).toBe(0)
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByRole('button', { name: 'Go to line 900', exact: true }).click()
  await expect.poll(() => new URL(page.url()).searchParams.get('L')).toBe('900')
  expect(complaints).toEqual([])
})

test('the serving deployment is live, even if a newer one exists', async () => {
  const { path } = await addHistory()
  const { page } = await pages.open(ann)
  await page.goto(path)
  const items = page.getByRole('navigation', { name: 'Deployment history' }).getByRole('listitem')
  await expect
    .poll(() => items.allInnerTexts())
    .toEqual([
      expect.stringMatching(/Third[\s\S]*Failed/),
      expect.stringMatching(/Second[\s\S]*Replaced/),
      expect.stringMatching(/First[\s\S]*Live/)
    ])
})

test('changes load on request and are shown as text', async () => {
  const { path, newer, live } = await addHistory()
  const { page, complaints } = await pages.open(ann)
  await page.goto(`${path}?d=${newer}`)
  const button = page.getByRole('button', { name: 'Changes' })
  await button.waitFor()
  expect(requested).toBe(0)
  await button.click()
  const changes = page.getByRole('region', { name: 'Changes' })
  await changes.getByText('2 commits since the previous release, aaaaaaa').waitFor()
  await changes.getByText('Pay by <img src=x onerror=alert(1)>').waitFor()
  await changes.getByText('Grace Hopper').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await button.click()
  await button.click()
  await changes.getByText('Grace Hopper').waitFor()
  expect(requested).toBe(1)
  await page.goto(`${path}?d=${live}`)
  await button.click()
  await page.getByText('First deployment.').waitFor()
  expect(complaints).toEqual([])
})

test('a live release is redeployed from its image, a failed or cancelled one is rebuilt', async () => {
  const { path, live, failed } = await addHistory()
  const { db } = pages.panel.deps
  const [, , projectId = ''] = path.split('/')
  const imageSpec = { port: 80, readOnlyRoot: true, volumes: [] }
  await db.update(deployments).set({ image: 'shop', imageSpec }).where(eq(deployments.id, live))
  const { page, complaints } = await pages.open(ann)
  await page.goto(`${path}?d=${failed}`)
  await page.getByRole('button', { name: 'Redeploy' }).click()
  await expect.poll(() => new URL(page.url()).searchParams.get('d')).not.toBe(failed)
  const detail = page.getByRole('region', { name: 'Deployment', exact: true })
  await detail.getByText('Queued').first().waitFor()
  await page.getByRole('button', { name: 'Cancel deployment' }).click()
  await detail.getByText('Cancelled', { exact: true }).waitFor()
  const cancelled = new URL(page.url()).searchParams.get('d')
  await page.getByRole('button', { name: 'Redeploy' }).click()
  await expect.poll(() => new URL(page.url()).searchParams.get('d')).not.toBe(cancelled)
  await page.getByRole('button', { name: 'Cancel deployment' }).click()
  await detail.getByText('Cancelled', { exact: true }).waitFor()
  await page.goto(`${path}?d=${live}`)
  await page.getByRole('button', { name: 'Redeploy' }).click()
  const openOne = async () => {
    const { deployments: all } = (await ann.request('GET', `/api/projects/${projectId}/deployments`)).json<{
      deployments: { id: string; status: string; trigger: string }[]
    }>()
    return all.find(({ status }) => status === 'QUEUED')
  }
  await expect.poll(openOne).toMatchObject({ trigger: 'DEPLOY' })
  await detail.getByText('Queued').first().waitFor()
  const { id } = (await openOne())!
  await db.update(deployments).set({ status: 'RUNNING' }).where(eq(deployments.id, id))
  const values = { liveDeploymentId: id, containerId: 'c', internalPort: 20_000, deployedDomain: 'shop.example.com' }
  await db.update(projects).set(values).where(eq(projects.id, projectId))
  await page.getByText('Redeployed. This release is live').waitFor()
  expect(complaints).toEqual([])
})

test('the history is paginated to the first deployment', async () => {
  const project = await ann.createProject()
  const rows = Array.from({ length: 45 }, (_, n) => {
    const row = { projectId: project.id, userId: ann.user.id, trigger: 'MANUAL', status: 'FAILED' } as const
    return { ...row, id: newId(), commitMsg: `Commit ${n + 1}` }
  })
  for (const row of rows) await pages.panel.deps.db.insert(deployments).values(row)
  const { page, complaints } = await pages.open(ann, { width: 360, height: 740 })
  await page.goto(`/projects/${project.id}/deployments`)
  const history = page.getByRole('navigation', { name: 'Deployment history' })
  await history.getByText('Commit 45', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Next page' }).click()
  await history.getByText('Commit 25', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Next page' }).click()
  await history.getByText('Commit 1', { exact: true }).click()
  await expect.poll(() => new URL(page.url()).searchParams.get('d')).toBe(rows[0]!.id)
  expect(await history.getByRole('listitem').count()).toBe(5)
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
  expect(await accessibilityProblems(page)).toEqual([])
  expect(complaints).toEqual([])
})

import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deploymentLogs, deployments } from '../../packages/server/src/db/schema/deployments.ts'
import { projects } from '../../packages/server/src/db/schema/projects.ts'
import { newId } from '../../packages/server/src/ids.ts'
import type { Git } from '../../packages/server/src/infra/git/git.ts'
import { createMemoryGit } from '../../packages/server/test/fakes/memory-git.ts'
import type { Client } from '../../packages/server/test/support/panel.ts'
import { accessibilityProblems } from '../support/chromium.ts'
import { type Pages, startPages } from '../support/pages.ts'

let asked = 0
const git: Git = {
  ...createMemoryGit(),
  async listCommits(_directory, _remote, { to }) {
    asked++
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

test('a failed deployment opens at the line of its error, with the reason above', async () => {
  const { path } = await addHistory()
  const { page, complaints } = await pages.open(ann)
  await page.goto(path)
  const alert = page.getByRole('alert').filter({ hasText: 'The build failed: exit code 3' })
  await alert.getByText('Exit code 3.').waitFor()
  const log = page.getByRole('region', { name: 'Deployment log' })
  await log.getByText('error: it is here').waitFor()
  expect(await log.getByText('line 2000').count()).toBe(0)
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByRole('button', { name: 'To line 900' }).click()
  await expect.poll(() => new URL(page.url()).searchParams.get('L')).toBe('900')
  expect(complaints).toEqual([])
})

test('the one that serves is live, although another one is newer', async () => {
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

test('what changed is asked for when somebody wants to know, and shown as text', async () => {
  const { path, newer, live } = await addHistory()
  const { page, complaints } = await pages.open(ann)
  await page.goto(`${path}?d=${newer}`)
  const button = page.getByRole('button', { name: 'What changed' })
  await button.waitFor()
  expect(asked).toBe(0)
  await button.click()
  const changes = page.getByRole('region', { name: 'What changed' })
  await changes.getByText('2 commits since aaaaaaa').waitFor()
  await changes.getByText('Pay by <img src=x onerror=alert(1)>').waitFor()
  await changes.getByText('Grace Hopper').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await button.click()
  await button.click()
  await changes.getByText('Grace Hopper').waitFor()
  expect(asked).toBe(1)
  await page.goto(`${path}?d=${live}`)
  await button.click()
  await page.getByText('Nothing served before it').waitFor()
  expect(complaints).toEqual([])
})

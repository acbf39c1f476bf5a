import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deploymentLogs, deployments } from '../../packages/server/src/db/schema/deployments.ts'
import { type PhaseMark, phaseLine } from '@panel/contract/deployment-phases'
import { withResolvers } from '../../packages/server/test/support/with-resolvers.ts'
import { newId } from '../../packages/server/src/security/ids.ts'
import type { Client } from '../../packages/server/test/support/panel.ts'
import { accessibilityProblems } from '../support/chromium.ts'
import { type Pages, startPages } from '../support/pages.ts'

let pages: Pages
let ann: Client
beforeAll(async () => {
  pages = await startPages()
  ann = await pages.panel.signUp('ann')
})
afterAll(() => pages?.close())

const write = (deploymentId: string, text: string) =>
  pages.panel.deps.db.insert(deploymentLogs).values({ deploymentId, text })

async function addDeployment(): Promise<{ id: string; path: string }> {
  const project = await ann.createProject()
  const id = newId()
  const row = { projectId: project.id, userId: ann.user.id, trigger: 'MANUAL', status: 'BUILDING' } as const
  await pages.panel.deps.db.insert(deployments).values({ ...row, id, startedAt: new Date() })
  return { id, path: `/projects/${project.id}/deployments?d=${id}` }
}

test('lines appear once as they are written, also across a network failure', async () => {
  const { id, path } = await addDeployment()
  await write(id, 'first\nsec')
  const { page, context, complaints } = await pages.open(ann)
  await page.goto(path)
  const log = page.getByRole('region', { name: 'Deployment log' })
  await log.getByText('first').waitFor()
  await write(id, 'ond\n\u001b[31mred <img src=x onerror=alert(1)>\u001b[0m \u202etxt.exe\n')
  await log.getByText('second', { exact: true }).waitFor()
  await log.getByText('red <img src=x onerror=alert(1)>').waitFor()
  expect(await log.innerText()).not.toContain('\u202e')
  await context.setOffline(true)
  await write(id, 'while away\n')
  await context.setOffline(false)
  await log.getByText('while away').waitFor()
  await write(id, 'last\n')
  await pages.panel.deps.db.update(deployments).set({ status: 'FAILED' }).where(eq(deployments.id, id))
  await log.getByText('last').waitFor()
  await page.getByText('Failed', { exact: true }).first().waitFor()
  const text = await log.innerText()
  for (const line of ['first', 'second', 'while away', 'last']) expect(text.split(line), line).toHaveLength(2)
  expect(complaints.filter((text) => !/ERR_INTERNET_DISCONNECTED|WebSocket/.test(text))).toEqual([])
})

test('a log of 30,000 lines loads to its end, is searched and linked into', async () => {
  const { id, path } = await addDeployment()
  const lines = Array.from(
    { length: 30_000 },
    (_, n) => `\u001b[32m✓\u001b[0m chunk-${n}.js${n === 14_320 ? ' needle' : ''}\n`
  )
  for (let from = 0; from < lines.length; from += 5_000) await write(id, lines.slice(from, from + 5_000).join(''))
  await pages.panel.deps.db.update(deployments).set({ status: 'FAILED' }).where(eq(deployments.id, id))
  const { page, complaints } = await pages.open(ann)
  await page.goto(path)
  const log = page.getByRole('region', { name: 'Deployment log' })
  await log.getByText('chunk-29999.js').waitFor()
  expect(await log.locator('> * > *').count()).toBeLessThan(200)
  await page.getByLabel('Search log').fill('needle')
  await page.getByText('1 of 1').waitFor()
  await log.getByText('chunk-14320.js').waitFor()
  await page.goto(`${path}&L=777`)
  await log.getByText('chunk-776.js').waitFor()
  expect(complaints).toEqual([])
})

test('a followed log shows its end first', async () => {
  const { id, path } = await addDeployment()
  await write(id, Array.from({ length: 2_000 }, (_, n) => `line ${n + 1}\n`).join(''))
  const { page } = await pages.open(ann)
  await page.addInitScript(`
    window.drawn = new Set()
    new MutationObserver(() => document.querySelectorAll('[data-index]').forEach((row) => drawn.add(row.dataset.index)))
      .observe(document, { subtree: true, childList: true })`)
  await page.goto(path)
  await page.getByText('line 2000', { exact: true }).waitFor()
  const drawn = await page.evaluate<string[]>('[...drawn]')
  expect(drawn).toContain('1999')
  expect(drawn).not.toContain('0')
})

test('the end of a long log appears first, with correct line numbers', async () => {
  const { id, path } = await addDeployment()
  await write(id, Array.from({ length: 5_000 }, (_, n) => `line ${n + 1}\n`).join(''))
  const { page, complaints } = await pages.open(ann)
  const { promise: released, resolve: release } = withResolvers()
  await page.route('**/log?after=0', (route) => released.then(() => route.continue()))
  await page.goto(path)
  const log = page.getByRole('region', { name: 'Deployment log' })
  await log.getByText('line 5000', { exact: true }).waitFor()
  await page.getByText('5,000 lines').waitFor()
  const download = page.getByRole('button', { name: 'Download' })
  expect(await download.isDisabled()).toBe(true)
  await page.getByLabel('Search log').fill('line 3')
  await log.evaluate((box) => (box.scrollTop = 0))
  await log.getByText('1', { exact: true }).waitFor()
  expect(await log.getByText('line 1', { exact: true }).count()).toBe(0)
  release()
  await page.getByText('1 of 1,111').waitFor()
  await log.evaluate((box) => (box.scrollTop = 0))
  await log.getByText('line 1', { exact: true }).waitFor()
  expect(await download.isDisabled()).toBe(false)
  await write(id, 'line 5001\n')
  await page.getByRole('button', { name: '1 new line' }).click()
  await log.getByText('line 5001', { exact: true }).waitFor()
  expect(complaints).toEqual([])
})

test('the log of a missing deployment is requested once', async () => {
  const { id } = await ann.createProject()
  const { page } = await pages.open(ann)
  let requested = 0
  page.on('request', (request) => {
    if (request.url().includes('/deployments/gone/log')) requested++
  })
  await page.goto(`/projects/${id}/deployments?d=gone`)
  await page.getByText('It was deleted, or you do not have access to it.').waitFor()
  await expect.poll(() => page.locator('[role=status][data-state=live]').count()).toBeGreaterThan(0)
  await page.waitForLoadState('networkidle')
  expect(requested).toBe(1)
})

test('a link to the first line works beside a search', async () => {
  const { id, path } = await addDeployment()
  await write(
    id,
    Array.from(
      { length: 2_000 },
      (_, n) => `line ${n + 1}${n === 1_900 ? ' needle' : ''}
`
    ).join('')
  )
  const { page, complaints } = await pages.open(ann)
  const log = page.getByRole('region', { name: 'Deployment log' })
  const current = log.locator('[data-current]')
  await page.goto(`${path}&L=1`)
  await log.getByText('line 1', { exact: true }).waitFor()
  expect(await current.innerText()).toContain('line 1')
  await page.goto(`${path}&L=700&find=needle`)
  await page.getByText('1 of 1', { exact: true }).waitFor()
  await log.getByText('line 700', { exact: true }).waitFor()
  await write(id, 'one more\n')
  await page.getByRole('button', { name: '1 new line' }).waitFor()
  await page.getByLabel('Search log').press('Enter')
  await log.getByText('line 1901 needle').waitFor()
  expect(complaints).toEqual([])
})

const begun = Date.parse('2026-01-31T12:00:00Z')
const mark = (phase: PhaseMark, seconds: number) => `${phaseLine(phase, new Date(begun + seconds * 1_000))}\n`

test('phases have durations, and of a failed deployment only the failed one is open', async () => {
  const { id, path } = await addDeployment()
  await write(id, `${mark('fetch', 0)}Commit aaaaaaaaaaaa\n${mark('detect', 2)}Found Node.js\n${mark('install', 2.4)}`)
  const installed = Array.from({ length: 3_000 }, (_, n) => `package ${n + 1}\n`).join('')
  await write(id, `${installed}${mark('build', 64)}Step 5/7\n`)
  const { page, complaints } = await pages.open(ann)
  await page.goto(path)
  const log = page.getByRole('region', { name: 'Deployment log' })
  const phases = log.getByRole('button', { expanded: true }).or(log.getByRole('button', { expanded: false }))
  await log.getByRole('button', { name: 'Build In progress', expanded: true }).waitFor()
  await log.getByText('Step 5/7').waitFor()
  await write(id, `npm error\n${mark('end', 190)}FAILED: exit code 1\n`)
  const failure = { phase: 'BUILD', reason: 'exit code 1', exitCode: 1, line: 3_008 } as const
  await pages.panel.deps.db.update(deployments).set({ status: 'FAILED', failure }).where(eq(deployments.id, id))
  await page.reload()
  await log.getByRole('button', { name: 'Build Failed after 2m 6s', expanded: true }).waitFor()
  await expect
    .poll(() => phases.allInnerTexts())
    .toEqual(['Fetch\n2s', 'Detect\n0.4s', 'Install\n1m 2s', 'Build\nFailed after 2m 6s'])
  await log.getByText('FAILED: exit code 1').waitFor()
  await log.getByText('npm error').waitFor()
  expect(await log.getByText('Found Node.js').count()).toBe(0)
  expect(await accessibilityProblems(page)).toEqual([])
  await log.getByRole('button', { name: 'Detect' }).click()
  await log.getByText('Found Node.js').waitFor()
  await log.getByRole('button', { name: 'Build' }).press('Enter')
  await expect.poll(() => log.getByText('Step 5/7').count()).toBe(0)
  await page.getByRole('button', { name: 'Go to line 3,008' }).click()
  await log.getByRole('button', { name: 'Build', expanded: true }).waitFor()
  await log.getByText('Step 5/7').waitFor()
  await page.getByLabel('Search log').fill('package 1234')
  await page.getByText('1 of 1', { exact: true }).waitFor()
  await log.getByText('package 1234').waitFor()
  await page.goto(`${path}&L=2000`)
  await log.getByText('package 1994', { exact: true }).waitFor()
  expect(complaints).toEqual([])
})

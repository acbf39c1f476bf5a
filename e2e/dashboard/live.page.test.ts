import type { Page, WebSocketRoute } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, password } from '../../packages/server/test/support/panel.ts'
import { type Pages, startPages } from '../support/pages.ts'

let pages: Pages
let ann: Client
beforeAll(async () => {
  pages = await startPages()
  ann = await pages.panel.signUp('ann')
})
afterAll(() => pages?.close())

/** Lets a test cut the live channel while the API keeps responding. */
async function channelOf(page: Page) {
  let isCut = false
  const open = new Set<WebSocketRoute>()
  await page.routeWebSocket(/\/socket\.io\//, (socket) => {
    if (isCut) return void socket.close({ code: 1001 })
    open.add(socket)
    socket.connectToServer()
  })
  await page.route('**/socket.io/**', (route) => (isCut ? route.abort('connectionrefused') : route.continue()))
  return {
    async cut() {
      isCut = true
      await Promise.all([...open].map((socket) => socket.close({ code: 1001 })))
      open.clear()
    },
    mend: () => void (isCut = false)
  }
}

const hasChannel = (page: Page) =>
  expect.poll(() => page.locator('[role=status][data-state=live]').count()).toBeGreaterThan(0)

function countLists(page: Page): () => number {
  let requested = 0
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/projects') requested++
  })
  return () => requested
}

test('a page polls with a notice while the live channel is down, then stops', async () => {
  const { page, complaints } = await pages.open(ann, { width: 360, height: 740 })
  const channel = await channelOf(page)
  const lists = countLists(page)
  const sign = page.getByRole('status').filter({ hasText: 'Live updates paused' })
  await page.goto('/projects')
  await hasChannel(page)
  await ann.createProject({ name: 'told' })
  await page.getByRole('link', { name: 'told' }).waitFor()
  expect(await sign.count()).toBe(0)

  await channel.cut()
  await sign.waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
  await ann.createProject({ name: 'polled' })
  await page.getByRole('link', { name: 'polled' }).waitFor()

  channel.mend()
  await expect.poll(() => sign.count()).toBe(0)
  await page.waitForLoadState('networkidle')
  const before = lists()
  await ann.createProject({ name: 'again' })
  await page.getByRole('link', { name: 'again' }).waitFor()
  expect(lists() - before).toBeLessThanOrEqual(2)
  expect(complaints.filter((text) => !/socket\.io|ERR_CONNECTION_REFUSED/.test(text))).toEqual([])
})

test('200 events of one change cause few requests', async () => {
  const { page, complaints } = await pages.open(ann)
  const lists = countLists(page)
  await page.goto('/projects')
  await hasChannel(page)
  await page.getByRole('link', { name: 'told' }).waitFor()
  await page.waitForLoadState('networkidle')
  const before = lists()
  const { db, events } = pages.panel.deps
  await db.transaction(async (trx) => {
    for (let index = 0; index < 200; index++) {
      const data = { projectId: `p${index}`, deploymentId: `d${index}`, status: 'RUNNING' } as const
      await events.publish(trx, { to: { userId: ann.user.id }, name: 'deployment:status', data })
    }
  })
  const { name } = await ann.createProject()
  await page.getByRole('link', { name }).waitFor()
  await page.waitForLoadState('networkidle')
  expect(lists() - before).toBeLessThanOrEqual(40)
  expect(complaints).toEqual([])
})

test('the live channel returns after signing in again', async () => {
  const { page } = await pages.open(await pages.panel.signIn(ann.user.email))
  let channels = 0
  page.on('websocket', () => channels++)
  await page.goto('/projects')
  await hasChannel(page)
  const opened = channels
  await (await pages.panel.signIn(ann.user.email)).request('DELETE', '/api/auth/sessions')
  const dialog = page.getByRole('dialog', { name: 'Sign in again' })
  await dialog.getByLabel(/^Password for/).fill(password)
  await expect.poll(() => channels).toBeGreaterThan(opened)
  await page.getByRole('status').filter({ hasText: 'Live updates paused' }).waitFor()
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await expect.poll(() => dialog.count()).toBe(0)
  await expect.poll(() => page.getByText('Live updates paused').count()).toBe(0)
  const current = await pages.panel.signIn(ann.user.email)
  await current.createProject({ name: 'after-the-end' })
  await page.getByRole('link', { name: 'after-the-end' }).waitFor()
})

test('signing out closes the live channel', async () => {
  const { page } = await pages.open(await pages.panel.signIn(ann.user.email))
  const open = new Set<unknown>()
  page.on('websocket', (socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
  })
  await page.goto('/projects')
  await expect.poll(() => open.size).toBe(1)
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL('**/login')
  await expect.poll(() => open.size).toBe(0)
})

test('after signing in, missed events are loaded', async () => {
  const { page } = await pages.open()
  const missed: number[] = []
  page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => {
      const message = /"missedMs":(\d+)/.exec(String(payload))
      if (message) missed.push(Number(message[1]))
    })
  )
  const age = () => page.evaluate<number>('performance.now()')
  await page.goto('/login')
  await page.getByLabel('Email').fill(ann.user.email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  const signsInAt = await age()
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect.poll(() => missed).toHaveLength(1)
  expect(missed[0]).toBeLessThanOrEqual(Math.ceil((await age()) - signsInAt))
})

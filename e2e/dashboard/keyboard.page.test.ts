import type { Keyboard, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DnsRecord } from '@panel/contract/dns-records'
import { deploymentLogs, deployments } from '../../packages/server/src/db/schema/deployments.ts'
import { newId } from '../../packages/server/src/security/ids.ts'
import { addManagedDomain } from '../../packages/server/test/support/domains.ts'
import { type Client, password } from '../../packages/server/test/support/panel.ts'
import type { WatchedPage } from '../support/chromium.ts'
import { type Pages, startPages } from '../support/pages.ts'

// Keyboard only in this file: no clicks, fills or scripted focus.
let pages: Pages
let ann: Client
let window: WatchedPage
let page: Page
let keys: Keyboard
beforeAll(async () => {
  pages = await startPages({ DNS_NAMESERVERS: 'ns1.example.net,ns2.example.net', PUBLIC_IP: '203.0.113.1' })
  ann = await pages.panel.signUp('ann')
  window = await pages.open()
  page = window.page
  keys = page.keyboard
})
afterAll(() => pages?.close())

const hasFocus = (target: Locator) => expect.poll(() => target.evaluate((node) => node.matches(':focus'))).toBe(true)

async function go(target: Locator, key = 'Tab'): Promise<void> {
  await target.waitFor()
  for (let presses = 0; presses < 80; presses++) {
    await keys.press(key)
    if (await target.evaluate((node) => node.matches(':focus'))) return
  }
  throw new Error(`${key} does not lead to ${String(target)}`)
}

async function open(name: string): Promise<void> {
  const palette = page.getByRole('dialog', { name: 'Search or run a command' })
  await keys.press('Control+k')
  await hasFocus(palette.getByRole('combobox'))
  await keys.type(name)
  await palette.locator('[aria-selected=true]').getByText(name, { exact: true }).waitFor()
  await keys.press('Enter')
  await expect.poll(() => palette.count()).toBe(0)
}

async function addDeployments(projectId: string): Promise<string> {
  const { db } = pages.panel.deps
  const [first, second] = [newId(), newId()]
  const row = { projectId, userId: ann.user.id, trigger: 'MANUAL', status: 'FAILED', startedAt: new Date() } as const
  await db.insert(deployments).values({ ...row, id: first, commitMsg: 'First words' })
  await db.insert(deployments).values({ ...row, id: second, commitMsg: 'Second words' })
  const text = Array.from({ length: 300 }, (_, n) => `line ${n + 1}\n`).join('')
  await db.insert(deploymentLogs).values({ deploymentId: first, text })
  return first
}

test('signs in and skips the navigation', async () => {
  await page.goto('/login')
  await hasFocus(page.getByLabel('Email'))
  await keys.type(ann.user.email)
  await keys.press('Tab')
  await hasFocus(page.getByLabel('Password', { exact: true }))
  await keys.type(password)
  await keys.press('Enter')
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await keys.press('Tab')
  await hasFocus(page.getByRole('link', { name: 'Skip to content' }))
  await keys.press('Enter')
  await hasFocus(page.getByRole('main'))
})

test('creates a project, opens a deployment and links to a log line', async () => {
  await open('New project')
  await go(page.getByRole('link', { name: 'Empty', exact: true }))
  await keys.press('Enter')
  await go(page.getByLabel('Name'))
  await keys.type('by-keys')
  await keys.press('Tab')
  await keys.type('Sta')
  expect(await page.getByLabel('Type').inputValue()).toBe('STATIC')
  await go(page.getByRole('button', { name: 'Create project' }))
  await keys.press('Enter')
  await page.getByRole('heading', { name: 'by-keys' }).waitFor()
  const [, projectId = ''] = /projects\/([^/]+)$/.exec(page.url()) ?? []
  const first = await addDeployments(projectId)

  await go(page.getByRole('link', { name: 'Deployments', exact: true }))
  await keys.press('Enter')
  const history = page.getByRole('navigation', { name: 'Deployment history' })
  await go(history.getByRole('link', { name: /First words/ }))
  await keys.press('Enter')
  await page.waitForURL(`**/deployments?d=${first}`)
  const log = page.getByRole('region', { name: 'Deployment log' })
  await log.getByText('line 300', { exact: true }).waitFor()
  await go(log)
  await keys.press('/')
  await hasFocus(page.getByLabel('Search log'))
  await keys.type('line 150')
  await page.getByText('1 of 1', { exact: true }).waitFor()
  await keys.press('Escape')
  await hasFocus(log)
  await keys.press('Tab')
  const number = (line: number) => page.getByRole('button', { name: `Link to line ${line}`, exact: true })
  const [, reached = ''] = /(\d+)$/.exec((await page.locator(':focus').getAttribute('aria-label')) ?? '') ?? []
  await keys.press('ArrowUp')
  await keys.press('ArrowUp')
  await hasFocus(number(Number(reached) - 2))
  await keys.press('Enter')
  await page.waitForURL(`**L=${Number(reached) - 2}`)
})

test('a record is added, edited, deleted, restored and deleted for good', async () => {
  const { id } = await addManagedDomain(ann, 'keys.example.com')
  const valuesOf = async () =>
    (await ann.request('GET', `/api/domains/${id}/dns`))
      .json<DnsRecord[]>()
      .filter(({ name }) => name === 'note')
      .map(({ value }) => value)
  await open('keys.example.com')
  await page.getByRole('heading', { name: 'keys.example.com' }).waitFor()
  await go(page.getByRole('link', { name: 'DNS', exact: true }))
  await keys.press('Enter')
  await go(page.getByRole('form', { name: 'Add record' }).getByLabel('Type'))
  await keys.type('TXT')
  await keys.press('Tab')
  await keys.type('note')
  await keys.press('Tab')
  await keys.type('first')
  await keys.press('Enter')
  await expect.poll(valuesOf).toEqual(['first'])

  const edit = page.getByRole('button', { name: 'Edit note TXT' })
  await go(edit)
  await keys.press('Enter')
  await hasFocus(page.getByRole('form', { name: 'Edit note TXT' }).getByLabel('Value'))
  await keys.press('Control+a')
  await keys.type('second')
  await keys.press('Enter')
  await expect.poll(valuesOf).toEqual(['second'])
  await hasFocus(edit)

  const remove = page.getByRole('button', { name: 'Delete note TXT' })
  await keys.press('Tab')
  await hasFocus(remove)
  await keys.press('Enter')
  const undo = page.getByRole('button', { name: 'Undo' })
  await undo.waitFor()
  await expect.poll(() => remove.count()).toBe(0)
  await keys.press('Control+z')
  await hasFocus(remove)
  await expect.poll(() => undo.count()).toBe(0)
  expect(await valuesOf()).toEqual(['second'])
  await keys.press('Enter')
  await expect.poll(valuesOf).toEqual([])
})

test('signing out ends the session', async () => {
  await open('Profile')
  await hasFocus(page.getByRole('main'))
  await go(page.getByRole('button', { name: 'Account menu' }), 'Shift+Tab')
  await keys.press('Enter')
  await go(page.getByRole('menuitem', { name: 'Sign out' }), 'ArrowUp')
  await keys.press('Enter')
  await page.waitForURL('**/login')
  await hasFocus(page.getByLabel('Email'))
  expect(window.complaints).toEqual([])
})

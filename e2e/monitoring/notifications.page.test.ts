import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { NotificationDeliveryList, NotificationKind, NotificationPreferences } from '@panel/contract/notifications'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deliver } from '../../packages/server/src/features/notifications/deliver.jobs.ts'
import { notify } from '../../packages/server/src/features/notifications/notify-access.ts'
import { planNotification } from '../../packages/server/src/features/notifications/plan.jobs.ts'
import { createPublicHttp } from '../../packages/server/src/infra/outbound-http/public-http.ts'
import type { Client } from '../../packages/server/test/support/panel.ts'
import { type Pages, startPages } from '../support/pages.ts'

let pages: Pages
let ann: Client
let url: string
let status = 200
const received: string[] = []
const receiver = createServer((request, response) => {
  received.push(request.url!)
  request.resume().on('end', () => response.writeHead(status).end())
})
beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  pages = await startPages({}, { outboundHttp: createPublicHttp({ allow: ['127.0.0.1'], own: [] }) })
  ann = await pages.panel.signUp('ann')
})
afterAll(async () => {
  await pages?.close()
  receiver.close()
})

async function notifyOwner(kind: NotificationKind, name: string): Promise<void> {
  const { deps } = pages.panel
  const notified = { userId: ann.user.id, kind, subject: { type: 'project', id: name, name }, text: `About ${name}`, link: '/databases' } as const // oxfmt-ignore
  await deps.db.transaction((trx) => notify(deps, trx, notified))
  const list = await ann.request('GET', '/api/notifications')
  for (const { id } of list.json<{ notifications: { id: string }[] }>().notifications)
    await planNotification(deps, { notificationId: id })
  const sent = await ann.request('GET', '/api/notifications/deliveries')
  for (const { id, attempts, status } of sent.json<NotificationDeliveryList>().deliveries)
    if (status === 'WAITING') await deliver(deps, { deliveryId: id, attempts })
}

test('the bell updates live and links to its subject; the list marks as read', async () => {
  const { page, complaints } = await pages.open(ann)
  let isLive = false
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => (isLive ||= String(payload).startsWith('40')))
  )
  await page.goto('/projects')
  await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
  await expect.poll(() => isLive).toBe(true)
  await notifyOwner('import-finished', '<img src=x onerror=alert(1)>')
  const bell = page.getByRole('button', { name: 'Notifications, 1 unread' })
  await bell.click()
  await page.getByRole('menuitem', { name: /Import finished/ }).click()
  await expect.poll(() => page.url()).toMatch(/\/databases$/)
  await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor()

  await notifyOwner('import-failed', 'blog')
  await notifyOwner('quota-nearly-used', 'ann')
  await page.getByRole('button', { name: 'Notifications, 2 unread' }).click()
  await page.getByRole('menuitem', { name: 'All notifications' }).click()
  await page.getByRole('link', { name: 'Unread' }).click()
  await expect.poll(() => page.getByRole('main').getByRole('listitem').filter({ hasText: 'About' }).count()).toBe(2)
  await page.getByRole('button', { name: 'Mark as read: Import failed, blog' }).click()
  await expect.poll(() => page.getByRole('main').getByRole('listitem').filter({ hasText: 'About' }).count()).toBe(1)
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await page.getByText('No unread notifications').waitFor()
  await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
  expect(complaints).toEqual([])
})

test('a channel is added, tested, edited and deleted; delivery rules apply, and deliveries are listed', async () => {
  const { page, complaints } = await pages.open(ann)
  await page.goto('/account/notifications/channels')
  await page.getByRole('button', { name: 'Add channel' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add channel' })
  await dialog.getByLabel('Type').selectOption('TELEGRAM')
  await dialog.getByLabel('Bot token').fill('no token')
  await dialog.getByRole('button', { name: 'Add channel' }).click()
  await dialog.getByText(/must be a bot token/i).waitFor()
  await dialog.getByLabel('Type').selectOption('WEBHOOK')
  await dialog.getByLabel('Name').fill('on call')
  await dialog.getByLabel('URL').fill(`${url}/first`)
  await dialog.getByRole('button', { name: 'Add channel' }).click()
  const secret = page.getByRole('dialog', { name: 'Webhook secret' })
  expect(await secret.locator('code').innerText()).toMatch(/^[0-9a-f]{64}$/)
  await secret.getByRole('button', { name: 'I have saved the secret' }).click()

  const row = page.getByRole('row').filter({ has: page.getByRole('button', { name: 'Delete on call' }) })
  status = 500
  await row.getByRole('button', { name: 'Send test' }).click()
  await row.getByText(/^Not delivered: .*500/).waitFor()
  status = 200
  await row.getByRole('button', { name: 'Send test' }).click()
  await row.getByText('Delivered', { exact: true }).waitFor()
  expect(received).toEqual(['/first', '/first'])
  await row.getByRole('button', { name: 'Edit on call' }).click()
  const change = page.getByRole('dialog', { name: 'Edit on call' })
  await change.getByLabel('URL').fill(`${url}/second`)
  await change.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)

  const cell = page.getByRole('checkbox', { name: 'Import finished via on call' })
  await cell.check()
  const chosen = async () =>
    (await ann.request('GET', '/api/notifications/preferences')).json<NotificationPreferences>()
  await expect.poll(async () => (await chosen()).channels['import-finished']?.length).toBe(1)
  expect(await page.getByRole('checkbox', { name: 'Import failed via Email' }).isChecked()).toBe(true)
  await notifyOwner('import-finished', 'moved')
  expect(received.at(-1)).toBe('/second')

  await page.getByLabel('From', { exact: true }).fill('21:30')
  await page.getByLabel('Time zone').selectOption('Europe/Berlin')
  await page.getByRole('button', { name: 'Enable quiet hours' }).click()
  await expect
    .poll(async () => (await chosen()).quietHours)
    .toEqual({ from: '21:30', to: '07:00', timezone: 'Europe/Berlin' })
  expect((await chosen()).channels['import-finished']).toHaveLength(1)
  await page.getByRole('button', { name: 'Disable quiet hours' }).click()
  await expect.poll(async () => (await chosen()).quietHours).toBeNull()

  await page.getByRole('link', { name: 'Deliveries' }).click()
  const sent = page.getByRole('row').filter({ hasText: 'on call' })
  await expect.poll(() => sent.filter({ hasText: 'Delivered' }).count()).toBe(2)
  expect(await sent.filter({ hasText: 'Failed' }).innerText()).toContain('answered 500')

  await page.getByRole('link', { name: 'Channels' }).click()
  await page.getByRole('switch', { name: 'Enable on call' }).click({ force: true })
  await row.getByText('Off').waitFor()
  await row.getByRole('button', { name: 'Delete on call' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await row.waitFor()
  await row.getByRole('button', { name: 'Delete on call' }).click()
  const left = async () =>
    (await ann.request('GET', '/api/notifications/channels')).json<{ channels: object[] }>().channels.length
  await expect.poll(left, { timeout: 60_000 }).toBe(1)
  const byEmail = page.getByRole('checkbox', { name: 'Import finished via Email' })
  await byEmail.click()
  await expect.poll(async () => (await chosen()).channels['import-finished']?.length).toBe(1)
  await expect.poll(() => byEmail.isChecked()).toBe(true)
  expect(complaints).toEqual([])
})

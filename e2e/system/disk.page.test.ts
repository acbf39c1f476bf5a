import { join } from 'node:path'
import type { ServerDisk } from '@panel/contract/server-disk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { measureDisksNow } from '../../packages/server/src/features/server-disk/measuring.jobs.ts'
import { runCleanup } from '../../packages/server/src/features/server-disk/cleanup.jobs.ts'
import { ensureNode } from '../../packages/server/src/db/nodes.ts'
import { createMemoryServerDisk, type MemoryServerDisk } from '../../packages/server/test/fakes/memory-server-disk.ts'
import type { Client } from '../../packages/server/test/support/panel.ts'
import { accessibilityProblems } from '../support/chromium.ts'
import { type Pages, startPages } from '../support/pages.ts'

let pages: Pages
let serverDisk: MemoryServerDisk
let admin: Client
beforeAll(async () => {
  serverDisk = createMemoryServerDisk()
  pages = await startPages({}, { serverDisk })
  admin = await pages.panel.signUp('ada')
  const { deps } = pages.panel
  await ensureNode(deps.db, deps.nodeId)
  const path = join(deps.config.DATA_DIR, 'web.log')
  serverDisk.entries.push({ name: 'web.log', path, bytes: 50 * 2 ** 20, modifiedAt: new Date(), isDirectory: false })
  await measureDisksNow(deps)
})
afterAll(() => pages?.close())

test('shows what takes the room, previews a cleanup and runs it', async () => {
  const { page, complaints } = await pages.open(admin)
  await page.goto('/server/disk')
  await page.getByText('System and other').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByRole('button', { name: 'Clean up' }).click()
  const dialog = page.getByRole('dialog')
  const logs = dialog.getByRole('checkbox', { name: /Program logs: 1 item/ })
  await logs.waitFor()
  expect(await logs.isChecked()).toBe(true)
  expect(await accessibilityProblems(page)).toEqual([])
  expect(serverDisk.emptied).toEqual([])
  await dialog.getByRole('button', { name: /^Remove/ }).click()
  await page.getByText('Cleanup started').waitFor()
  await runCleanup(pages.panel.deps, { signal: new AbortController().signal })
  await page.getByText('1 of 1').waitFor()
  expect(serverDisk.emptied).toHaveLength(1)
  expect((await admin.request('GET', '/api/system/disk')).json<ServerDisk>().cleanup!.status).toBe('COMPLETED')
  expect(complaints).toEqual([])
})

test('retention is changed on the page', async () => {
  const { page } = await pages.open(admin)
  await page.goto('/server/disk')
  await page.getByLabel('Releases kept per project').fill('5')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Retention saved').waitFor()
  expect(pages.panel.deps.config.KEEP_RELEASES).toBe(5)
})

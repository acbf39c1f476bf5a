import { afterAll, beforeAll, expect, test } from 'vitest'
import { listOf, newDatabase } from '../../packages/server/test/support/databases.ts'
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

test('a database is created, shows how to connect and its password on request, and is deleted by its name', async () => {
  const { page, complaints } = await pages.open(ann)
  await page.goto('/databases')
  await page.getByText('No databases yet').waitFor()
  await page.getByRole('button', { name: 'Add database' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('shop')
  await dialog.getByRole('button', { name: 'Add database' }).click()
  await page.getByRole('heading', { name: 'shop' }).waitFor()
  const [{ username } = { username: '' }] = await listOf(ann)
  for (const name of ['URL', 'psql', 'Node.js', 'PHP', 'Python']) {
    await page.getByRole('button', { name, exact: true }).click()
    await expect.poll(() => page.locator('pre').innerText()).toContain(username)
  }
  expect(await page.locator('pre').innerText()).toContain('••••')
  const shown = async () => (await pages.panel.audited({ action: 'database.credentials_shown' })).length
  expect(await shown()).toBe(0)
  await page.getByRole('button', { name: 'Show password' }).click()
  await page.getByText('Password', { exact: true }).waitFor()
  expect(await page.locator('pre').innerText()).not.toContain('••••')
  expect(await shown()).toBe(1)
  const passwordNow = async () => (await page.locator('code').last().innerText()).trim()
  const before = await passwordNow()
  await page.getByRole('button', { name: 'Rotate password' }).click()
  await page.getByText('Password rotated.').waitFor()
  await expect.poll(passwordNow).not.toBe(before)
  const [{ id } = { id: '' }] = await listOf(ann)
  const { password } = (await ann.request('GET', `/api/databases/${id}`)).json<{ password: string }>()
  expect(await passwordNow()).toBe(password)
  await page.getByRole('button', { name: 'URL', exact: true }).click()
  expect(await page.locator('pre').innerText()).toContain(password)
  await page.getByRole('button', { name: 'Delete database' }).click()
  const sure = page.getByRole('dialog')
  expect(await sure.getByRole('button', { name: 'Delete database' }).isDisabled()).toBe(true)
  await sure.getByRole('textbox').fill('shop')
  await sure.getByRole('button', { name: 'Delete database' }).click()
  await expect.poll(() => listOf(ann)).toEqual([])
  await page.getByText('No databases yet').waitFor()
  expect(complaints).toEqual([])
})

test('SFTP is set up with a command to copy and keys', async () => {
  const key = `ssh-ed25519 ${'AAAAC3NzaC1lZDI1NTE5AAAAI'}${'A'.repeat(43)} ann@laptop`
  const { page, complaints } = await pages.open(ann)
  await page.goto('/sftp')
  await page.getByRole('button', { name: 'Set up SFTP' }).click()
  await page.getByText(/^sftp -P \d+ \S+@/).waitFor()
  await page.getByLabel('Public key').fill('no key')
  await page.getByRole('button', { name: 'Add key' }).click()
  await expect.poll(() => page.locator('[aria-invalid=true], [role=alert]').count()).toBeGreaterThan(0)
  await page.getByLabel('Public key').fill(key)
  await page.getByRole('button', { name: 'Add key' }).click()
  await page.reload()
  await page.getByText(/^sftp -P \d+ \S+@/).waitFor()
  await page.getByRole('button', { name: 'Show password' }).waitFor()
  expect(await pages.panel.audited({ action: 'sftp.credentials_shown' })).toEqual([])
  await page.getByRole('button', { name: 'Remove key ann@laptop' }).click()
  await expect.poll(() => page.getByText('ann@laptop').count()).toBe(0)
  await page.getByRole('button', { name: 'Disable SFTP' }).click()
  await page.getByRole('button', { name: 'Enable SFTP' }).waitFor()
  expect(complaints).toEqual([])
})

test('a database page shows its linked project without revealing the password', async () => {
  const project = await ann.createProject({ name: 'linked-shop' })
  const { id, password } = await newDatabase(ann, { projectId: project.id })
  const { page, complaints } = await pages.open(ann)
  const shown = async () => (await pages.panel.audited({ action: 'database.credentials_shown', targetId: id })).length
  await page.goto(`/databases/${id}`)
  await page.getByRole('link', { name: 'linked-shop' }).waitFor()
  expect(await page.content()).not.toContain(password)
  expect(await shown()).toBe(0)
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByRole('link', { name: 'linked-shop' }).click()
  await page.waitForURL(`**/projects/${project.id}/databases`)
  await page.goto('/databases/nothing')
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(complaints).toEqual([])
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MachineList } from '@panel/contract/machines'
import { checkMachines } from '../../packages/server/src/features/nodes/nodes.jobs.ts'
import type { Client } from '../../packages/server/test/support/panel.ts'
import { accessibilityProblems } from '../support/chromium.ts'
import { lookAt } from '../support/look.ts'
import { type Pages, startPages } from '../support/pages.ts'

let pages: Pages
let admin: Client
let ann: Client
beforeAll(async () => {
  pages = await startPages({ API_BASE_URL: 'http://panel.test' })
  admin = await pages.panel.signUp('ada')
  ann = await pages.panel.signUp('ann')
  await ann.createProject({ name: 'shop' })
  await checkMachines(pages.panel.deps)
})
afterAll(() => pages?.close())

test('shows the machine, its site and why it is there, and saves labels', async () => {
  const { page, complaints } = await pages.open(admin)
  await page.goto('/server/machines')
  await page.getByRole('link', { name: 'local' }).waitFor()
  expect(await lookAt(page, 'machines', 0)).toEqual([])
  await page.getByRole('link', { name: 'local' }).click()
  await page.getByRole('cell', { name: 'shop' }).waitFor()
  await page.getByText(/^The files of the project are|^It is the only machine/).waitFor()
  expect(await lookAt(page, 'machine', 1)).toEqual([])
  await page.getByRole('textbox', { name: 'Labels' }).fill('ssd')
  await page.getByRole('button', { name: 'Save labels' }).click()
  await page.getByText('Labels saved').waitFor()
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText('local takes no new projects').waitFor()
  const { machines } = (await admin.request('GET', '/api/machines')).json<MachineList>()
  expect(machines[0]).toMatchObject({ labels: ['ssd'], status: 'PAUSED' })
  expect(complaints).toEqual([])
})

test('shows a command, with which a machine adds itself', async () => {
  const { page, complaints } = await pages.open(admin)
  await page.goto('/server/machines')
  await page.getByRole('button', { name: 'Add machine' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill('m3')
  await dialog.getByRole('button', { name: 'Create command' }).click()
  const command = await dialog.getByRole('code').innerText()
  expect(await accessibilityProblems(page)).toEqual([])
  const token = / ([\w-]{43}) /.exec(command)![1]
  const payload = { token, hostKey: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ4kV2d1lMBUuVkzVzNq', port: 22 }
  await pages.panel.app.inject({ method: 'POST', url: '/api/machine-joins/use', payload })
  await dialog.getByText('m3 was added').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await page.getByRole('link', { name: 'm3' }).waitFor()
  expect(complaints).toEqual([])
})

test('adds a machine that is not reachable yet, and removes it', async () => {
  const { page, complaints } = await pages.open(admin)
  await page.goto('/server/machines')
  await page.getByRole('button', { name: 'Add machine' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Add it without a command' }).click()
  await dialog.getByText('authorized_keys').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await dialog.getByLabel('Key of its SSH server').fill('ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ4kV2d1lMBUuVkzVzNq')
  await dialog.getByLabel('Address').fill('10.0.0.2')
  await dialog.getByLabel('Name', { exact: true }).fill('m2')
  await dialog.getByLabel('Traffic between this server and sites there').selectOption('Encrypted')
  await dialog.getByRole('button', { name: 'Add machine' }).click()
  await page.getByText('Not reached yet').first().waitFor()
  await page.getByRole('link', { name: 'm2' }).click()
  await page.getByText(/cannot connect over SSH/).waitFor()
  await page.getByText('Encrypted', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Turn off encryption' }).click()
  await page.getByText('Not encrypted', { exact: true }).waitFor()
  await page.getByLabel('Public IPv4 address').fill('203.0.113.2')
  await page.getByRole('button', { name: 'Let visitors use it' }).click()
  const end = page.getByRole('button', { name: 'Stop serving visitors' })
  await end.waitFor()
  expect(await page.getByLabel('Public IPv4 address').inputValue()).toBe('203.0.113.2')
  expect(await accessibilityProblems(page)).toEqual([])
  await end.click()
  await page.getByRole('button', { name: 'Let visitors use it' }).waitFor()
  await page.getByRole('button', { name: 'Remove machine' }).click()
  await page.getByRole('dialog').getByRole('textbox').fill('m2')
  await page.getByRole('dialog').getByRole('button', { name: 'Remove machine' }).click()
  await page.getByText('m2 removed').waitFor()
  expect(complaints).toEqual([])
})

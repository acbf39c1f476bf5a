import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { CertificateEnvironment } from './certificate-environment.ts'
import { dig, nameservers } from './dns-environment.ts'
import type { GitHttpServer } from './git-server.ts'
import { nodeSite } from './sites.ts'

export const password = 'correct horse battery'
export const timeoutMs = { timeout: 240_000 }

export interface Site {
  repository: string
  project: string
  host: string
}

export async function signIn(page: Page, email: string): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
}

/** Open pages then ask for sign-in. */
export async function signOut(page: Page, path: string): Promise<void> {
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL('**/login')
  await page.goto(path)
  await page.waitForURL('**/login?next=*')
}

export const go = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click()

const tab = (page: Page, name: string) =>
  page
    .getByRole('navigation', { name: /sections/i })
    .getByRole('link', { name, exact: true })
    .click()

export const history = (page: Page) =>
  page.getByRole('navigation', { name: 'Deployment history' }).getByRole('listitem')

/** User journey through the dashboard on a real panel, as the signed-in account. */
export function createJourney(environment: CertificateEnvironment, git: GitHttpServer) {
  const { panel, dns } = environment
  const visit = async (hostname: string) => (await panel.visit(hostname)).body
  return {
    visit,

    async deploy(page: Page, repository: string, word: string): Promise<Site> {
      const [, name = ''] = repository.split('/')
      await git.createRepository(repository, nodeSite(word))
      // The overview has this field and button too.
      await page.getByRole('heading', { name: 'New project', level: 1 }).waitFor()
      await page.getByLabel('Repository URL').fill(git.url(repository))
      await page.getByRole('button', { name: 'Inspect repository' }).click()
      await page.getByRole('button', { name: 'Deploy' }).click()
      await page.waitForURL('**/deployments?d=*')
      const project = /projects\/([^/]+)/.exec(page.url())![1]!
      await page.getByRole('region', { name: 'Deployment log' }).getByText('Step 1/').first().waitFor(timeoutMs)
      await page.getByText('Live', { exact: true }).first().waitFor(timeoutMs)
      const link = page.getByRole('link', { name: new RegExp(`^${name}\\.`) })
      const host = (await link.innerText()).trim()
      await expect.poll(() => visit(host)).toContain(word)
      return { repository, project, host }
    },

    async addDomain(page: Page, { project }: Site, hostname: string, word: string): Promise<void> {
      await go(page, 'Domains')
      await page.getByRole('button', { name: 'Add domain' }).click()
      await page.getByLabel('Hostname').fill(hostname)
      await page.getByRole('dialog').getByRole('button', { name: 'Add domain' }).click()
      const value = page.locator('code', { hasText: /^panel-/ })
      await value.waitFor()
      dns.set(`_panel-challenge.${hostname}`, 'TXT', [await value.innerText()])
      dns.set(hostname, 'A', ['127.0.0.1'])
      dns.set(hostname, 'NS', nameservers)
      // The page verifies the domain without a click, as soon as the record is found.
      await page.getByText('Active', { exact: true }).first().waitFor(timeoutMs)
      await tab(page, 'DNS')
      await page.getByRole('button', { name: 'Switch to managed DNS' }).click()
      await page.getByRole('button', { name: 'Switch to external DNS' }).waitFor()
      await page.goto(`/projects/${project}/domains`)
      await page.getByRole('combobox', { name: 'Domain' }).selectOption({ label: hostname })
      await page.getByRole('button', { name: 'Attach domain' }).click()
      await expect.poll(() => visit(hostname)).toContain(word)
    },

    async addRecord(page: Page, hostname: string): Promise<void> {
      await go(page, 'Domains')
      await page.getByRole('link', { name: hostname }).click()
      await tab(page, 'DNS')
      const form = page.getByRole('form', { name: 'Add record' })
      await form.getByLabel('Name').fill('status')
      await form.getByLabel('Value').fill('203.0.113.9')
      await form.getByRole('button', { name: 'Add record' }).click()
      await expect.poll(async () => (await dig(panel, `status.${hostname}`, 'A')).values).toEqual(['203.0.113.9'])
    },

    async orderCertificate(page: Page, hostname: string): Promise<void> {
      await tab(page, 'Certificate')
      const order = page.getByRole('button', { name: 'Request certificate' })
      const failed = page.getByRole('main').getByRole('alert')
      const issued = page.getByText(/\d days left/)
      // A certificate may have been ordered automatically.
      await page.getByText('Issuing').or(issued).or(order).or(failed).first().waitFor(timeoutMs)
      if (await order.isVisible()) await order.click()
      await issued.or(failed).first().waitFor(timeoutMs)
      if (await failed.isVisible()) await page.getByRole('button', { name: 'Renew certificate' }).click()
      await issued.waitFor(timeoutMs)
      await expect.poll(async () => (await environment.shakeHands(hostname)).isTrusted).toBe(true)
      await expect.poll(async () => (await panel.visit(hostname)).status).toBe(301)
    },

    async writeFile(page: Page, { project }: Site, text: string): Promise<void> {
      await page.goto(`/projects/${project}/files`)
      await page.getByRole('button', { name: 'New file' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Name').fill('motd.txt')
      await dialog.getByRole('button', { name: 'Create' }).click()
      const editor = page.getByRole('textbox', { name: 'motd.txt', exact: true })
      const refusal = dialog.getByRole('alert')
      await editor.or(refusal).first().waitFor(timeoutMs)
      if (await refusal.isVisible()) throw new Error(`no file was created: ${await refusal.textContent()}`)
      await editor.click()
      await page.keyboard.type(text)
      await page.keyboard.press('Control+s')
      await page.getByText('motd.txt saved').waitFor()
      const read = await page.request.get(`/api/files/${project}/read?path=motd.txt`)
      expect(await read.json()).toMatchObject({ content: text })
    },

    async addDatabase(page: Page, name: string): Promise<void> {
      await go(page, 'Databases')
      await page.getByRole('button', { name: 'Add database' }).click()
      await page.getByRole('dialog').getByLabel('Name').fill(name)
      await page.getByRole('dialog').getByRole('button', { name: 'Add database' }).click()
      await page.getByRole('heading', { name }).waitFor()
      await page.getByRole('button', { name: 'Test connection' }).click()
      await page.getByRole('status').filter({ hasText: 'Connection successful' }).waitFor()
    },

    async rollBack(page: Page, { repository, project, host }: Site, word: string): Promise<void> {
      await git.commit(repository, nodeSite('not what was wanted'), 'Change the words')
      await page.goto(`/projects/${project}/deployments`)
      await page.getByRole('button', { name: 'Deploy', exact: true }).click()
      await expect.poll(() => visit(host), timeoutMs).toContain('not what was wanted')
      await expect.poll(() => history(page).count()).toBe(2)
      await history(page).nth(1).getByRole('link').click()
      await page.getByRole('button', { name: 'Roll back to this' }).click()
      await expect.poll(() => visit(host), timeoutMs).toContain(word)
    }
  }
}

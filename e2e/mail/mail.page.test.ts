import { createNoDeliveryLog, createNoMailQueue } from '../../packages/server/src/infra/mail-server/no-mail-server.ts'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DkimKeyList } from '@panel/contract/dkim-keys'
import type { MailboxImportList } from '@panel/contract/mailbox-imports'
import type { MailAliasList, MailboxList } from '@panel/contract/mailboxes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MemoryMailQueue } from '../../packages/server/test/fakes/memory-mail-queue.ts'
import { addDomain, addManagedDomain, addVerifiedDomain } from '../../packages/server/test/support/domains.ts'
import { mailServerOf, newMailbox } from '../../packages/server/test/support/mail.ts'
import type { Client } from '../../packages/server/test/support/panel.ts'
import { accessibilityProblems } from '../support/chromium.ts'
import { type Pages, startPages } from '../support/pages.ts'

let pages: Pages
let ada: Client
let ann: Client
beforeAll(async () => {
  pages = await startPages({ DNS_NAMESERVERS: 'ns1.example.net', PUBLIC_IP: '203.0.113.1', PANEL_DOMAIN: 'panel.test' })
  ada = await pages.panel.signUp('ada')
  ann = await pages.panel.signUp('ann')
})
afterAll(() => pages?.close())

const mailboxesOf = async (client: Client) =>
  (await client.request('GET', '/api/mailboxes')).json<MailboxList>().mailboxes
const aliasesOf = async (client: Client) =>
  (await client.request('GET', '/api/mail/aliases'))
    .json<MailAliasList>()
    .aliases.map(({ address, targets }) => [address, ...targets])

test('a mailbox requires a domain; its password is shown once; deletion requires its address and can be undone', async () => {
  const { page, complaints } = await pages.open(ann)
  await page.goto('/mail')
  await page.getByText('No verified domain yet').waitFor()
  expect(await page.getByRole('button', { name: 'Add mailbox' }).isDisabled()).toBe(true)
  await addManagedDomain(ann, 'ann.example.com')
  await page.reload()
  await page.getByText('No mailboxes yet').waitFor()
  await page.getByRole('button', { name: 'Add mailbox' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Local part').fill('in fo')
  await dialog.getByRole('button', { name: 'Add mailbox' }).click()
  await dialog.getByText(/^Must consist of letters, digits/).waitFor()
  await dialog.getByLabel('Local part').fill('info')
  const chosen = await dialog.getByLabel('Password').inputValue()
  expect(chosen).toMatch(/^\w{5}-\w{5}-\w{5}-\w{5}$/)
  await dialog.getByRole('button', { name: 'Add mailbox' }).click()
  await dialog.getByText(chosen).waitFor()
  await dialog.getByRole('button', { name: 'I have saved the password' }).click()
  await page.getByRole('heading', { name: 'info@ann.example.com' }).waitFor()
  expect(await page.getByText(chosen).count()).toBe(0)
  await page.getByRole('link', { name: 'Open webmail' }).waitFor()
  await page.getByRole('cell', { name: 'Inbound mail (IMAP)' }).first().waitFor()
  await page.getByRole('button', { name: 'Disable sign-in' }).click()
  await page.getByRole('button', { name: 'Enable sign-in' }).waitFor()
  expect((await mailboxesOf(ann))[0]).toMatchObject({ enabled: false, quota: 1024 })
  await page.getByRole('textbox', { name: 'Storage quota' }).fill('2048')
  await page.getByRole('button', { name: 'Save quota' }).click()
  await expect.poll(async () => (await mailboxesOf(ann))[0]?.quota).toBe(2048)
  await page.getByRole('button', { name: 'Delete mailbox' }).click()
  const sure = page.getByRole('dialog')
  expect(await sure.getByRole('button', { name: 'Delete mailbox' }).isDisabled()).toBe(true)
  await sure.getByRole('textbox').fill('info@ann.example.com')
  await sure.getByRole('button', { name: 'Delete mailbox' }).click()
  await page.getByText('No mailboxes yet').waitFor()
  await page.getByRole('link', { name: 'Deleted' }).click()
  await page.getByRole('button', { name: 'Restore mailbox info@ann.example.com' }).click()
  await page.getByRole('heading', { name: 'info@ann.example.com' }).waitFor()
  expect(await mailboxesOf(ann)).toHaveLength(1)
  expect(complaints).toEqual([])
})

test('while a mail server is down, lists name the problem and show stored data', async () => {
  const server = mailServerOf(pages.panel)
  const answers = server.answers
  const cleo = await pages.panel.signUp('cleo')
  const { id } = await addVerifiedDomain(cleo, 'cleo.example.com')
  await newMailbox(cleo, id, { localPart: 'cleo' })
  server.answers = { ...answers, imap: { ...answers.imap, port143Open: false, port993Open: false } }
  const { page, complaints } = await pages.open(cleo)
  await page.goto('/mail')
  const isNotified = async () => {
    await page.reload()
    const notice = page.getByText(/^The IMAP server is not fully/).waitFor({ timeout: 5_000 })
    return notice.then(() => true, () => false) // oxfmt-ignore
  }
  await expect.poll(isNotified, { timeout: 120_000 }).toBe(true)
  await page.getByRole('link', { name: 'cleo@cleo.example.com' }).waitFor()
  server.answers = answers
  expect(complaints).toEqual([])
})

test('a long list is searched by address and domain, with usage', async () => {
  const { id } = await addVerifiedDomain(ada, 'one.example.com')
  const other = await addVerifiedDomain(ada, 'two.example.com')
  for (let number = 0; number < 26; number++) await newMailbox(ada, id, { localPart: `user${number}`, quota: 1 })
  await newMailbox(ada, other.id, { localPart: 'full', quota: 1 })
  mailServerOf(pages.panel).mail.set('full@two.example.com', ['m'.repeat(1024 ** 2)])
  const { page, complaints } = await pages.open(ada)
  await page.goto('/mail')
  await page.getByText('1–25 of 27').waitFor()
  await page.getByRole('link', { name: 'Next page' }).click()
  await page.getByRole('link', { name: 'full@two.example.com' }).waitFor()
  expect(await page.getByText('1 MB of 1 MB').count()).toBe(1)
  await page.getByLabel('Domain').selectOption('one.example.com')
  await expect.poll(() => page.getByRole('row').count()).toBe(26)
  await page.getByLabel('Search addresses').fill('user25')
  await expect.poll(() => page.getByRole('row').count()).toBe(2)
  expect(new URL(page.url()).searchParams.get('domain')).toBe(id)
  await page.getByLabel('Search addresses').fill('nobody')
  await page.getByText('No results', { exact: true }).waitFor()
  expect(complaints).toEqual([])
})

test('aliases point to mailboxes and external addresses, and deletion can be undone', async () => {
  const bea = await pages.panel.signUp('bea')
  const domain = await addVerifiedDomain(bea, 'bea.example.com')
  const mailbox = await newMailbox(bea, domain.id, { localPart: 'bea' })
  const { page, complaints } = await pages.open(bea)
  await page.goto('/mail/aliases')
  await page.getByRole('button', { name: 'Add alias' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Local part').fill('*')
  await dialog.getByLabel('Forward to').fill('bea@bea.example.com, bea@example.org')
  await dialog.getByRole('button', { name: 'Add alias' }).click()
  await page.getByText('catch-all', { exact: true }).waitFor()
  expect(await aliasesOf(bea)).toEqual([['*@bea.example.com', 'bea@bea.example.com', 'bea@example.org']])
  await page.goto(`/mail/${mailbox.id}/forwarding`)
  await page.getByLabel('Local part').fill('sales')
  await page.getByRole('button', { name: 'Add alias' }).click()
  await page.getByText('sales@bea.example.com').waitFor()
  await page.getByRole('button', { name: 'Set up forwarding' }).click()
  await page.getByLabel('Forward to').fill('copy@example.org')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('code').filter({ hasText: 'copy@example.org' }).waitFor()
  await expect.poll(() => aliasesOf(bea)).toContainEqual(['bea@bea.example.com', 'copy@example.org'])
  await page.getByRole('button', { name: 'Stop forwarding' }).click()
  await page.getByText('Forwarding is off.').waitFor()
  await page.getByRole('button', { name: 'Remove sales@bea.example.com' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Remove sales@bea.example.com' }).click()
  await page.getByRole('link', { name: 'Autoreply' }).click()
  await expect.poll(async () => (await aliasesOf(bea)).map(([address]) => address)).toEqual(['*@bea.example.com'])
  expect(complaints).toEqual([])
})

test('an autoreply is set and removed, and a mailbox is imported', async () => {
  const domain = await addVerifiedDomain(ann, 'reply.example.com')
  const { id } = await newMailbox(ann, domain.id, { localPart: 'ann' })
  const { page, complaints } = await pages.open(ann)
  await page.goto(`/mail/${id}/reply`)
  await page.getByText('Autoreply is off.').waitFor()
  await page.getByRole('textbox', { name: 'Text' }).fill('Back on Monday.')
  await page.getByLabel('From').fill('2020-01-02T08:00')
  await page.getByLabel('Until').fill('2020-01-01T08:00')
  await page.getByRole('button', { name: 'Save autoreply' }).click()
  await page.getByText('Must be after from').waitFor()
  await page.getByLabel('Until').fill('')
  await page.getByRole('button', { name: 'Save autoreply' }).click()
  await page.getByText('Autoreply is on.').waitFor()
  const reply = (await ann.request('GET', `/api/mailboxes/${id}/autoreply`)).json<object>()
  expect(reply).toMatchObject({ subject: null, text: 'Back on Monday.', until: null })
  await page.getByRole('button', { name: 'Remove autoreply' }).click()
  await page.getByText('Autoreply is off.').waitFor()
  await page.getByRole('link', { name: 'Import' }).click()
  await page.getByRole('textbox', { name: 'Server' }).fill('imap.example.net')
  await page.getByLabel('Source username').fill('ann@example.net')
  await page.getByLabel('Source password').fill('the password of elsewhere')
  await page.getByRole('button', { name: 'Start import' }).click()
  await page.getByText('Queued').waitFor()
  await page.getByRole('button', { name: 'Cancel import' }).click()
  await page.getByText('Cancelled', { exact: true }).waitFor()
  const { imports } = (await ann.request('GET', `/api/mailboxes/${id}/imports`)).json<MailboxImportList>()
  expect(imports.map(({ status, port }) => [status, port])).toEqual([['CANCELLED', 993]])
  expect(complaints).toEqual([])
})

test('accounts or servers without mail have no mail navigation', async () => {
  const none = await pages.panel.createUser(ada, { name: 'none', maxMailboxes: 0 })
  const { page } = await pages.open(none)
  await page.goto('/')
  const nav = page.getByRole('navigation', { name: 'Main' })
  await nav.getByRole('link', { name: 'Domains' }).waitFor()
  expect(await nav.getByRole('link', { name: 'Mail' }).count()).toBe(0)
  const { page: other } = await pages.open(ann)
  await other.route('**/api/health', async (route) => {
    const { parts, ...health } = (await (await route.fetch()).json()) as { parts: Record<string, unknown> }
    delete parts.mailTransfer
    await route.fulfill({ json: { ...health, parts } })
  })
  await other.goto('/')
  await expect.poll(() => other.getByRole('link', { name: 'Domains' }).count()).toBeGreaterThan(0)
  await expect.poll(() => other.getByRole('link', { name: 'Mail' }).count()).toBe(0)
})

test('mail is enabled for a domain: records, score, key rotation and retirement', async () => {
  const { id } = await addVerifiedDomain(ada, 'elsewhere.example.com')
  const unverified = await addDomain(ada, 'unverified.example.com')
  const { page, complaints } = await pages.open(ada)
  await page.goto(`/domains/${unverified.id}/mail`)
  await page.getByText('Domain is not verified').waitFor()
  await page.goto(`/domains/${id}`)
  await page.getByRole('navigation', { name: 'Domain sections' }).getByRole('link', { name: 'Mail' }).click()
  await page.getByRole('button', { name: 'Enable mail' }).click()
  const records = page.getByRole('region', { name: 'Required records' })
  await records.getByText(/records found$/).click()
  await records.getByText('Authorized senders (SPF)').waitFor()
  await records.getByText('default._domainkey.elsewhere.example.com').waitFor()
  expect(await records.getByRole('button', { name: 'Copy' }).count()).toBeGreaterThan(8)
  await page.getByRole('button', { name: 'Check DNS' }).click()
  await page.getByRole('heading', { name: 'Sending server' }).waitFor()
  await page.getByRole('button', { name: 'Rotate key' }).click()
  await page.getByText('Retiring').waitFor()
  await page.getByRole('button', { name: 'Retire key default' }).click()
  const sure = page.getByRole('dialog')
  await sure.getByRole('textbox').fill('default')
  await sure.getByRole('button', { name: 'Retire' }).click()
  await page.getByText('Retired', { exact: true }).waitFor()
  const { keys } = (await ada.request('GET', `/api/mail/dkim/${id}`)).json<DkimKeyList>()
  expect(keys.map(({ status }) => status)).toEqual(['ACTIVE', 'RETIRED'])
  await page.getByLabel('Mode').selectOption('None: no policy')
  await page.getByRole('button', { name: 'Save policy' }).click()
  await expect.poll(async () => (await ada.request('GET', `/api/mail/auth/${id}/mta-sts`)).json<{ mode: string }>().mode).toBe('none') // oxfmt-ignore
  await page.getByText('No DMARC reports yet').waitFor()
  expect(complaints).toEqual([])
})

test('spam settings are changed, and an invalid sender is reported with its line', async () => {
  const domain = await addManagedDomain(ann, 'spam.example.com')
  await newMailbox(ann, domain.id)
  const settings = async () => (await ann.request('GET', `/api/mail/spam/${domain.id}`)).json<object>()
  const { page, complaints } = await pages.open(ann, { width: 360, height: 740 })
  await page.goto(`/domains/${domain.id}/mail`)
  const form = page.getByRole('form', { name: 'Spam' })
  await form.getByLabel('Junk threshold').fill('4.5')
  await form.getByLabel('Greylist suspicious mail').uncheck()
  await form.getByLabel('Allowed senders').fill('friend@example.org\nno sender\n')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText(/^Line 2 must be an address/).waitFor()
  await form.getByLabel('Allowed senders').fill('friend@example.org\n\nexample.net')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect
    .poll(settings)
    .toMatchObject({ junkScore: 4.5, greylisting: false, allow: ['example.net', 'friend@example.org'], deny: [] })
  await expect.poll(() => form.getByLabel('Allowed senders').inputValue()).toBe('example.net\nfriend@example.org')
  await form.getByLabel('Reject threshold').fill('2')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByRole('alert').or(form.locator('[aria-invalid=true]')).first().waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
  expect(await accessibilityProblems(page)).toEqual([])
  expect(complaints).toEqual([])
})

test('a delivery test shows its progress and results', async () => {
  const domain = await addManagedDomain(ann, 'delivers.example.com')
  const { id } = await newMailbox(ann, domain.id)
  const { page, complaints } = await pages.open(ann)
  await page.goto(`/mail/${id}`)
  const form = page.getByRole('form', { name: 'Delivery test' })
  await expect.poll(() => form.getByLabel('To').inputValue()).toBe(ann.user.email)
  await form.getByLabel('To').fill('somebody@example.org')
  await form.getByRole('button', { name: 'Send test message' }).click()
  await expect.poll(() => form.getByLabel('To').getAttribute('aria-invalid')).toBe('true')
  await form.getByLabel('To').fill('delivery-test@mail.panel.example.net')
  await form.getByRole('button', { name: 'Send test message' }).click()
  const region = page.getByRole('region', { name: 'Delivery test' })
  await region.getByText('Queued on our server').waitFor()
  await expect
    .poll(() => region.getByRole('listitem').allInnerTexts())
    .toEqual([
      expect.stringMatching(/^Accepted\s*: passed\s*Accepted by our mail server as/),
      ...['Delivered', 'Encrypted', 'SPF', 'DKIM', 'DMARC'].map((name) =>
        expect.stringMatching(new RegExp(`^${name}\\s*: pending`))
      )
    ])
  expect(await accessibilityProblems(page)).toEqual([])
  expect(complaints).toEqual([])
})

test('an administrator holds, releases, retries and deletes queued mail, and sees when the server is down', async () => {
  const queue = pages.panel.deps.mailQueue as MemoryMailQueue
  const [id, other] = ['4jXzYh19STzXS6P', '4jXzYh35rGzXS80']
  for (const each of [id, other])
    queue.messages.set(each, {
      id: each,
      queue: 'deferred',
      arrivedAt: new Date(),
      bytes: 615,
      sender: each === id ? 'ann@one.example.com' : '',
      recipients: [{ address: 'bob@example.net', reason: 'connect to mx.example.net: Connection refused' }],
      recipientCount: 21
    })
  const { page, complaints } = await pages.open(ada)
  await page.goto('/mail')
  await page.getByRole('link', { name: 'Queue' }).click()
  await page.getByText('ann@one.example.com').waitFor()
  expect(await page.getByText('and 20 more').count()).toBe(2)
  await page.getByRole('button', { name: `Hold ${id}` }).click()
  await page.getByRole('cell', { name: 'On hold' }).waitFor()
  await page.getByRole('link', { name: 'On hold' }).click()
  await expect.poll(() => page.getByText('Bounce message').count()).toBe(0)
  await page.getByRole('button', { name: `Release ${id}` }).click()
  await page.getByText('No results', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'All', exact: true }).click()
  await page.getByRole('button', { name: `Retry ${id}` }).click()
  await expect.poll(() => queue.tried).toEqual([id])
  await page.getByRole('button', { name: 'Retry all messages' }).click()
  await expect.poll(() => queue.tried).toEqual([id, 'all'])
  await page.getByRole('button', { name: `Delete ${other}` }).click()
  await expect.poll(() => page.getByText('Bounce message').count()).toBe(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Bounce message').waitFor()
  await page.getByRole('button', { name: `Delete ${other}` }).click()
  await expect.poll(() => queue.messages.has(other), { timeout: 15_000 }).toBe(false)
  expect(complaints).toEqual([])
  queue.isUnavailable = true
  await page.goto('/mail/queue')
  await page.getByText('A server component is unavailable').waitFor()
  expect(await page.getByRole('button', { name: 'Retry all messages' }).isDisabled()).toBe(true)
  queue.isUnavailable = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('ann@one.example.com').waitFor()
})

test('administrators search the delivery log by address, domain and result', async () => {
  const at = 'Jan  5 08:00:00 mail postfix'
  const lines = [
    `${at}/qmgr[1]: 4jXzYh19STzXS6P: from=<ann@one.test>, size=615, nrcpt=2 (queue active)`,
    `${at}/smtp[1]: 4jXzYh19STzXS6P: to=<bob@example.net>, relay=mx.example.net[192.0.2.25]:25, delay=1.4, delays=1/0.2/0.1/0.1, dsn=2.0.0, status=sent (250 2.0.0 Ok: queued as 5B1D31C0A1)`,
    `${at}/smtp[1]: 4jXzYh19STzXS6P: to=<eve@example.org>, relay=none, delay=30, delays=0/0/30/0, dsn=4.4.1, status=deferred (<img src=x onerror=alert(1)>)`,
    ''
  ]
  const directory = join(pages.panel.deps.config.DATA_DIR, 'mail')
  await mkdir(directory, { recursive: true })
  await writeFile(join(directory, 'mail.log'), lines.join('\n'))
  const { page, complaints } = await pages.open(ada)
  await page.goto('/mail/log')
  await page.getByText('250 2.0.0 Ok: queued as 5B1D31C0A1').waitFor()
  await page.getByText('<img src=x onerror=alert(1)>').waitFor()
  await page.getByRole('link', { name: 'Deferred' }).click()
  await expect.poll(() => page.getByText('bob@example.net').count()).toBe(0)
  await page.getByRole('link', { name: 'All', exact: true }).click()
  await page.getByLabel('Search address or domain').fill('example.net')
  await expect.poll(() => page.getByText('eve@example.org').count()).toBe(0)
  await page.getByText('bob@example.net').waitFor()
  await page.getByLabel('Search address or domain').fill('nobody@example.net')
  await page.getByText('No results', { exact: true }).waitFor()
  expect(complaints).toEqual([])
  const { page: other } = await pages.open(ann)
  await other.goto('/mail/log')
  await other.getByText('You do not have access').waitFor()
  expect(await other.getByRole('link', { name: 'Queue' }).count()).toBe(0)
})

test('without mail, the queue and log pages say so without requests', async () => {
  const without = await startPages(
    { MAIL: 'off' },
    { mailQueue: createNoMailQueue(), deliveryLog: createNoDeliveryLog() }
  )
  try {
    const { page, complaints } = await without.open(await without.panel.signUp())
    for (const path of ['/mail/queue', '/mail/log']) {
      await page.goto(path)
      await page.getByText('Mail is off').waitFor()
    }
    expect(complaints).toEqual([])
  } finally {
    await without.close()
  }
})

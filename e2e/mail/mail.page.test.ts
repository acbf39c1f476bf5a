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

test('a mailbox takes a domain first; its password is shown once, and it goes by its address and comes back', async () => {
  const { page, complaints } = await pages.open(ann)
  await page.goto('/mail')
  await page.getByText('No verified domain yet').waitFor()
  expect(await page.getByRole('button', { name: 'Add mailbox' }).isDisabled()).toBe(true)
  await addManagedDomain(ann, 'ann.example.com')
  await page.reload()
  await page.getByText('No mailboxes yet').waitFor()
  await page.getByRole('button', { name: 'Add mailbox' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name before the @').fill('in fo')
  await dialog.getByRole('button', { name: 'Add mailbox' }).click()
  await dialog.getByText(/^Must be letters, digits/).waitFor()
  await dialog.getByLabel('Name before the @').fill('info')
  const chosen = await dialog.getByLabel('Password').inputValue()
  expect(chosen).toMatch(/^\w{5}-\w{5}-\w{5}-\w{5}$/)
  await dialog.getByRole('button', { name: 'Add mailbox' }).click()
  await dialog.getByText(chosen).waitFor()
  await dialog.getByRole('button', { name: 'I have saved it' }).click()
  await page.getByRole('heading', { name: 'info@ann.example.com' }).waitFor()
  expect(await page.getByText(chosen).count()).toBe(0)
  await page.getByRole('link', { name: 'Open webmail' }).waitFor()
  await page.getByRole('cell', { name: 'Incoming (IMAP)' }).first().waitFor()
  await page.getByRole('button', { name: 'Block sign-in' }).click()
  await page.getByRole('button', { name: 'Allow sign-in' }).waitFor()
  expect((await mailboxesOf(ann))[0]).toMatchObject({ enabled: false, quota: 1024 })
  await page.getByRole('textbox', { name: 'Quota' }).fill('2048')
  await page.getByRole('button', { name: 'Change quota' }).click()
  await expect.poll(async () => (await mailboxesOf(ann))[0]?.quota).toBe(2048)
  await page.getByRole('button', { name: 'Delete mailbox' }).click()
  const sure = page.getByRole('dialog')
  expect(await sure.getByRole('button', { name: 'Delete mailbox' }).isDisabled()).toBe(true)
  await sure.getByRole('textbox').fill('info@ann.example.com')
  await sure.getByRole('button', { name: 'Delete mailbox' }).click()
  await page.getByText('No mailboxes yet').waitFor()
  await page.getByRole('link', { name: 'Deleted' }).click()
  await page.getByRole('button', { name: 'Restore info@ann.example.com' }).click()
  await page.getByRole('heading', { name: 'info@ann.example.com' }).waitFor()
  expect(await mailboxesOf(ann)).toHaveLength(1)
  expect(complaints).toEqual([])
})

test('while a mail server is away the lists say what does not work, and keep what the store knows', async () => {
  const server = mailServerOf(pages.panel)
  const answers = server.answers
  const cleo = await pages.panel.signUp('cleo')
  const { id } = await addVerifiedDomain(cleo, 'cleo.example.com')
  await newMailbox(cleo, id, { localPart: 'cleo' })
  server.answers = { ...answers, imap: { ...answers.imap, port143Open: false, port993Open: false } }
  const { page, complaints } = await pages.open(cleo)
  await page.goto('/mail')
  // What the server knows of its parts is some seconds old.
  const isNotified = async () => {
    await page.reload()
    const notice = page.getByText(/^The IMAP server is not responding/).waitFor({ timeout: 5_000 })
    return notice.then(() => true, () => false) // prettier-ignore
  }
  await expect.poll(isNotified, { timeout: 120_000 }).toBe(true)
  await page.getByRole('link', { name: 'cleo@cleo.example.com' }).waitFor()
  server.answers = answers
  expect(complaints).toEqual([])
})

test('a list of many is searched by address and domain, with what each holds', async () => {
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

test('aliases lead to mailboxes and elsewhere, and one that is deleted can be taken back', async () => {
  const bea = await pages.panel.signUp('bea')
  const domain = await addVerifiedDomain(bea, 'bea.example.com')
  const mailbox = await newMailbox(bea, domain.id, { localPart: 'bea' })
  const { page, complaints } = await pages.open(bea)
  await page.goto('/mail/aliases')
  await page.getByRole('button', { name: 'Add alias' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name before the @').fill('*')
  await dialog.getByLabel('Forwards to').fill('bea@bea.example.com, bea@example.org')
  await dialog.getByRole('button', { name: 'Add alias' }).click()
  await page.getByText('catch-all', { exact: true }).waitFor()
  expect(await aliasesOf(bea)).toEqual([['*@bea.example.com', 'bea@bea.example.com', 'bea@example.org']])
  await page.goto(`/mail/${mailbox.id}/forwarding`)
  await page.getByLabel('Name before the @').fill('sales')
  await page.getByRole('button', { name: 'Add alias' }).click()
  await page.getByText('sales@bea.example.com').waitFor()
  await page.getByRole('button', { name: 'Turn on forwarding' }).click()
  await page.getByLabel('Forwards to').fill('copy@example.org')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('code').filter({ hasText: 'copy@example.org' }).waitFor()
  await expect.poll(() => aliasesOf(bea)).toContainEqual(['bea@bea.example.com', 'copy@example.org'])
  await page.getByRole('button', { name: 'Turn off forwarding' }).click()
  await page.getByText('Forwarding is off.').waitFor()
  await page.getByRole('button', { name: 'Remove sales@bea.example.com' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Remove sales@bea.example.com' }).click()
  await page.getByRole('link', { name: 'Autoreply' }).click()
  await expect.poll(async () => (await aliasesOf(bea)).map(([address]) => address)).toEqual(['*@bea.example.com'])
  expect(complaints).toEqual([])
})

test('an out-of-office reply is set and removed, and mail of another server comes in', async () => {
  const domain = await addVerifiedDomain(ann, 'reply.example.com')
  const { id } = await newMailbox(ann, domain.id, { localPart: 'ann' })
  const { page, complaints } = await pages.open(ann)
  await page.goto(`/mail/${id}/reply`)
  await page.getByText('The autoreply is off.').waitFor()
  await page.getByRole('textbox', { name: 'Text' }).fill('Back on Monday.')
  await page.getByLabel('From').fill('2020-01-02T08:00')
  await page.getByLabel('Until').fill('2020-01-01T08:00')
  await page.getByRole('button', { name: 'Save autoreply' }).click()
  await page.getByText('Must be after from').waitFor()
  await page.getByLabel('Until').fill('')
  await page.getByRole('button', { name: 'Save autoreply' }).click()
  await page.getByText('The autoreply is on.').waitFor()
  const reply = (await ann.request('GET', `/api/mailboxes/${id}/autoreply`)).json<object>()
  expect(reply).toMatchObject({ subject: null, text: 'Back on Monday.', until: null })
  await page.getByRole('button', { name: 'Turn off' }).click()
  await page.getByText('The autoreply is off.').waitFor()
  await page.getByRole('link', { name: 'Import' }).click()
  await page.getByRole('textbox', { name: 'Server' }).fill('imap.example.net')
  await page.getByLabel('User name').fill('ann@example.net')
  await page.getByLabel('Password', { exact: true }).fill('the password of elsewhere')
  await page.getByRole('button', { name: 'Start import' }).click()
  await page.getByText('Waiting').waitFor()
  await page.getByRole('button', { name: 'Cancel import' }).click()
  await page.getByText('Cancelled', { exact: true }).waitFor()
  const { imports } = (await ann.request('GET', `/api/mailboxes/${id}/imports`)).json<MailboxImportList>()
  expect(imports.map(({ status, port }) => [status, port])).toEqual([['CANCELLED', 993]])
  expect(complaints).toEqual([])
})

test('who may have no mailbox, and whose server has no mail, finds nothing of it in the navigation', async () => {
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

test('mail is switched on for a domain: records to copy, a score, and keys that are replaced and retired', async () => {
  const { id } = await addVerifiedDomain(ada, 'elsewhere.example.com')
  const unverified = await addDomain(ada, 'unverified.example.com')
  const { page, complaints } = await pages.open(ada)
  await page.goto(`/domains/${unverified.id}/mail`)
  await page.getByText('Verify the domain first').waitFor()
  await page.goto(`/domains/${id}`)
  await page.getByRole('navigation', { name: 'Domain sections' }).getByRole('link', { name: 'Mail' }).click()
  await page.getByRole('button', { name: 'Turn on mail' }).click()
  const records = page.getByRole('region', { name: 'Records to set' })
  await records.getByText(/records exist$/).click()
  await records.getByText('Allowed senders (SPF)').waitFor()
  await records.getByText('default._domainkey.elsewhere.example.com').waitFor()
  expect(await records.getByRole('button', { name: 'Copy' }).count()).toBeGreaterThan(8)
  await page.getByRole('button', { name: 'Check now' }).click()
  await page.getByRole('heading', { name: 'Sending server' }).waitFor()
  await page.getByRole('button', { name: 'Rotate key' }).click()
  await page.getByText('Both valid').waitFor()
  await page.getByRole('button', { name: 'Retire default' }).click()
  const sure = page.getByRole('dialog')
  await sure.getByRole('textbox').fill('default')
  await sure.getByRole('button', { name: 'Retire' }).click()
  await page.getByText('Retired', { exact: true }).waitFor()
  const { keys } = (await ada.request('GET', `/api/mail/dkim/${id}`)).json<DkimKeyList>()
  expect(keys.map(({ status }) => status)).toEqual(['ACTIVE', 'RETIRED'])
  await page.getByLabel('Mode').selectOption('None: no policy')
  await page.getByRole('button', { name: 'Save policy' }).click()
  await expect.poll(async () => (await ada.request('GET', `/api/mail/auth/${id}/mta-sts`)).json<{ mode: string }>().mode).toBe('none') // prettier-ignore
  await page.getByText('No reports yet').waitFor()
  expect(complaints).toEqual([])
})

test('what is done with spam to a domain is changed, and a wrong sender is told with its line', async () => {
  const domain = await addManagedDomain(ann, 'spam.example.com')
  await newMailbox(ann, domain.id)
  const settings = async () => (await ann.request('GET', `/api/mail/spam/${domain.id}`)).json<object>()
  const { page, complaints } = await pages.open(ann, { width: 360, height: 740 })
  await page.goto(`/domains/${domain.id}/mail`)
  const form = page.getByRole('form', { name: 'Spam' })
  await form.getByLabel('Junk score').fill('4.5')
  await form.getByLabel('Greylisting').uncheck()
  await form.getByLabel('Allowed senders').fill('friend@example.org\nno sender\n')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText(/^Line 2 must be an address/).waitFor()
  await form.getByLabel('Allowed senders').fill('friend@example.org\n\nexample.net')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect
    .poll(settings)
    .toMatchObject({ junkScore: 4.5, greylisting: false, allow: ['example.net', 'friend@example.org'], deny: [] })
  await expect.poll(() => form.getByLabel('Allowed senders').inputValue()).toBe('example.net\nfriend@example.org')
  await form.getByLabel('Reject score').fill('2')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByRole('alert').or(form.locator('[aria-invalid=true]')).first().waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
  expect(await accessibilityProblems(page)).toEqual([])
  expect(complaints).toEqual([])
})

test('a test message says how far it has come, and what was found on the way', async () => {
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
  await region.getByText('Queued here').waitFor()
  await expect
    .poll(() => region.getByRole('listitem').allInnerTexts())
    .toEqual([
      expect.stringMatching(/^Accepted\s*: passed\s*Our mail server has it as/),
      ...['Delivered', 'Encrypted', 'SPF', 'DKIM', 'DMARC'].map((name) =>
        expect.stringMatching(new RegExp(`^${name}\\s*: not known yet`))
      )
    ])
  expect(await accessibilityProblems(page)).toEqual([])
  expect(complaints).toEqual([])
})

test('an administrator holds, releases, tries and deletes what waits, and is told when the mail server is away', async () => {
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
  await page.getByRole('button', { name: `Deliver ${id} now` }).click()
  await expect.poll(() => queue.tried).toEqual([id])
  await page.getByRole('button', { name: 'Deliver all now' }).click()
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
  expect(await page.getByRole('button', { name: 'Deliver all now' }).isDisabled()).toBe(true)
  queue.isUnavailable = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('ann@one.example.com').waitFor()
})

test('the delivery log says what became of messages, by address, domain and result, to an administrator alone', async () => {
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
  await page.getByLabel('Address or domain').fill('example.net')
  await expect.poll(() => page.getByText('eve@example.org').count()).toBe(0)
  await page.getByText('bob@example.net').waitFor()
  await page.getByLabel('Address or domain').fill('nobody@example.net')
  await page.getByText('No results', { exact: true }).waitFor()
  expect(complaints).toEqual([])
  const { page: other } = await pages.open(ann)
  await other.goto('/mail/log')
  await other.getByText('You do not have access').waitFor()
  expect(await other.getByRole('link', { name: 'Queue' }).count()).toBe(0)
})

test('a panel without mail says so in the place of the queue and the log, and asks for neither', async () => {
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

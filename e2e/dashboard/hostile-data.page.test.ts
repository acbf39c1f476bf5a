import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deployments } from '../../packages/server/src/db/schema/deployments.ts'
import { notifications } from '../../packages/server/src/db/schema/notifications.ts'
import { newId } from '../../packages/server/src/security/ids.ts'
import { createMemoryGit } from '../../packages/server/test/fakes/memory-git.ts'
import type { MemoryMailQueue } from '../../packages/server/test/fakes/memory-mail-queue.ts'
import { addManagedDomain } from '../../packages/server/test/support/domains.ts'
import { newMailbox } from '../../packages/server/test/support/mail.ts'
import { type Client, password } from '../../packages/server/test/support/panel.ts'
import { type Pages, startPages } from '../support/pages.ts'

const hostile = (place: string) => `\u202e${place} <img src="/hostile/${place}" onerror="alert(1)">\u2066`

let pages: Pages
let ada: Client
let projectId: string
let deploymentId: string
let domainId: string
let mailboxId: string
beforeAll(async () => {
  const git = {
    ...createMemoryGit(),
    listCommits: async () => ({
      commits: [{ hash: 'b'.repeat(40), subject: hostile('commit'), author: hostile('author'), at: new Date(0) }],
      isComplete: true
    })
  }
  pages = await startPages({ PANEL_DOMAIN: 'panel.example.com', PUBLIC_IP: '203.0.113.1' }, { git })
  ada = await pages.panel.signUp('ada')
  await ada.request('PATCH', `/api/users/${ada.user.id}`, { name: hostile('name') })
  projectId = (await ada.createProject({ name: 'target', gitUrl: 'https://github.com/acme/target' })).id
  deploymentId = newId()
  const { db } = pages.panel.deps
  const common = { projectId, userId: ada.user.id, trigger: 'MANUAL', commitMsg: hostile('message') } as const
  const before = { status: 'RUNNING', commitHash: 'a'.repeat(40), createdAt: new Date(Date.now() - 60_000) } as const
  await db.insert(deployments).values({ ...common, ...before, id: newId() })
  await db.insert(deployments).values({
    ...common,
    id: deploymentId,
    status: 'FAILED',
    commitHash: 'b'.repeat(40),
    failure: { phase: 'BUILD', reason: hostile('reason'), exitCode: 1, line: null }
  })
  await db.insert(notifications).values({
    ...{ id: newId(), userId: ada.user.id, kind: 'deployment-failed', subjectType: 'project', subjectId: projectId },
    ...{ subjectName: hostile('subject'), text: hostile('text') }
  })
  const queued = { queue: 'deferred', arrivedAt: new Date(), bytes: 1, sender: 'ann@example.com', recipientCount: 1 } as const // oxfmt-ignore
  const id = '4bXyzABCDEFz'
  ;(pages.panel.deps.mailQueue as MemoryMailQueue).messages.set(id, {
    ...queued,
    id,
    recipients: [{ address: 'bob@example.net', reason: hostile('refusal') }]
  })
  const domain = await addManagedDomain(ada, 'example.com')
  mailboxId = (await newMailbox(ada, domain.id, { localPart: 'ada' })).id
  const from = { host: 'imap.example.net', username: hostile('username'), password: 'of elsewhere' }
  await ada.request('POST', `/api/mailboxes/${mailboxId}/imports`, from)
  await ada.request('POST', '/api/auth/tokens', { name: hostile('token'), scope: 'read', password })
  await ada.request('POST', `/api/domains/${domain.id}/dns`, { type: 'TXT', name: 'note', value: hostile('record') })
  domainId = domain.id
  const { DATA_DIR } = pages.panel.deps.config
  await mkdir(join(DATA_DIR, 'mail'), { recursive: true })
  const at = `${new Intl.DateTimeFormat('en', { month: 'short', timeZone: 'UTC' }).format()} ${String(new Date().getUTCDate()).padStart(2)} 00:00:00 mail`
  await writeFile(
    join(DATA_DIR, 'mail', 'mail.log'),
    `${at} postfix/smtp[1]: ${id}: to=<bob@example.net>, relay=none, delay=1, delays=0/0/1/0, dsn=5.0.0, status=bounced (${hostile('answer')})\n`
  )
})
afterAll(() => pages?.close())

async function expectHarmless(page: Page, path: string, places: readonly string[]) {
  for (const place of places) await page.getByText(`${place} <img`).first().waitFor()
  const text = await page.evaluate<string>('document.title + document.body.innerText')
  expect(
    text.split('\n').filter((line) => /[\u202a-\u202e\u2066-\u2069]/.test(line)),
    path
  ).toEqual([])
  expect(await page.locator('img[src*=hostile]').count(), path).toBe(0)
}

test('foreign content is plain text without markup, requests or direction overrides', async () => {
  const { page, complaints } = await pages.open(ada)
  const requested: string[] = []
  page.on('request', (request) => request.url().includes('hostile') && requested.push(request.url()))
  for (const [path, places] of [
    ['/', ['message', 'name']],
    [`/projects/${projectId}`, ['message']],
    [`/projects/${projectId}/deployments`, ['message', 'reason']],
    [`/domains/${domainId}/dns`, ['record']],
    ['/account/notifications', ['subject', 'text']],
    ['/account/activity', ['username']],
    ['/account/tokens', ['token']],
    [`/mail/${mailboxId}/import`, ['username']],
    ['/mail/queue', ['refusal']],
    ['/mail/log', ['answer']],
    ['/server/users', ['name']],
    [`/server/users/${ada.user.id}`, ['name']],
    ['/server/audit', []]
  ] as const) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expectHarmless(page, path, places)
  }
  await page.goto(`/projects/${projectId}/deployments`)
  await page.getByRole('button', { name: 'Changes' }).click()
  await expectHarmless(page, 'changes', ['commit', 'author'])
  expect(requested).toEqual([])
  expect(complaints).toEqual([])
})

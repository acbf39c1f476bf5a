import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Overview } from '@panel/contract/overview'
import type { SearchResult } from '@panel/contract/search'
import { certificates } from '../src/db/schema/certificates.ts'
import { deployments } from '../src/db/schema/deployments.ts'
import { domains } from '../src/db/schema/domains.ts'
import { projects } from '../src/db/schema/projects.ts'
import { newId } from '../src/security/ids.ts'
import type { MemoryMailQueue } from './fakes/memory-mail-queue.ts'
import { newDatabase } from './support/databases.ts'
import { addDomain, addVerifiedDomain } from './support/domains.ts'
import { newMailbox } from './support/mail.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

const day = 24 * 3_600_000

let panel: TestPanel
let admin: Client
let ann: Client
let bob: Client
beforeAll(async () => {
  panel = await createTestPanel()
  admin = await panel.signUp('admin')
  ann = await panel.signUp('ann')
  bob = await panel.signUp('bob')
})
afterAll(() => panel.close())

const overviewOf = async (by: Client) => (await by.request('GET', '/api/overview')).json<Overview>()
const codesOf = async (by: Client) => (await overviewOf(by)).items.map(({ code, title }) => `${code} ${title}`)

async function deploy(by: Client, name: string, statuses: readonly ('RUNNING' | 'FAILED')[]): Promise<string> {
  const { id } = await by.createProject({ name })
  const made = statuses.map((status) => ({ id: newId(), status }))
  await panel.deps.db
    .insert(deployments)
    .values(made.map((row) => ({ ...row, projectId: id, userId: by.user.id, trigger: 'MANUAL' as const })))
  const live = made.findLast(({ status }) => status === 'RUNNING')?.id ?? null
  const values = { liveDeploymentId: live, containerStatus: live && 'running', deployedAt: live === null ? null : new Date() } // oxfmt-ignore
  await panel.deps.db.update(projects).set(values).where(eq(projects.id, id))
  return id
}

const setProject = (id: string, values: Partial<typeof projects.$inferInsert>) =>
  panel.deps.db.update(projects).set(values).where(eq(projects.id, id))

async function certify(by: Client, hostname: string, values: Partial<typeof certificates.$inferInsert>) {
  const { id } = await addVerifiedDomain(by, hostname)
  await panel.deps.db.insert(certificates).values({ id: newId(), domainId: id, commonName: hostname, ...values })
}

describe('attention', () => {
  test('is empty for a new account', async () => {
    expect(await overviewOf(bob)).toEqual({ items: [], total: 0, deployments: [] })
  })

  test('every kind, problems first, nothing resolved', async () => {
    await deploy(ann, 'well', ['FAILED', 'RUNNING'])
    const failed = await deploy(ann, 'failed', ['RUNNING', 'FAILED'])
    const failure = {
      phase: 'BUILD',
      reason: 'The panel was stopped; redeploy',
      exitCode: null,
      line: null
    } as const
    const sentences = [{ code: 'PANEL_STOPPED' as const }]
    await panel.deps.db
      .update(deployments)
      .set({ failure: { ...failure, sentences } })
      .where(eq(deployments.projectId, failed))
    const states = { crashed: 'exited', crashing: 'restarting', full: 'exited', rests: 'exited' }
    const ids: Record<string, string> = {}
    for (const [name, containerStatus] of Object.entries(states)) {
      ids[name] = await deploy(ann, name, ['RUNNING'])
      await setProject(ids[name], { containerStatus })
    }
    await setProject(ids.full!, { status: 'STOPPED', stopReason: 'CONTAINER_DISK_LIMIT' })
    await setProject(ids.rests!, { status: 'STOPPED' })
    await addDomain(ann, 'unproved.example.com')
    const in_ = (days: number) => new Date(Date.now() + days * day)
    const errorSentences = [{ code: 'ORDER_BROKE' as const }]
    await certify(ann, 'refused.example.com', { status: 'ERROR', errorMessage: 'It leads elsewhere', errorSentences })
    await certify(ann, 'over.example.com', { status: 'ACTIVE', chain: 'x', validTo: in_(-1) })
    await certify(ann, 'ends.example.com', { status: 'ACTIVE', chain: 'x', validTo: in_(3) })
    await certify(ann, 'failing.example.com', { status: 'ACTIVE', chain: 'x', validTo: in_(20), failures: 2 })
    await certify(ann, 'valid.example.com', { status: 'ACTIVE', chain: 'x', validTo: in_(60) })
    await admin.request('PATCH', `/api/users/${ann.user.id}/quotas`, { maxDatabases: 1 })
    await newDatabase(ann, { name: 'shop' })
    const codes = await codesOf(ann)
    const problems = [
      'CERTIFICATE_EXPIRED over.example.com',
      'CERTIFICATE_FAILED refused.example.com',
      'CERTIFICATE_RENEWAL_FAILING failing.example.com',
      'CONTAINER_LIMIT full',
      'CONTAINER_STOPPED crashed',
      'DEPLOYMENT_FAILED failed'
    ]
    expect(codes.slice(0, problems.length).toSorted()).toEqual(problems)
    expect(codes.slice(problems.length).toSorted()).toEqual([
      'CERTIFICATE_EXPIRING ends.example.com',
      'CONTAINER_RESTARTING crashing',
      'DOMAIN_NOT_VERIFIED unproved.example.com',
      'QUOTA_NEARLY_USED maxDatabases'
    ])
    const { items, total, deployments: latest } = await overviewOf(ann)
    expect(total).toBe(codes.length)
    expect(items.find(({ code }) => code === 'QUOTA_NEARLY_USED')).toMatchObject({ targetType: 'quota', detail: '1/1' })
    expect(items.find(({ code }) => code === 'CERTIFICATE_FAILED')).toMatchObject({
      detail: 'It leads elsewhere',
      sentences: errorSentences
    })
    expect(items.find(({ code }) => code === 'DEPLOYMENT_FAILED')).toMatchObject({ detail: failure.reason, sentences })
    expect(latest).toHaveLength(8)
    expect(latest[0]).toMatchObject({ projectName: 'rests', status: 'RUNNING', isLive: true })
    expect(await overviewOf(bob)).toEqual({ items: [], total: 0, deployments: [] })
  })

  test('server problems are for administrators: two-factor, held mail, components', async () => {
    const arrivedAt = new Date()
    const message = { id: '4bXyzABCDEFz', queue: 'hold' as const, arrivedAt, bytes: 1, sender: '', recipients: [], recipientCount: 0 } // oxfmt-ignore
    ;(panel.deps.mailQueue as MemoryMailQueue).messages.set(message.id, message)
    const codes = (await overviewOf(admin)).items.map(({ code }) => code)
    expect(codes).toEqual(expect.arrayContaining(['TWO_FACTOR_OFF', 'MAIL_HELD']))
    expect((await codesOf(ann)).join()).not.toMatch(/TWO_FACTOR|MAIL_HELD|PART_AWAY/)
  })

  test('is limited with a total', async () => {
    await panel.deps.db.insert(domains).values(
      Array.from({ length: 10_000 }, (_, at) => ({
        id: newId(),
        userId: bob.user.id,
        hostname: `n${at}.example.net`,
        verificationToken: 'x'
      }))
    )
    const { items, total } = await overviewOf(bob)
    expect([items.length, total]).toEqual([50, 10_000])
  })
})

describe('search', () => {
  const search = async (by: Client, q: string, rest = '') =>
    (await by.request('GET', `/api/search?q=${encodeURIComponent(q)}${rest}`)).json<{ results: SearchResult[] }>()
      .results
  const titles = async (by: Client, q: string, rest = '') =>
    (await search(by, q, rest)).map(({ type, title }) => `${type} ${title}`)
  let cleo: Client
  beforeAll(async () => {
    cleo = await panel.signUp('cleo')
    for (const name of ['my-blog', 'weblog', 'blog', 'blog-two']) await cleo.createProject({ name })
    const { id } = await addVerifiedDomain(cleo, 'blog.example.org')
    await newDatabase(cleo, { name: 'blogdata' })
    await newMailbox(cleo, id, { localPart: 'blogger' })
  })

  test('ranks prefix, then word matches, by type, case-insensitively', async () => {
    expect(await titles(cleo, 'BLOG')).toEqual([
      'project blog',
      'project blog-two',
      'project my-blog',
      'project weblog',
      'domain blog.example.org',
      'database blogdata',
      'mailbox blogger@blog.example.org'
    ])
    expect(await titles(cleo, 'blog', '&types=domain,database')).toEqual([
      'domain blog.example.org',
      'database blogdata'
    ])
    expect(await titles(cleo, 'blog', '&limit=3')).toEqual([
      'project blog',
      'domain blog.example.org',
      'database blogdata'
    ])
  })

  test('finds own resources only; accounts for those with sub-accounts', async () => {
    expect(await titles(ann, 'blog')).toEqual([])
    expect(await titles(ann, 'cleo')).toEqual([])
    expect(await titles(admin, 'cleo')).toEqual(['user cleo'])
    const reseller = await panel.createUser(admin, { name: 'Studio', role: 'RESELLER', maxSubAccounts: 5 })
    await panel.createUser(reseller, { name: 'Bakery' })
    expect(await titles(reseller, 'bake')).toEqual(['user Bakery'])
    expect(await titles(reseller, 'cleo')).toEqual([])
    expect(await titles(reseller, 'studio')).toEqual([])
  })

  test.each(['%', '_', '\\', "'", '.*', '(', 'ß'])('%s is plain text', async (text) => {
    expect(await search(cleo, text)).toEqual([])
  })

  test.each(['', '?q=', `?q=${'x'.repeat(101)}`, '?q=a&types=nothing', '?q=a&limit=0'])(
    '%s is refused',
    async (query) => {
      expect((await cleo.request('GET', `/api/search${query}`)).statusCode).toBe(400)
    }
  )

  test('uses an index with 10,000 rows', async () => {
    const { rows } = await panel.deps.db.execute<{ 'QUERY PLAN': string }>(
      sql`explain select id from domains where user_id = ${cleo.user.id} and strpos(lower(hostname), 'blog') > 0 limit 20`
    )
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/Index/)
    expect(await titles(bob, 'n9999.')).toEqual(['domain n9999.example.net'])
  })
})

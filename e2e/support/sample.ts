import { eq } from 'drizzle-orm'
import { deploymentLogs, deployments } from '../../packages/server/src/db/schema/deployments.ts'
import { metricSnapshots, projectMetrics } from '../../packages/server/src/db/schema/monitoring.ts'
import { projects } from '../../packages/server/src/db/schema/projects.ts'
import { newId } from '../../packages/server/src/ids.ts'
import { newDatabase } from '../../packages/server/test/support/databases.ts'
import { addDomain, addManagedDomain, addVerifiedDomain } from '../../packages/server/test/support/domains.ts'
import { newMailbox } from '../../packages/server/test/support/mail.ts'
import type { Client, TestPanel } from '../../packages/server/test/support/panel.ts'

const minuteMs = 60_000
const longName = 'kundenportal-versicherungsgruppe-sued-staging'

export interface Sample {
  admin: Client
  reseller: Client
  customer: Client
  projectId: string
  domainId: string
  databaseId: string
  mailboxId: string
}

/** A server as it looks after some weeks: projects in each state, domains, mail, people, figures. All of it belongs to its administrator. */
export async function fillSample(panel: TestPanel): Promise<Sample> {
  const admin = await panel.signUp('ada')
  const reseller = await panel.createUser(admin, { name: 'Studio Nord', role: 'RESELLER', maxSubAccounts: 10 })
  const customer = await panel.createUser(reseller, { name: 'Bäckerei Grün', maxProjects: 2 })
  const shop = await addProject(panel, admin, 'storefront', { containerStatus: 'running' })
  await addProject(panel, admin, longName, { containerStatus: 'restarting' })
  await addProject(panel, admin, 'docs-site', { containerStatus: 'exited' })
  await admin.createProject({ name: 'new-idea', type: 'PYTHON' })
  await admin.request('POST', `/api/projects/${shop}/env`, {
    variables: [
      { key: 'API_URL', value: 'https://api.example.com' },
      { key: 'SMTP_PASSWORD', value: 'secret', isSecret: true }
    ]
  })
  const domain = await addManagedDomain(admin, 'example.com')
  for (const [type, name, value] of [
    ['A', 'www', '203.0.113.7'],
    ['TXT', 'google-site-verification-of-a-name-that-goes-on', `v=${'long'.repeat(40)}`],
    ['CNAME', 'shop', 'www.example.com']
  ])
    await admin.request('POST', `/api/domains/${domain.id}/dns`, { type, name, value })
  await addVerifiedDomain(admin, 'shop.example.net', { projectId: shop })
  await addDomain(admin, `${longName}.example.org`)
  const mailbox = await newMailbox(admin, domain.id, { localPart: 'ada' })
  await newMailbox(admin, domain.id, { localPart: 'info-and-support-of-the-whole-company', quotaMb: 100 })
  const database = await newDatabase(admin, { name: 'storefront', projectId: shop })
  await fillMetrics(panel, shop)
  return { admin, reseller, customer, projectId: shop, domainId: domain.id, databaseId: database.id, mailboxId: mailbox.id } // prettier-ignore
}

/** Deployed: one that failed, and before it one that serves. */
async function addProject(
  { deps }: TestPanel,
  owner: Client,
  name: string,
  values: Partial<typeof projects.$inferInsert>
): Promise<string> {
  const { id } = await owner.createProject({ name, type: 'NODEJS', gitUrl: `https://github.com/acme/${name}.git` })
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * minuteMs)
  const [live, failed] = [newId(), newId()]
  const row = { projectId: id, userId: owner.user.id, trigger: 'MANUAL' as const, commitHash: 'a'.repeat(40) }
  await deps.db.insert(deployments).values([
    { ...row, id: live, status: 'RUNNING', commitMsg: 'Show what is in stock', startedAt: minutesAgo(300), createdAt: minutesAgo(300), duration: 41 }, // prettier-ignore
    { ...row, id: failed, status: 'FAILED', commitMsg: 'Take payments <b>from abroad</b>', startedAt: minutesAgo(20), createdAt: minutesAgo(20), duration: 12 } // prettier-ignore
  ])
  await deps.db.insert(deploymentLogs).values([
    { deploymentId: live, text: '\u001b[32m✓\u001b[0m 214 modules built\n' },
    { deploymentId: failed, text: `Step 1/7 : FROM panel-base-node\n\u001b[31merror\u001b[0m ${'x'.repeat(400)}\n` }
  ])
  await deps.db
    .update(projects)
    .set({ liveDeploymentId: live, deployedAt: minutesAgo(300), deployedDomain: `${name}.apps.example.com`, ...values })
    .where(eq(projects.id, id))
  return id
}

/** Of a day: with the rise of a morning, and an hour that nobody measured. */
async function fillMetrics({ deps }: TestPanel, projectId: string): Promise<void> {
  const gib = 1024 ** 3
  const wave = (minute: number) => 0.5 + 0.4 * Math.sin((minute / 1_440) * 2 * Math.PI)
  const minutes = Array.from({ length: 1_440 }, (_, minute) => minute).filter((minute) => minute < 600 || minute > 660)
  const recordedAt = (minute: number) => new Date(Math.floor(Date.now() / minuteMs - minute) * minuteMs)
  await deps.db.insert(metricSnapshots).values(
    minutes.map((minute) => ({
      nodeId: deps.nodeId,
      cpuPercent: 60 * wave(minute),
      ramUsed: Math.round(8 * gib * wave(minute)),
      ramTotal: 16 * gib,
      diskUsed: 120 * gib - minute * 1e6,
      diskTotal: 240 * gib,
      recordedAt: recordedAt(minute)
    }))
  )
  await deps.db.insert(projectMetrics).values(
    minutes.map((minute) => ({
      projectId,
      nodeId: deps.nodeId,
      minutes: 1,
      cpuPercent: 30 * wave(minute),
      ramUsed: Math.round(0.3 * gib * wave(minute)),
      networkReceived: Math.round(4e6 * wave(minute)),
      networkSent: Math.round(9e6 * wave(minute)),
      diskUsed: 2 * gib,
      recordedAt: recordedAt(minute)
    }))
  )
}

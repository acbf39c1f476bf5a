import type { NotificationList } from '@panel/contract/notifications'
import { eq } from 'drizzle-orm'
import { deploymentLogs, deployments } from '../../packages/server/src/db/schema/deployments.ts'
import { metricSnapshots, projectMetrics } from '../../packages/server/src/db/schema/monitoring.ts'
import { wordpressImports } from '../../packages/server/src/db/schema/wordpress-imports.ts'
import { projects } from '../../packages/server/src/db/schema/projects.ts'
import { notify } from '../../packages/server/src/features/notifications/notify-access.ts'
import { trafficPoints } from '../../packages/server/src/db/schema/traffic.ts'
import { uptimeChecks, uptimeHours, uptimeIncidents } from '../../packages/server/src/db/schema/uptime-checks.ts'
import { newId } from '../../packages/server/src/security/ids.ts'
import { newDatabase } from '../../packages/server/test/support/databases.ts'
import { addDomain, addManagedDomain, addVerifiedDomain } from '../../packages/server/test/support/domains.ts'
import { newMailbox } from '../../packages/server/test/support/mail.ts'
import { type Client, password, type TestPanel } from '../../packages/server/test/support/panel.ts'
import { fillMail, fillMailServer } from './sample-mail.ts'

const minuteMs = 60_000
const longName = 'kundenportal-versicherungsgruppe-sued-staging'

export interface Sample {
  admin: Client
  reseller: Client
  customer: Client
  userId: string
  machineId: string
  projectId: string
  wordpressId: string
  domainId: string
  partnerId: string
  databaseId: string
  /** Of the settings pages. */
  group: string
  mailboxId: string
  checkId: string
  /** A group of variables. */
  groupId: string
}

/**
 * A server after some weeks of use: projects in each state, domains, mail, people, metrics. All owned by its
 * administrator.
 */
export async function fillSample(panel: TestPanel): Promise<Sample> {
  const admin = await panel.signUp('ada')
  await panel.signIn(admin.user.email)
  for (const [name, scope] of [
    ['pipeline', 'deploy'],
    ['monitoring of the whole company, asked for by the people of the second floor', 'read']
  ])
    await admin.request('POST', '/api/auth/tokens', { name, scope, password })
  const reseller = await panel.createUser(admin, { name: 'Studio Nord', role: 'RESELLER', maxSubAccounts: 10 })
  const customer = await panel.createUser(reseller, { name: 'Bäckerei Grün', maxProjects: 2 })
  await panel.createUser(reseller, {
    name: `Verein ${longName.repeat(2)}`.slice(0, 100),
    maxProjects: 3,
    maxDomains: 4
  })
  await customer.createProject({ name: 'gruen', type: 'STATIC' })
  const oversold = { oversellingEnabled: true, maxProjects: 4, maxDomains: 10 }
  await admin.request('PATCH', `/api/users/${reseller.user.id}/quotas`, oversold)
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
  await addFiles(admin, shop)
  const wordpress = await addWordpress(panel, admin)
  const domain = await addManagedDomain(admin, 'example.com')
  for (const [type, name, value] of [
    ['A', 'www', '203.0.113.7'],
    ['TXT', 'google-site-verification-of-a-name-that-goes-on', `v=${'long'.repeat(40)}`],
    ['CNAME', 'shop', 'www.example.com']
  ])
    await admin.request('POST', `/api/domains/${domain.id}/dns`, { type, name, value })
  await addRules(admin, domain.id)
  await addVerifiedDomain(admin, 'shop.example.net', { projectId: shop })
  await addDomain(admin, `${longName}.example.org`)
  const mailbox = await newMailbox(admin, domain.id, { localPart: 'ada' })
  const { id: partnerId } = await addVerifiedDomain(admin, 'example.net')
  await fillMail(panel, admin, { domainId: domain.id, partnerId, mailboxId: mailbox.id })
  await fillMailServer(panel)
  const database = await newDatabase(admin, { name: 'storefront', projectId: shop })
  await fillMetrics(panel, shop)
  await fillNotifications(panel, admin)
  await fillTraffic(panel, shop)
  const checkId = await fillUptime(panel, admin, shop)
  const groupId = await fillGroup(admin, shop)
  return { admin, reseller, customer, machineId: panel.deps.nodeId, userId: reseller.user.id, projectId: shop, wordpressId: wordpress, domainId: domain.id, partnerId, databaseId: database.id, group: 'mail', mailboxId: mailbox.id, checkId, groupId } // oxfmt-ignore
}

async function fillGroup(admin: Client, projectId: string): Promise<string> {
  const { id } = (await admin.request('POST', '/api/env-groups', { name: 'shared' })).json() as { id: string }
  const variables = [
    { key: 'SUPPORT_EMAIL', value: 'help@example.com', scope: 'RUN' },
    { key: 'GREETING', value: 'Write to ${{SUPPORT_EMAIL}}', processes: ['web', 'jobs'] }
  ]
  await admin.request('POST', `/api/env-groups/${id}/env`, { variables })
  await admin.request('PUT', `/api/projects/${projectId}/env-groups`, { groupIds: [id] })
  return id
}

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
    { ...row, id: live, status: 'RUNNING', commitMsg: 'Show what is in stock', startedAt: minutesAgo(300), createdAt: minutesAgo(300), duration: 41 }, // oxfmt-ignore
    { ...row, id: failed, status: 'FAILED', commitMsg: 'Take payments <b>from abroad</b>', failure: { phase: 'BUILD', reason: 'The build failed: the command "npm run build" returned a non-zero code: 1', exitCode: 1, line: 2 }, startedAt: minutesAgo(20), createdAt: minutesAgo(20), duration: 12 } // oxfmt-ignore
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

/** One rule of each kind. */
async function addRules(owner: Client, domainId: string): Promise<void> {
  const rules = [
    { kind: 'ACCESS', path: '/staff', mode: 'ALLOW', networks: ['203.0.113.0/24', '2001:db8::/32'] },
    { kind: 'LOGIN', path: '/admin', users: ['ann', 'bob'].map((username) => ({ username, password })) },
    { kind: 'REDIRECT', path: '/blog', to: `https://blog.example.com/${'archive/'.repeat(20)}`, status: 301 },
    { kind: 'REWRITE', path: '/old', match: 'EXACT', to: '/new' },
    { kind: 'MAINTENANCE', path: '/checkout', enabled: false, note: 'Until the new payment provider is connected' },
    { kind: 'MAX_BODY', bytes: 10_000_000 },
    { kind: 'TIMEOUT', path: '/reports', seconds: 120 },
    {
      kind: 'HEADER',
      name: 'Content-Security-Policy',
      value: `default-src 'self'; img-src ${'https://images.example.com '.repeat(6)}`
    },
    { kind: 'HSTS' }
  ]
  await owner.request('PUT', `/api/domains/${domainId}/rules`, { version: 0, rules })
}

async function addFiles(owner: Client, projectId: string): Promise<void> {
  const files = {
    'public/index.php':
      '<?php\n// Shows what is in stock.\n$items = load("stock.json", 12, true);\necho "<b>" . count($items) . "</b>";\n',
    'package.json': '{\n  "name": "storefront"\n}\n',
    'a-name-that-goes-on-and-on-until-it-has-to-be-cut-somewhere-in-the-middle-of-it.config.js': 'export default {}\n',
    'release.tar.gz': '',
    'README.md': '# Storefront\n',
    'var/sessions/one': ''
  }
  for (const [path, content] of Object.entries(files))
    await owner.request('POST', `/api/files/${projectId}/create`, { path, content })
}

async function addWordpress(panel: TestPanel, owner: Client): Promise<string> {
  const { id: projectId } = await owner.createProject({ name: 'blog', type: 'WORDPRESS' })
  await panel.deps.db
    .update(projects)
    .set({ deployedAt: new Date(), deployedDomain: 'blog.apps.example.com', containerStatus: 'running' })
    .where(eq(projects.id, projectId))
  await panel.deps.db.insert(wordpressImports).values({
    id: newId(),
    projectId,
    userId: owner.user.id,
    status: 'FAILED',
    step: 'LOADING',
    files: 3_214,
    tables: 7,
    notes: ['2 triggers were left out'],
    errorCode: 'WORDPRESS_IMPORT_FAILED',
    errorMessage: 'The dump ends in the middle of a statement.'
  })
  return projectId
}

/** One day with a morning peak and an hour without data. */
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
      networkReceived: Math.round(2e6 * wave(minute)),
      networkSent: Math.round(7e6 * wave(minute)),
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

async function fillNotifications({ deps }: TestPanel, { user, request }: Client): Promise<void> {
  const kinds = ['deployment-failed', 'certificate-expiring', 'update-available', 'import-finished'] as const
  for (const kind of kinds)
    await deps.db.transaction((trx) =>
      notify(deps, trx, {
        userId: user.id,
        kind,
        subject: { type: 'project', id: kind, name: kind === 'import-finished' ? longName : 'storefront' },
        text: 'The build ended with code 1 in its second step.\nThe version before it goes on serving.',
        link: '/projects'
      })
    )
  const { notifications } = (await request('GET', '/api/notifications')).json<NotificationList>()
  await request('PATCH', `/api/notifications/${notifications[0]!.id}`, { isRead: true })
  const slack = { type: 'SLACK', name: 'the room of who is on call', url: 'https://hooks.slack.com/services/x' }
  const { id } = (await request('POST', '/api/notifications/channels', slack)).json<{ id: string }>()
  await request('POST', `/api/notifications/channels/${id}/test`)
}

/** One day with quiet night hours and some errors. */
async function fillTraffic({ deps }: TestPanel, projectId: string): Promise<void> {
  const minutes = Array.from({ length: 1_440 }, (_, minute) => minute).filter((minute) => minute < 500 || minute > 740)
  await deps.db.insert(trafficPoints).values(
    minutes.map((minute) => ({
      projectId,
      nodeId: deps.nodeId,
      at: new Date(Math.floor(Date.now() / minuteMs - minute) * minuteMs),
      seconds: 60,
      batch: newId(),
      requests: 20 + (minute % 7) + Math.round(10 * Math.sin(minute / 200)),
      clientErrors: minute % 5 === 0 ? 2 : 0,
      serverErrors: minute % 97 === 0 ? 3 : 0,
      bytesIn: 40_000,
      bytesOut: 400_000,
      times: [24 + (minute % 3), 18, 38, 2]
    }))
  )
}

/** A check with a month of history, an outage and gaps, and a paused one. */
async function fillUptime({ deps }: TestPanel, owner: Client, projectId: string): Promise<string> {
  const url = `/api/projects/${projectId}/uptime-checks`
  const check = { hostname: 'shop.example.net', paused: true }
  await owner.request('POST', url, { ...check, name: 'Sign in', path: '/account/sign-in?and=a-query-that-is-long' })
  const { id } = (await owner.request('POST', url, { ...check, name: 'Shop' })).json<{ id: string }>()
  const hourMs = 60 * minuteMs
  const hour = (ago: number) => new Date(Math.floor(Date.now() / hourMs - ago) * hourMs)
  const hours = Array.from({ length: 720 }, (_, ago) => ago).filter((ago) => ago < 5 || ago > 9)
  await deps.db.insert(uptimeHours).values(
    hours.map((ago) => {
      const downSeconds = ago === 12 ? 900 : 0
      return { checkId: id, hour: hour(ago), upSeconds: 3_600 - downSeconds, downSeconds, answers: 12, sumMs: 12 * (120 + (ago % 9) * 8), maxMs: 300 + (ago % 7) * 40 } // oxfmt-ignore
    })
  )
  await deps.db.insert(uptimeIncidents).values({ id: newId(), checkId: id, startedAt: hour(12), endedAt: new Date(hour(12).getTime() + 900_000), reason: 'STATUS', status: 502 }) // oxfmt-ignore
  const lastRunAt = new Date()
  await deps.db
    .update(uptimeChecks)
    .set({
      state: 'UP',
      pause: null,
      stateSince: hour(11),
      nextRunAt: new Date(Date.now() + hourMs),
      lastRunAt,
      lastKnownAt: lastRunAt,
      lastStatus: 200,
      lastMs: 128
    }) // oxfmt-ignore
    .where(eq(uptimeChecks.id, id))
  return id
}

/** Path of a sample page, with ids filled in. */
export const pathIn = (sample: Sample, address: string): string =>
  address.replaceAll(/\$(\w+)/g, (_all, name: string) => String(sample[name as keyof Sample]))

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { and, eq, isNull } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { CreatedChannel, NotificationKind } from '@panel/contract/notifications'
import { notificationDeliveries, notifications } from '../src/db/schema/notifications.ts'
import type { Dependencies } from '../src/dependencies.ts'
import { deliver } from '../src/features/notifications/deliver.jobs.ts'
import { notify } from '../src/features/notifications/notify-access.ts'
import { planNotification, settleSubjects } from '../src/features/notifications/plan.jobs.ts'
import { createPublicHttp } from '../src/infra/outbound-http/public-http.ts'
import { dbSteps, dieAtEveryStep } from './support/death.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

let panel: TestPanel
let ann: Client
const clock = { at: new Date() }
/** Requests received by the service, by message id. It refuses each one the first time. */
const answered: { id: string; title: string; status: number }[] = []
const service = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk: Buffer) => (body += chunk.toString()))
  request.on('end', () => {
    const { id, title } = JSON.parse(body) as { id: string; title: string }
    const status = answered.some((each) => each.id === id) ? 200 : 503
    answered.push({ id, title, status })
    response.writeHead(status).end()
  })
})

beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  const outboundHttp = createPublicHttp({ allow: ['127.0.0.1'], own: [] })
  panel = await createTestPanel({}, { outboundHttp, now: () => clock.at })
  ann = await panel.signUp('ann')
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
  const hook = { type: 'WEBHOOK', name: 'hook', url }
  const { id } = (await ann.request('POST', '/api/notifications/channels', hook)).json<CreatedChannel>()
  const channels = { 'site-down': [id], 'site-up': [id] }
  await ann.request('PUT', '/api/notifications/preferences', { quietHours: null, channels })
})
afterAll(async () => {
  service.close()
  await panel.close()
})
beforeEach(() => void (answered.length = 0))

const pass = (ms: number) => (clock.at = new Date(clock.at.getTime() + ms))

async function notifyOwner(kind: NotificationKind, name: string): Promise<string> {
  pass(1)
  const subject = { type: 'check', id: name, name } as const
  await panel.deps.db.transaction((trx) =>
    notify(panel.deps, trx, { userId: ann.user.id, kind, subject, text: `About ${name}` })
  )
  const rows = await panel.deps.db.select().from(notifications).where(eq(notifications.subjectId, name))
  return rows.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime())[0]!.id
}

const listOpen = () =>
  panel.deps.db
    .select()
    .from(notificationDeliveries)
    .where(and(eq(notificationDeliveries.userId, ann.user.id), isNull(notificationDeliveries.endedAt)))

/** Runs the jobs in turn; a new process repeats interrupted ones. */
async function workOff(deps: Dependencies, ids: readonly string[]): Promise<void> {
  for (const notificationId of ids) await planNotification(deps, { notificationId })
  for (let open = await listOpen(); open.length > 0; open = await listOpen())
    for (const { id, attempts } of open) await deliver(deps, { deliveryId: id, attempts })
}

const dieEverywhere = (operation: (deps: Dependencies) => Promise<void>, after: () => Promise<void>) =>
  dieAtEveryStep(
    (die) => ({
      ...panel.deps,
      db: die.at(panel.deps.db, dbSteps),
      outboundHttp: die.at(panel.deps.outboundHttp, () => true)
    }),
    { operation, repair: () => operation(panel.deps), after }
  )

test('with a crash anywhere each message arrives, at most one extra time', async () => {
  let count = 0
  let ids = [await notifyOwner('site-down', 'site 0'), await notifyOwner('site-up', 'site 0')]
  const deaths = await dieEverywhere(
    (deps) => workOff(deps, ids),
    async () => {
      const taken = answered.filter(({ status }) => status === 200)
      const messages = new Set(taken.map(({ id }) => id))
      expect(messages.size).toBe(2)
      expect([2, 3]).toContain(taken.length)
      const rows = await panel.deps.db.select().from(notificationDeliveries)
      for (const row of rows) expect([row.status, row.endedAt !== null]).toEqual(['SENT', true])
      expect(rows).toHaveLength(2 * ++count)
      answered.length = 0
      pass(3_600_000)
      ids = [await notifyOwner('site-down', `site ${count}`), await notifyOwner('site-up', `site ${count}`)]
    }
  )
  // Two planned, with two attempts each: claimed, sent and recorded.
  expect(deaths).toBeGreaterThanOrEqual(12)
})

test('merged notifications are sent once despite crashes', async () => {
  let count = 0
  const flap = async () => {
    pass(3_600_000)
    const name = `flapping ${count}`
    const ids: string[] = []
    for (const kind of ['site-down', 'site-up', 'site-down', 'site-up', 'site-down'] as const)
      ids.push(await notifyOwner(kind, name))
    await workOff(panel.deps, ids)
    pass(16 * 60_000)
    answered.length = 0
  }
  await flap()
  await dieEverywhere(
    async (deps) => {
      await Promise.all([settleSubjects(deps), settleSubjects(deps)])
      await workOff(deps, [])
    },
    async () => {
      const taken = answered.filter(({ status }) => status === 200)
      expect(new Set(taken.map(({ id }) => id)).size).toBe(1)
      expect(taken[0]!.title).toBe(`Site is down: flapping ${count}`)
      count++
      await flap()
    }
  )
})

test('two processes plan a notification once', async () => {
  pass(3_600_000)
  const notificationId = await notifyOwner('site-down', 'twice')
  await Promise.all([1, 2, 3].map(() => planNotification(panel.deps, { notificationId })))
  expect(await listOpen()).toHaveLength(1)
})

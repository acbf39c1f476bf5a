import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type LiveEventName, liveEvents, type LiveEvents } from '@panel/contract/live'
import type { PanelEvent } from '../src/infra/event-bus/event-bus.ts'
import { insertDeployment } from '../src/features/deployments/deployments.repository.ts'
import { features } from '../src/features/index.ts'
import { newId } from '../src/security/ids.ts'
import { listen, type LiveTestClient, liveTestClients } from './support/live.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

/** One sample per event; a new row of `liveEvents` needs one here, plus `more` for optional members. */
const events: { [Name in LiveEventName]: LiveEvents[Name] } = {
  'deployment:status': { projectId: 'p1', deploymentId: 'd1', status: 'RUNNING' },
  domain: { domainId: 'o1', projectId: 'p1', status: 'ACTIVE', dnsMode: 'MANAGED' },
  certificate: { domainId: 'o1', projectId: null, status: 'PENDING' },
  import: {
    kind: 'wordpress',
    importId: 'i1',
    projectId: 'p1',
    mailboxId: null,
    status: 'RUNNING',
    step: 'CHECKING',
    percent: null
  },
  'alert:threshold': { metric: 'cpu', value: 91.5, threshold: 80, timestamp: '2026-01-01T00:00:00.000Z' },
  uptime: { projectId: 'p1', checkId: 'u1', state: 'DOWN' },
  changed: { type: 'project', id: 'p1', projectId: 'p1' },
  notification: { id: 'n1', kind: 'deployment-failed', unread: 3 }
}

/** Subscriptions: a resource of Ann's that no one else may follow, or `own` if each client follows its own data. */
const subscriptions: Record<string, 'own' | 'admins' | ((ann: Client) => Promise<unknown>)> = {
  metrics: 'own',
  'container-log': async (by) => ({ projectId: (await by.createProject()).id }),
  'deployment-log': async (by) => {
    const { id: projectId } = await by.createProject()
    const values = { id: newId(Date.now()), projectId, userId: by.user.id, trigger: 'MANUAL' } as const
    return { deploymentId: (await panel.deps.db.transaction((trx) => insertDeployment(trx, values))).id }
  }
}

let panel: TestPanel
let url: string
let admin: Client
let ann: Client
let bob: Client
const live = liveTestClients(() => url)
beforeAll(async () => {
  panel = await createTestPanel()
  url = await listen(panel)
  admin = await panel.signUp('admin')
  ann = await panel.createUser(admin)
  bob = await panel.createUser(admin)
})
afterEach(() => live.close())
afterAll(() => panel.close())

const open = ({ cookie }: Client) => live.connect({ cookie })
const publish = (event: PanelEvent) => panel.deps.db.transaction((trx) => panel.deps.events.publish(trx, event))
const content = ({ heard }: LiveTestClient) => JSON.stringify(heard)

describe('every event', () => {
  test.each(Object.keys(liveEvents) as LiveEventName[])('%s comes to its account alone', async (name) => {
    const data = events[name]
    expect(data, 'it has no sample here').toBeDefined()
    expect(liveEvents[name].parse(data)).toEqual(data)
    const [hers, his, boss] = [await open(ann), await open(bob), await open(admin)]
    await publish({ to: { userId: ann.user.id }, name, data } as PanelEvent)
    for (const { user } of [bob, admin])
      await publish({ to: { userId: user.id }, name: 'deployment:status', data: marker } as PanelEvent)
    for (const client of [his, boss])
      await expect.poll(() => client.heard).toEqual([{ event: 'deployment:status', data: marker }])
    await expect.poll(() => hers.heard).toEqual([{ event: name, data }])
  })

  test.each(Object.keys(liveEvents) as LiveEventName[])('%s goes to administrators only', async (name) => {
    const [hers, boss] = [await open(ann), await open(admin)]
    await publish({ to: 'admins', name, data: events[name] } as PanelEvent)
    await publish({ to: { userId: ann.user.id }, name: 'deployment:status', data: marker } as PanelEvent)
    await expect.poll(() => hers.heard).toEqual([{ event: 'deployment:status', data: marker }])
    await expect.poll(() => boss.heard).toEqual([{ event: name, data: events[name] }])
  })

  test.each(Object.keys(liveEvents) as LiveEventName[])('%s contains only documented members', async (name) => {
    const hers = await open(ann)
    await publish({
      to: { userId: ann.user.id },
      name,
      data: { ...events[name], secret: 'of another version of the panel' }
    } as unknown as PanelEvent)
    await expect.poll(() => hers.heard).toEqual([{ event: name, data: events[name] }])
  })

  test('an event of an unknown newer type is not sent', async () => {
    const hers = await open(ann)
    await publish({ to: { userId: ann.user.id }, name: 'unknown:event', data: {} } as unknown as PanelEvent)
    await publish({
      to: { userId: ann.user.id },
      name: 'deployment:status',
      data: { projectId: 1 }
    } as unknown as PanelEvent)
    await publish({ to: { userId: ann.user.id }, name: 'deployment:status', data: marker } as PanelEvent)
    await expect.poll(() => hers.heard).toEqual([{ event: 'deployment:status', data: marker }])
  })
})

const marker = { projectId: 'marker', deploymentId: 'marker', status: 'FAILED' } as const

describe('every subscription', () => {
  const names = features.flatMap((feature) => Object.keys(('live' in feature ? feature.live : undefined) ?? {}))

  test('has a sample', () => {
    expect(Object.keys(subscriptions).sort()).toEqual(names.sort())
  })

  test.each(Object.keys(subscriptions))('%s of another account is 404', async (name) => {
    const sample = subscriptions[name]!
    const [hers, his] = [await open(ann), await open(bob)]
    if (sample === 'own') {
      expect(await his.ask(`subscribe:${name}`)).toMatchObject({ ok: true })
      expect(await his.ask(`subscribe:${name}`, { userId: ann.user.id })).not.toMatchObject({
        ok: true,
        userId: ann.user.id
      })
      return
    }
    if (sample === 'admins') {
      expect(await his.ask(`subscribe:${name}`)).toMatchObject({ ok: false, error: { code: 'FORBIDDEN_ROLE' } })
      return
    }
    const input = await sample(ann)
    expect(await hers.ask(`subscribe:${name}`, input)).toMatchObject({ ok: true })
    const refused = await his.ask(`subscribe:${name}`, input)
    expect(refused.ok).toBe(false)
    expect(['FORBIDDEN', 'NOT_FOUND']).toContain(refused.error?.code)
    expect(content(his)).toBe('[]')
  })

  test.each(names)('%s refuses garbage', async (name) => {
    const his = await open(bob)
    for (const input of [1, 'x', [], { id: { $ne: '' } }, { id: '../x' }, { projectId: 'x'.repeat(5_000) }, true]) {
      const answer = await his.ask(`subscribe:${name}`, input)
      if (!answer.ok)
        expect(['VALIDATION_ERROR', 'NOT_FOUND', 'FORBIDDEN', 'FORBIDDEN_ROLE']).toContain(answer.error?.code)
      await his.ask(`unsubscribe:${name}`)
    }
  })
})

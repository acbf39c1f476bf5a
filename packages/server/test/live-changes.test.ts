import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eq, sql } from 'drizzle-orm'
import { liveEvents } from '@panel/contract/live'
import { certificates } from '../src/db/schema/certificates.ts'
import { deployments } from '../src/db/schema/deployments.ts'
import { projects } from '../src/db/schema/projects.ts'
import { wordpressImports } from '../src/db/schema/wordpress-imports.ts'
import {
  cancelOpenDeploymentsOf,
  insertDeployment,
  moveDeployment
} from '../src/features/deployments/deployments.repository.ts'
import type { PanelEvent } from '../src/infra/event-bus/event-bus.ts'
import { newId } from '../src/security/ids.ts'
import { addVerifiedDomain } from './support/domains.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

let panel: TestPanel
let admin: Client
let ann: Client
let heard: PanelEvent[] = []
beforeAll(async () => {
  panel = await createTestPanel()
  panel.deps.events.subscribe({ onEvent: (event) => heard.push(event) })
  admin = await panel.signUp('admin')
  ann = await panel.signUp('ann')
})
afterAll(() => panel.close())

async function settled(): Promise<void> {
  const mark = newId(Date.now())
  const data = { projectId: 'mark', deploymentId: mark, status: 'QUEUED' } as const
  await expect
    .poll(async () => {
      await panel.deps.events.publish(panel.deps.db, { to: { userId: 'mark' }, name: 'deployment:status', data })
      return heard.some(({ data }) => 'deploymentId' in data && data.deploymentId === mark)
    })
    .toBe(true)
  heard = heard.filter(({ to }) => typeof to === 'string' || to.userId !== 'mark')
}
beforeEach(async () => {
  await settled()
  heard = []
})
const of = (name: string) => heard.filter((event) => event.name === name)
const notified = async (work: () => Promise<unknown>) => {
  await settled()
  heard = []
  await work()
  await settled()
  return heard
}
const addDeployment = (projectId: string, values: object = {}) =>
  panel.deps.db.transaction((trx) =>
    insertDeployment(trx, { id: newId(Date.now()), projectId, userId: ann.user.id, trigger: 'MANUAL', ...values })
  )
const to = () => ({ userId: ann.user.id })

describe('database events', () => {
  test('have the documented form and go to the owner only', async () => {
    const project = await ann.createProject()
    await ann.request('PUT', `/api/projects/${project.id}`, { name: 'renamed' })
    await ann.request('PUT', `/api/projects/${project.id}/env`, { key: 'A', value: 'content' })
    await addVerifiedDomain(ann, 'told.example')
    await addDeployment(project.id)
    await settled()
    expect(heard.length).toBeGreaterThan(4)
    for (const event of heard) {
      if (event.to === 'processes') continue
      liveEvents[event.name].strict().parse(event.data)
      expect(event.to).toEqual(to())
    }
    expect(JSON.stringify(heard)).not.toContain('content')
  })

  test('each deployment state in order', async () => {
    const project = await ann.createProject()
    const row = await addDeployment(project.id)
    for (const status of ['BUILDING', 'DEPLOYING', 'RUNNING'] as const)
      await moveDeployment(panel.deps.db, row.id, status, new Date())
    await settled()
    expect(of('deployment:status')).toEqual(
      ['QUEUED', 'BUILDING', 'DEPLOYING', 'RUNNING'].map((status) => ({
        to: to(),
        name: 'deployment:status',
        data: { projectId: project.id, deploymentId: row.id, status }
      }))
    )
  })

  test('nothing for rollbacks or unchanged states', async () => {
    const project = await ann.createProject()
    const row = await addDeployment(project.id)
    const events = await notified(async () => {
      await panel.deps.db
        .transaction(async (trx) => {
          await moveDeployment(trx, row.id, 'BUILDING', new Date())
          throw new Error('back')
        })
        .catch(() => {})
      await panel.deps.db.update(deployments).set({ commitMsg: 'x' }).where(eq(deployments.id, row.id))
      await panel.deps.db.update(projects).set({ updatedAt: new Date() }).where(eq(projects.id, project.id))
    })
    expect(events).toEqual([])
  })

  test('cancellation by suspension, summarized if large', async () => {
    const project = await ann.createProject()
    const cancel = () => panel.deps.db.transaction((trx) => cancelOpenDeploymentsOf(trx, ann.user.id, new Date()))
    await cancel()
    const few = [await addDeployment(project.id), await addDeployment(project.id)]
    const first = await notified(cancel)
    expect(first.map(({ data }) => data)).toEqual(
      expect.arrayContaining(few.map(({ id }) => ({ projectId: project.id, deploymentId: id, status: 'CANCELLED' })))
    )
    for (let count = 0; count < 21; count++) await addDeployment(project.id)
    expect(await notified(cancel)).toEqual([
      { to: to(), name: 'changed', data: { type: 'deployment', id: null, projectId: null } }
    ])
  })

  test('a project that is created, renamed, replaced and deleted', async () => {
    const { id } = await ann.createProject()
    const changed = [{ to: to(), name: 'changed', data: { type: 'project', id, projectId: id } }]
    const { db } = panel.deps
    expect(
      await notified(() => db.update(projects).set({ containerStatus: 'restarting' }).where(eq(projects.id, id)))
    ).toEqual(changed)
    expect(await notified(() => ann.request('PUT', `/api/projects/${id}`, { name: 'other' }))).toEqual(changed)
    expect(await notified(() => ann.request('DELETE', `/api/projects/${id}`, { name: 'other' }))).toEqual(changed)
  })

  test('many variables or records at once are one event', async () => {
    const { id } = await ann.createProject()
    const env = Array.from({ length: 300 }, (_, number) => `KEY_${number}=v`).join('\n')
    const events = await notified(async () => {
      const answer = await ann.request('POST', `/api/projects/${id}/env/import`, { content: env })
      expect(answer.statusCode).toBeLessThan(300)
    })
    expect(events).toEqual([{ to: to(), name: 'changed', data: { type: 'variables', id, projectId: id } }])
  })

  test('a domain, its certificate and its deletion', async () => {
    const { id } = await addVerifiedDomain(ann, 'gone.example')
    await settled()
    expect(of('domain').map(({ data }) => (data as { status: string }).status)).toEqual(
      expect.arrayContaining(['PENDING', 'ACTIVE'])
    )
    const { db } = panel.deps
    expect(
      await notified(async () => {
        await db.insert(certificates).values({ id: newId(Date.now()), domainId: id, commonName: 'gone.example' })
        await db
          .update(certificates)
          .set({ status: 'ERROR', errorMessage: 'a sentence' })
          .where(eq(certificates.domainId, id))
      })
    ).toEqual(
      ['PENDING', 'ERROR'].map((status) => ({
        to: to(),
        name: 'certificate',
        data: { domainId: id, projectId: null, status }
      }))
    )
    const gone = await notified(() => ann.request('DELETE', `/api/domains/${id}`))
    expect(gone).toContainEqual({
      to: to(),
      name: 'domain',
      data: expect.objectContaining({ domainId: id, status: 'REMOVED' }) as object
    })
  })

  test('import steps', async () => {
    const { id: projectId } = await ann.createProject()
    const id = newId(Date.now())
    const { db } = panel.deps
    const events = await notified(async () => {
      await db.insert(wordpressImports).values({ id, projectId, userId: ann.user.id })
      await db.update(wordpressImports).set({ step: 'LOADING', files: 3 }).where(eq(wordpressImports.id, id))
      await db.update(wordpressImports).set({ files: 4 }).where(eq(wordpressImports.id, id))
      await db.update(wordpressImports).set({ step: 'DONE', status: 'SUCCEEDED' }).where(eq(wordpressImports.id, id))
    })
    expect(events.map(({ data }) => data)).toEqual(
      (
        [
          ['RUNNING', 'RECEIVING'],
          ['RUNNING', 'LOADING'],
          ['SUCCEEDED', 'DONE']
        ] as const
      ).map(([status, step]) => ({
        kind: 'wordpress',
        importId: id,
        projectId,
        mailboxId: null,
        status,
        step,
        percent: null
      }))
    )
  })

  test('an account: itself, those above it and administrators', async () => {
    const events = await notified(() => admin.request('PATCH', `/api/users/${ann.user.id}`, { name: 'Ann B.' }))
    const data = { type: 'account', id: ann.user.id, projectId: null }
    expect(events).toHaveLength(2)
    expect(events).toEqual(
      expect.arrayContaining([
        { to: to(), name: 'changed', data },
        { to: 'admins', name: 'changed', data }
      ])
    )
  })

  test('every announced table has its triggers', async () => {
    const { rows } = await panel.deps.db.execute<{ table: string; count: number }>(sql`
      select tgrelid::regclass::text as table, count(*)::int as count from pg_trigger where tgname like 'tell\\_%' group by 1 order by 1`)
    expect(Object.fromEntries(rows.map(({ table, count }) => [table, count]))).toMatchInlineSnapshot(`
      {
        "certificates": 3,
        "databases": 3,
        "deployment_logs": 1,
        "deployments": 2,
        "dns_records": 3,
        "domains": 3,
        "env_vars": 3,
        "mail_aliases": 3,
        "mailbox_imports": 2,
        "mailboxes": 3,
        "projects": 3,
        "sftp_users": 3,
        "users": 2,
        "wordpress_imports": 2,
      }
    `)
  })
})

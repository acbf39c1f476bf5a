import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Feature } from '../src/features/feature.ts'
import { features } from '../src/features/index.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

const witness = { refuses: false, effects: 0 }
const note = async () => {
  if (witness.refuses) throw new Error('this feature refuses')
  return [async () => witness.effects++]
}
const last: Feature = {
  name: 'witness',
  account: { suspended: note, deleted: note },
  project: { created: note, deleted: async () => void (await note()) }
}

let panel: TestPanel
let admin: Client
let ann: Client
beforeAll(async () => {
  panel = await createTestPanel({}, { features: [...features, last] })
  admin = await panel.signUp('admin')
})
beforeEach(async () => {
  witness.refuses = false
  witness.effects = 0
  ann = await panel.createUser(admin)
})
afterAll(() => panel.close())

const statusOf = async (url: string) => (await admin.request('GET', url)).json<{ suspended: boolean }>()
const audited = async (targetId: string) => (await panel.audited({ targetId })).map(({ action }) => action)

test('a suspension commits with feature changes, and side effects follow', async () => {
  witness.refuses = true
  expect((await admin.request('POST', `/api/users/${ann.user.id}/suspend`)).statusCode).toBe(500)
  expect(await statusOf(`/api/users/${ann.user.id}`)).toMatchObject({ suspended: false })
  expect((await ann.request('GET', '/api/projects')).statusCode).toBe(200)
  expect(await audited(ann.user.id)).not.toContain('user.suspended')
  expect(witness.effects).toBe(0)

  witness.refuses = false
  expect((await admin.request('POST', `/api/users/${ann.user.id}/suspend`)).statusCode).toBe(200)
  expect(witness.effects).toBe(1)
})

test('a deletion refused by a feature changes nothing', async () => {
  const project = await ann.createProject()
  witness.refuses = true
  const url = `/api/users/${ann.user.id}?projects=delete`
  expect((await admin.request('DELETE', url)).statusCode).toBe(500)
  expect((await ann.request('GET', `/api/projects/${project.id}`)).statusCode).toBe(200)
  expect((await ann.request('DELETE', `/api/projects/${project.id}`)).statusCode).toBe(500)
  expect((await ann.request('GET', `/api/projects/${project.id}`)).json()).toMatchObject({ name: project.name })

  witness.refuses = false
  expect((await admin.request('DELETE', url)).statusCode).toBe(200)
  expect((await admin.request('GET', `/api/users/${ann.user.id}`)).statusCode).toBe(404)
})

test('a project refused by a feature is not created or counted', async () => {
  witness.refuses = true
  await expect(ann.createProject({ name: 'refused' })).rejects.toThrow()
  witness.refuses = false
  expect((await ann.request('GET', '/api/projects')).json()).toMatchObject({ projects: [], pagination: { total: 0 } })
  await ann.createProject({ name: 'refused' })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eq } from 'drizzle-orm'
import type { OverviewItem } from '@panel/contract/overview'
import { envVars } from '../src/db/schema/env-vars.ts'
import { runQueue } from '../src/features/deployments/deployment-runner.jobs.ts'
import {
  buildEnvironmentOf,
  environmentOf,
  listSecrets,
  openEnvironment
} from '../src/features/env-vars/environment.service.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

let panel: TestPanel
let ann: Client
let bob: Client
beforeAll(async () => {
  panel = await createTestPanel()
  ann = await panel.signUp('ann')
  bob = await panel.signUp('bob')
})
afterAll(() => panel.close())

let count = 0
const newName = (of = 'group') => `${of}${++count}`
const newProject = async (client = ann) => (await client.createProject()).id
const newGroup = async (client = ann, name = newName()) =>
  (await client.request('POST', '/api/env-groups', { name })).json() as { id: string; name: string }
const newDatabase = async (projectId: string | null, client = ann) =>
  (await client.request('POST', '/api/databases', { name: newName('db'), type: 'POSTGRESQL', projectId })).json() as {
    id: string
    name: string
  }
type At = `projects/${string}` | `env-groups/${string}`
const set = (at: At, key: string, value: string, more: object = {}, client = ann) =>
  client.request('POST', `/api/${at}/env`, { key, value, ...more })
const attach = (id: string, groupIds: readonly string[], client = ann) =>
  client.request('PUT', `/api/projects/${id}/env-groups`, { groupIds })
const valuesOf = async (id: string, process = 'web') =>
  environmentOf((await openEnvironment(panel.deps, id)).variables, process)
const outcome = (answer: { statusCode: number; json(): { code: string } }) => [answer.statusCode, answer.json().code]
const sentencesOf = (answer: { json(): { sentences: { code: string }[] } }) =>
  answer.json().sentences.map(({ code }) => code)

describe('groups', () => {
  test('share variables with projects by precedence, sealed in the store', async () => {
    const [project, other] = [await newProject(), await newProject()]
    const [first, second] = [await newGroup(), await newGroup()]
    await set(`env-groups/${first.id}`, 'A', 'first')
    await set(`env-groups/${second.id}`, 'A', 'second')
    await set(`env-groups/${second.id}`, 'B', 'second')
    await set(`projects/${project}`, 'B', 'own')
    expect((await attach(project, [first.id, second.id])).statusCode).toBe(200)
    expect((await attach(other, [second.id, first.id])).statusCode).toBe(200)
    expect(await valuesOf(project)).toEqual({ A: 'first', B: 'own' })
    expect(await valuesOf(other)).toEqual({ A: 'second', B: 'second' })
    const list = (await ann.request('GET', '/api/env-groups')).json().groups as { id: string; variables: number }[]
    expect(list.find(({ id }) => id === second.id)).toMatchObject({
      variables: 2,
      projects: expect.arrayContaining([expect.objectContaining({ id: project })])
    })
    const rows = await panel.deps.db.select().from(envVars).where(eq(envVars.groupId, first.id))
    expect(rows[0]!.value).not.toContain('first')
    expect((await listSecrets(panel.deps, other)).map(({ value }) => value)).toContain('second')
    expect((await ann.request('DELETE', `/api/env-groups/${second.id}`)).statusCode).toBe(200)
    expect(await valuesOf(other)).toEqual({ A: 'first' })
  })

  test('have the routes of a project: masked lists, reveal, import, export, delete', async () => {
    const at = `/api/env-groups/${(await newGroup()).id}/env`
    expect((await ann.request('POST', `${at}/import`, { content: 'A=1\nB=two words' })).json()).toMatchObject({
      count: 2
    })
    const list = await ann.request('GET', at)
    expect(list.json().variables).toMatchObject([{ key: 'A', groupId: expect.any(String) }, { key: 'B' }])
    expect(list.body).not.toContain('two words')
    expect((await ann.request('GET', `${at}/B/reveal`)).json().value).toBe('two words')
    expect((await ann.request('GET', `${at}/export`)).json().content).toBe("A=1\nB='two words'\n")
    expect((await ann.request('DELETE', `${at}/A`)).statusCode).toBe(200)
    expect((await ann.request('DELETE', `${at}/A`)).statusCode).toBe(404)
  })

  test('belong to one account', async () => {
    const [project, group] = [await newProject(), await newGroup()]
    for (const [method, path] of [
      ['GET', '/env'],
      ['POST', '/env'],
      ['GET', '/env/export'],
      ['DELETE', '']
    ] as const)
      expect((await bob.request(method, `/api/env-groups/${group.id}${path}`, method === 'POST' ? { key: 'A', value: '' } : undefined)).statusCode).toBe(404) // oxfmt-ignore
    expect((await attach(await newProject(bob), [group.id], bob)).statusCode).toBe(404)
    expect((await attach(project, [(await newGroup(bob)).id])).statusCode).toBe(404)
    expect((await bob.request('GET', `/api/projects/${project}/env-groups`)).statusCode).toBe(403)
    expect((await attach(project, [group.id, group.id])).statusCode).toBe(400)
  })

  test('have a name once per account', async () => {
    const { name } = await newGroup()
    expect(outcome(await ann.request('POST', '/api/env-groups', { name }))).toEqual([409, 'ENV_GROUP_EXISTS'])
    expect((await bob.request('POST', '/api/env-groups', { name })).statusCode).toBe(201)
    expect(outcome(await ann.request('POST', '/api/env-groups', { name: '1 x' }))).toEqual([400, 'VALIDATION_ERROR'])
  })
})

describe('references', () => {
  test('give the values of a linked database, and survive export and import', async () => {
    const id = await newProject()
    const { name } = await newDatabase(id)
    await set(`projects/${id}`, 'URL', `\${{${name}.url}}?pool=5`)
    await set(`projects/${id}`, 'TEXT', '$${{x}} ${{URL}}')
    const values = await valuesOf(id)
    expect(values.URL).toMatch(new RegExp(`^postgresql://.+/${name}\\?pool=5$`))
    expect(values.TEXT).toBe(`\${{x}} ${values.URL}`)
    const [secret] = (await listSecrets(panel.deps, id)).filter(({ key }) => key === 'DB_PASSWORD')
    expect(values.URL).toContain(secret!.value)
    const { content } = (await ann.request('GET', `/api/projects/${id}/env/export`)).json()
    expect(content).toContain(`\${{${name}.url}}`)
    await ann.request('POST', `/api/projects/${id}/env/import`, { content, overwrite: true })
    expect(await valuesOf(id)).toEqual(values)
  })

  test.each([
    ['unknown', '${{NOPE}}', 'REFERENCE_UNKNOWN'],
    ['circular', '${{KEY}}', 'REFERENCE_CIRCULAR'],
    ['incomplete', '${{KEY}', 'REFERENCE_INVALID']
  ])('that are %s are refused, and nothing is saved', async (_, value, code) => {
    const id = await newProject()
    const answer = await set(`projects/${id}`, 'KEY', value)
    expect(outcome(answer)).toEqual([400, 'VALIDATION_ERROR'])
    expect(sentencesOf(answer)).toEqual([code])
    expect(await valuesOf(id)).toEqual({})
  })

  test('to a database that is another account’s or not linked are unknown', async () => {
    const id = await newProject()
    const foreign = await newDatabase(await newProject(bob), bob)
    const unlinked = await newDatabase(null)
    for (const { name } of [foreign, unlinked])
      expect(sentencesOf(await set(`projects/${id}`, 'URL', `\${{${name}.url}}`))).toEqual(['REFERENCE_UNKNOWN'])
  })

  test('of a group must resolve in every project that gets it', async () => {
    const [id, group] = [await newProject(), await newGroup()]
    const { name } = await newDatabase(id)
    expect((await set(`env-groups/${group.id}`, 'URL', `\${{${name}.url}}`)).statusCode).toBe(200)
    expect(sentencesOf(await attach(await newProject(), [group.id]))).toEqual(['REFERENCE_UNKNOWN'])
    expect((await attach(id, [group.id])).statusCode).toBe(200)
    expect(sentencesOf(await set(`env-groups/${group.id}`, 'X', '${{nothing.x}}'))).toEqual(['REFERENCE_UNKNOWN'])
    expect((await valuesOf(id)).URL).toMatch(/^postgresql:/)
  })

  test('whose target was deleted fail the deployment by name, and need attention before', async () => {
    const id = (await ann.createProject({ gitUrl: 'https://github.com/owner/repository' })).id
    const database = await newDatabase(id)
    await set(`projects/${id}`, 'URL', `\${{${database.name}.url}}`)
    expect((await ann.request('DELETE', `/api/databases/${database.id}`)).statusCode).toBe(200)
    // Of another project whose references resolve, nothing.
    const whole = await newProject()
    const linked = await newDatabase(whole)
    await set(`projects/${whole}`, 'URL', `\${{${linked.name}.url}}`)
    const { items } = (await ann.request('GET', '/api/overview')).json() as { items: OverviewItem[] }
    expect(items.find(({ targetId }) => targetId === id)).toMatchObject({
      code: 'VARIABLE_BROKEN',
      detail: `URL: \${{${database.name}.url}}`
    })
    expect(items.filter(({ targetId }) => targetId === whole)).toEqual([])
    const deployment = (await ann.request('POST', `/api/projects/${id}/build`)).json().id as string
    const worker = {
      lease: { workerId: 7 },
      signal: new AbortController().signal,
      buildNetworks: { acquire: () => Promise.reject(new Error('nothing is built')) }
    }
    await runQueue(panel.deps, worker, 'build')
    const { failure } = (await ann.request('GET', `/api/projects/${id}/deployments/${deployment}`)).json()
    expect(failure).toMatchObject({
      sentences: [{ code: 'REFERENCE_UNKNOWN', values: { key: 'URL', reference: `\${{${database.name}.url}}` } }]
    })
  })

  test('are not read in values from before there were references', async () => {
    const id = await newProject()
    await set(`projects/${id}`, 'OLD', 'text')
    const value = panel.deps.secretBox.seal('${{anything}}')
    await panel.deps.db.update(envVars).set({ value, references: null }).where(eq(envVars.projectId, id))
    expect(await valuesOf(id)).toEqual({ OLD: '${{anything}}' })
    const { content } = (await ann.request('GET', `/api/projects/${id}/env/export`)).json()
    await ann.request('POST', `/api/projects/${id}/env/import`, { content, overwrite: true })
    expect(await valuesOf(id)).toEqual({ OLD: '${{anything}}' })
  })
})

describe('scope and processes', () => {
  test('decide who gets a variable; both stay when only the value changes', async () => {
    const id = await newProject()
    await set(`projects/${id}`, 'BOTH', '1')
    await set(`projects/${id}`, 'BUILD', '2', { scope: 'BUILD' })
    await set(`projects/${id}`, 'RUN', '3', { scope: 'RUN', sensitive: false })
    await set(`projects/${id}`, 'WORK', '4', { processes: ['worker', 'jobs'], sensitive: false })
    await set(`projects/${id}`, 'WORK', '5')
    const { variables } = await openEnvironment(panel.deps, id)
    expect(buildEnvironmentOf(variables)).toEqual({
      buildEnv: { BOTH: '1', BUILD: '2', WORK: '5' },
      secretKeys: [
        { key: 'BOTH', isForBuildOnly: false },
        { key: 'BUILD', isForBuildOnly: true }
      ]
    })
    expect(environmentOf(variables, 'web')).toEqual({ BOTH: '1', RUN: '3' })
    expect(environmentOf(variables, 'worker')).toEqual({ BOTH: '1', RUN: '3', WORK: '5' })
    expect((await set(`projects/${id}`, 'X', '', { processes: [] })).statusCode).toBe(400)
  })
})

describe('a preview', () => {
  test('says what changes, for which projects, and writes nothing', async () => {
    const [id, group] = [await newProject(), await newGroup()]
    await set(`env-groups/${group.id}`, 'A', '1')
    await set(`env-groups/${group.id}`, 'B', '2')
    await attach(id, [group.id])
    await set(`projects/${id}`, 'C', '${{A}}')
    const answer = await ann.request('POST', `/api/env-groups/${group.id}/env/preview`, {
      variables: [
        { key: 'B', value: '2' },
        { key: 'NEW', value: '3' }
      ],
      removed: ['A']
    })
    expect(answer.json()).toEqual({
      added: ['NEW'],
      changed: [],
      removed: ['A'],
      projects: [{ id, name: expect.any(String), needs: 'NOTHING' }],
      broken: [{ project: expect.any(String), key: 'C', reference: '${{A}}' }]
    })
    expect(await valuesOf(id)).toEqual({ A: '1', B: '2', C: '1' })
  })
})

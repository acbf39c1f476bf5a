import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

let panel: TestPanel
let ann: Client
beforeAll(async () => {
  panel = await createTestPanel()
  ann = await panel.signUp('ann')
})
afterAll(() => panel.close())

const hash = 'deadbeef'.repeat(5)
const defaults = { automatic: true, branch: true, tagPattern: null, watchPaths: [], skipMarkers: true }

async function connected(deployRules?: object): Promise<{ id: string; secret: string }> {
  const { id } = await ann.createProject()
  if (deployRules) await ann.request('PUT', `/api/projects/${id}`, { deployRules })
  const connection = { gitUrl: 'https://github.com/o/r', branch: 'main' }
  const answer = await ann.request('POST', `/api/projects/${id}/git/connect`, connection)
  return { id, secret: answer.json().webhookSecret }
}

function deliver({ id, secret }: { id: string; secret: string }, values: object) {
  const commit = { id: hash, message: 'Fix', added: [], modified: ['docs/a.md'], removed: [] }
  const body = { ref: 'refs/heads/main', before: 'a'.repeat(40), after: hash, head_commit: commit, commits: [commit] }
  const payload = JSON.stringify({ ...body, ...values })
  const signature = createHmac('sha256', secret).update(payload).digest('hex')
  return panel.app.inject({
    method: 'POST',
    url: `/api/webhooks/gitprovider/${id}`,
    payload,
    headers: { 'x-github-event': 'push', 'x-hub-signature-256': `sha256=${signature}` }
  })
}

describe('the setting', () => {
  test('is null at first, is stored with defaults, and is removed with null', async () => {
    const { id } = await ann.createProject()
    const rules = async () => (await ann.request('GET', `/api/projects/${id}?secrets=false`)).json().deployRules
    expect(await rules()).toBeNull()
    await ann.request('PUT', `/api/projects/${id}`, { deployRules: { watchPaths: ['src/**'] } })
    expect(await rules()).toEqual({ ...defaults, watchPaths: ['src/**'] })
    await ann.request('PUT', `/api/projects/${id}`, { startCmd: 'node x' })
    expect(await rules()).toEqual({ ...defaults, watchPaths: ['src/**'] })
    await ann.request('PUT', `/api/projects/${id}`, { deployRules: null })
    expect(await rules()).toBeNull()
  })

  test.each<[string, object]>([
    ['an absolute path', { watchPaths: ['/src/**'] }],
    ['a path out of the repository', { watchPaths: ['../x'] }],
    ['an exclusion of nothing', { watchPaths: ['!'] }],
    ['nothing', { watchPaths: [''] }],
    ['a backslash', { watchPaths: ['src\\a'] }],
    ['two lines', { tagPattern: 'v*\nx' }],
    ['too many', { watchPaths: Array(51).fill('a') }]
  ])('%s is refused', async (_, deployRules) => {
    const { id } = await ann.createProject()
    const answer = await ann.request('PUT', `/api/projects/${id}`, { deployRules })
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'VALIDATION_ERROR'])
  })
})

describe('a push', () => {
  test.each<[string, object, object, string]>([
    ['switched off', { automatic: false }, {}, 'Automatic deployment is off'],
    ['unwatched files', { watchPaths: ['src/**'] }, {}, 'No watched path changed'],
    ['another tag', { tagPattern: 'v*' }, { ref: 'refs/tags/x' }, 'The tag does not match the pattern']
  ])('%s is answered with 200 and the reason', async (_, rules, values, reason) => {
    const answer = await deliver(await connected(rules), values)
    expect([answer.statusCode, answer.json()]).toEqual([200, { ignored: true, reason }])
  })

  test.each<[string, object, object]>([
    ['watched files', { watchPaths: ['docs/**'] }, {}],
    ['files that are not all listed', { watchPaths: ['src/**'] }, { commits: [] }],
    ['a tag', { branch: false, tagPattern: 'v*' }, { ref: 'refs/tags/v1' }]
  ])('%s are deployed', async (_, rules, values) => {
    const project = await connected(rules)
    expect((await deliver(project, values)).statusCode).toBe(202)
    const { deployments } = (await ann.request('GET', `/api/projects/${project.id}/deployments`)).json()
    expect(deployments).toMatchObject([{ trigger: 'WEBHOOK', commitHash: hash }])
  })

  test('patterns that take too long to compare are refused, and the panel keeps answering', async () => {
    const project = await connected({ watchPaths: [`${'*a'.repeat(30)}b`] })
    const commit = { id: hash, message: 'Fix', added: ['a'.repeat(5_000)], modified: [], removed: [] }
    const delivery = deliver(project, { head_commit: commit, commits: [commit] })
    expect((await ann.request('GET', '/api/health')).statusCode).toBe(200)
    const answer = await delivery
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'VALIDATION_ERROR'])
  })
})

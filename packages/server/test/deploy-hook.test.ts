import { afterAll, beforeAll, expect, test } from 'vitest'
import type { NewDeployHook } from '@panel/contract/git'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

let panel: TestPanel
let ann: Client
beforeAll(async () => {
  panel = await createTestPanel()
  ann = await panel.signUp('ann')
})
afterAll(() => panel.close())

const hookOf = (id: string) => `/api/projects/${id}/git/deploy-hook`
const create = async (id: string): Promise<NewDeployHook> => (await ann.request('POST', hookOf(id))).json()

async function connected(): Promise<string> {
  const { id } = await ann.createProject()
  await ann.request('POST', `/api/projects/${id}/git/connect`, { gitUrl: 'https://github.com/o/r', branch: 'main' })
  return id
}

function call(url: string, payload?: string) {
  const { pathname, search } = new URL(url, 'http://localhost')
  return panel.app.inject({ method: 'POST', url: pathname + search, ...(payload === undefined ? {} : { payload }) })
}

test('the URL deploys the head of the branch, also with automatic deployment off', async () => {
  const id = await connected()
  await ann.request('PUT', `/api/projects/${id}`, { deployRules: { automatic: false } })
  expect((await ann.request('GET', hookOf(id))).json()).toEqual({ createdAt: null })
  const { url, createdAt } = await create(id)
  expect((await ann.request('GET', hookOf(id))).json()).toEqual({ createdAt })
  const answer = await call(url)
  expect([answer.statusCode, answer.json()]).toEqual([202, { deploymentId: expect.any(String), status: 'QUEUED' }])
  expect((await call(url, '{"not json')).statusCode).toBe(202)
  const { deployments } = (await ann.request('GET', `/api/projects/${id}/deployments`)).json()
  expect(deployments).toMatchObject([{ trigger: 'WEBHOOK', commitHash: null }, { trigger: 'WEBHOOK' }])
  const inbox = (await ann.request('GET', `/api/projects/${id}/webhook-deliveries`)).json()
  const { deploymentId } = answer.json()
  expect(inbox.deliveries[1]).toMatchObject({
    provider: 'DEPLOY_HOOK',
    verdict: 'ACCEPTED',
    deploymentId,
    replayable: false
  })
  const secret = new URL(url).searchParams.get('secret')!
  const shown = [await ann.request('GET', `/api/projects/${id}`), await ann.request('GET', `/api/projects/${id}/git`)]
  expect(shown.map(({ body }) => body).join()).not.toContain(secret)
  expect(JSON.stringify(await panel.audited({ targetId: id }))).not.toContain(secret)
})

test('every wrong address or secret is answered alike, and counted', async () => {
  const [id, without] = [await connected(), await connected()]
  const removed = await connected()
  const gone = await connected()
  const { url } = await create(id)
  const rotated = await create(id)
  const { url: removedUrl } = await create(removed)
  expect((await ann.request('DELETE', hookOf(removed))).statusCode).toBe(204)
  const { url: goneUrl } = await create(gone)
  await ann.request('DELETE', `/api/projects/${gone}`)
  const secret = new URL(rotated.url).search
  const answers = await Promise.all(
    [
      url,
      removedUrl,
      goneUrl,
      `/api/webhooks/deploy/${id}`,
      `/api/webhooks/deploy/${id}?secret=no%20secret`,
      `/api/webhooks/deploy/${without}${secret}`,
      `/api/webhooks/deploy/nothing${secret}`
    ].map((address) => call(address))
  )
  const expected = JSON.stringify({ error: 'Missing or invalid secret', code: 'SIGNATURE_INVALID' })
  expect(answers.map(({ statusCode, body }) => [statusCode, body])).toEqual(answers.map(() => [401, expected]))
  const unsigned = async () => (await ann.request('GET', `/api/projects/${id}/webhook-deliveries`)).json().unsigned
  await expect.poll(async () => (await unsigned()).count).toBe(3)
  expect((await call(rotated.url)).statusCode).toBe(202)
})

test('a project without a repository is refused, and the inbox says so', async () => {
  const { id } = await ann.createProject()
  const { url } = await create(id)
  expect((await call(url)).json().code).toBe('GIT_NOT_CONNECTED')
  const { deliveries } = (await ann.request('GET', `/api/projects/${id}/webhook-deliveries`)).json()
  expect(deliveries).toMatchObject([{ verdict: 'REFUSED', provider: 'DEPLOY_HOOK' }])
})

test('creating and removing is audited, and removing twice is one entry', async () => {
  const id = await connected()
  await create(id)
  await ann.request('DELETE', hookOf(id))
  await ann.request('DELETE', hookOf(id))
  const actions = (await panel.audited({ targetId: id })).map(({ action }) => action)
  expect(actions.filter((action) => action.startsWith('git.deploy_hook'))).toHaveLength(2)
})

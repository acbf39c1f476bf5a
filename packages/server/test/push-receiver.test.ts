import { createHmac } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eq, sql } from 'drizzle-orm'
import type { Deployment } from '@panel/contract/deployments'
import { deployments } from '../src/db/schema/deployments.ts'
import { projects } from '../src/db/schema/projects.ts'
import { pushDeliveries } from '../src/db/schema/push-deliveries.ts'
import { pushes } from '../src/features/pushes/pushes.module.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

type Headers = Record<string, string>

let panel: TestPanel
let ann: Client
beforeAll(async () => {
  panel = await createTestPanel()
  ann = await panel.signUp('ann')
})
afterAll(() => panel.close())

const hash = 'deadbeef'.repeat(5)
const json: Headers = { 'content-type': 'application/json' }
const sign = (secret: string, body: string | Buffer) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
const push = (values: object = {}) => ({
  ref: 'refs/heads/main',
  after: hash,
  head_commit: { id: hash, message: 'fix: the thing\n\nlonger' },
  ...values
})

async function connected(branch = 'main'): Promise<{ id: string; secret: string }> {
  const { id } = await ann.createProject()
  const answer = await ann.request('POST', `/api/projects/${id}/git/connect`, {
    gitUrl: 'https://github.com/o/r',
    branch
  })
  return { id, secret: answer.json().webhookSecret }
}

const post = (id: string, payload: string | Buffer, headers: Headers) =>
  panel.app.inject({ method: 'POST', url: `/api/webhooks/gitprovider?projectId=${id}`, payload, headers })

const deliver = (
  { id, secret }: { id: string; secret: string },
  body: object | string | Buffer,
  headers: Headers = {}
) => {
  const payload = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
  return post(id, payload, {
    ...json,
    'x-gitprovider-event': 'push',
    'x-hub-signature-256': sign(secret, payload),
    ...headers
  })
}
const queued = async (id: string) =>
  (await ann.request('GET', `/api/projects/${id}/deployments`)).json().deployments as Deployment[]

describe('accepted', () => {
  test.each([
    ['in the query', (id: string) => `/api/webhooks/gitprovider?projectId=${id}`],
    ['in the path', (id: string) => `/api/webhooks/gitprovider/${id}`]
  ])('the project %s', async (_name, url) => {
    const { id, secret } = await connected()
    const payload = JSON.stringify(push())
    const headers = { ...json, 'x-gitprovider-event': 'push', 'x-hub-signature-256': sign(secret, payload) }
    const answer = await panel.app.inject({ method: 'POST', url: url(id), payload, headers })
    expect(answer.statusCode).toBe(202)
    const [deployment, ...others] = await queued(id)
    expect(others).toEqual([])
    expect(answer.json()).toEqual({ deploymentId: deployment!.id, status: 'QUEUED' })
    expect(deployment).toMatchObject({
      status: 'QUEUED',
      trigger: 'WEBHOOK',
      commitHash: hash,
      commitMsg: 'fix: the thing\n\nlonger',
      buildLogs: null
    })
  })

  const bitbucket = {
    push: { changes: [{ new: { type: 'branch', name: 'main', target: { hash, message: 'from bitbucket' } } }] }
  }
  const gitlab = {
    ref: 'refs/heads/main',
    after: hash,
    checkout_sha: hash,
    commits: [{ id: hash, message: 'from gitlab' }]
  }
  test.each<[string, object, (secret: string, body: string) => Headers, string]>([
    [
      'GitHub',
      push(),
      (secret, body) => ({ 'x-github-event': 'push', 'x-hub-signature-256': sign(secret, body) }),
      'fix: the thing\n\nlonger'
    ],
    ['GitLab', gitlab, (secret) => ({ 'x-gitlab-event': 'Push Hook', 'x-gitlab-token': secret }), 'from gitlab'],
    [
      'Bitbucket',
      bitbucket,
      (secret, body) => ({ 'x-event-key': 'repo:push', 'x-hub-signature': sign(secret, body) }),
      'from bitbucket'
    ]
  ])('as %s sends it', async (_name, body, headers, commitMsg) => {
    const { id, secret } = await connected()
    const payload = JSON.stringify(body)
    const answer = await post(id, payload, { ...json, ...headers(secret, payload) })
    expect(answer.statusCode).toBe(202)
    expect(await queued(id)).toMatchObject([{ commitHash: hash, commitMsg }])
  })

  test('as a form, as offered by GitHub', async () => {
    const { id, secret } = await connected()
    const payload = `payload=${encodeURIComponent(JSON.stringify(push()))}`
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'x-github-event': 'push',
      'x-hub-signature-256': sign(secret, payload)
    }
    expect((await post(id, payload, headers)).statusCode).toBe(202)
    expect(await queued(id)).toMatchObject([{ commitHash: hash }])
  })

  test.each([
    ['text/plain', { 'content-type': 'text/plain' }],
    ['a charset', { 'content-type': 'application/json; charset=utf-8' }],
    ['an unknown type', { 'content-type': 'application/vnd.github.v3+json' }]
  ])('signatures cover bytes, whatever the content type: %s', async (_name, headers) => {
    expect((await deliver(await connected(), push(), headers)).statusCode).toBe(202)
  })

  test('no content type', async () => {
    const { id, secret } = await connected()
    const payload = Buffer.from(JSON.stringify(push()))
    expect(
      (await post(id, payload, { 'x-gitprovider-event': 'push', 'x-hub-signature-256': sign(secret, payload) }))
        .statusCode
    ).toBe(202)
  })

  test('a body of 20 MB', async () => {
    const answer = await deliver(await connected(), push({ commits: ['x'.repeat(20 * 1024 * 1024)] }))
    expect(answer.statusCode).toBe(202)
  })

  test('a SHA-256 commit, and a push without head_commit', async () => {
    const long = await connected()
    expect(
      (await deliver(long, push({ after: 'ab'.repeat(32), head_commit: { id: 'ab'.repeat(32), message: 'm' } })))
        .statusCode
    ).toBe(202)
    expect(await queued(long.id)).toMatchObject([{ commitHash: 'ab'.repeat(32) }])
    for (const head_commit of [undefined, null]) {
      const project = await connected()
      expect((await deliver(project, push({ head_commit }))).statusCode).toBe(202)
      expect(await queued(project.id)).toMatchObject([{ commitHash: hash, commitMsg: null }])
    }
  })

  test('prototype members are plain data', async () => {
    const project = await connected()
    const body = `{"__proto__": {"ref": "refs/heads/main"}, "constructor": {"prototype": {"polluted": 1}}, ${JSON.stringify(push()).slice(1)}`
    expect((await deliver(project, body)).statusCode).toBe(202)
    expect(({} as { polluted?: number; ref?: string }).polluted ?? ({} as { ref?: string }).ref).toBeUndefined()
    const onlyProto = await deliver(await connected(), `{"__proto__": ${JSON.stringify(push())}}`)
    expect([onlyProto.statusCode, onlyProto.json().code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('commit messages cannot forge log lines', async () => {
    const project = await connected()
    await deliver(project, push({ head_commit: { id: hash, message: 'a\u001b[31m\u0000b\u202e\r\nc' } }))
    expect(await queued(project.id)).toMatchObject([{ commitMsg: 'a[31mb\nc' }])
  })
})

describe('acknowledged without queueing', () => {
  test('a ping gets a pong', async () => {
    for (const header of ['x-gitprovider-event', 'x-github-event']) {
      const { id, secret } = await connected()
      const answer = await post(id, '{"zen":"…"}', {
        ...json,
        [header]: 'ping',
        'x-hub-signature-256': sign(secret, '{"zen":"…"}')
      })
      expect([answer.statusCode, answer.json()]).toEqual([200, { message: 'pong' }])
      expect(await queued(id)).toEqual([])
    }
  })

  test.each([
    ['another branch', { ref: 'refs/heads/other' }],
    ['a branch that begins alike', { ref: 'refs/heads/main2' }],
    ['other case', { ref: 'refs/heads/Main' }],
    ['a branch named like the path', { ref: 'refs/heads/refs/heads/main' }],
    ['a tag of the branch’s name', { ref: 'refs/tags/main' }],
    ['the bare name', { ref: 'main' }]
  ])('%s is ignored', async (_name, values) => {
    const project = await connected()
    const answer = await deliver(project, push(values))
    expect([answer.statusCode, answer.body]).toEqual([
      200,
      JSON.stringify({ ignored: true, reason: 'Branch mismatch' })
    ])
    expect(await queued(project.id)).toEqual([])
  })

  test('a deleted branch and another event are ignored', async () => {
    const project = await connected()
    const deleted = await deliver(project, push({ deleted: true, after: '0'.repeat(40), head_commit: null }))
    expect([deleted.statusCode, deleted.json().ignored]).toEqual([200, true])
    const issue = await deliver(project, push(), { 'x-gitprovider-event': 'issues' })
    expect([issue.statusCode, issue.json().ignored]).toEqual([200, true])
    expect(await queued(project.id)).toEqual([])
  })

  test('the project’s own branch counts, also with a slash', async () => {
    const project = await connected('feature/a+b')
    expect((await deliver(project, push())).json()).toEqual({ ignored: true, reason: 'Branch mismatch' })
    expect((await deliver(project, push({ ref: 'refs/heads/feature/a+b' }))).statusCode).toBe(202)
  })
})

describe('repeated deliveries', () => {
  test('queue once, returning the first deployment', async () => {
    const project = await connected()
    const first = await deliver(project, push(), { 'x-github-delivery': 'd-1' })
    const second = await deliver(project, push(), { 'x-github-delivery': 'd-1' })
    expect([second.statusCode, second.json()]).toEqual([202, first.json()])
    expect(await queued(project.id)).toHaveLength(1)
    expect((await deliver(project, push(), { 'x-github-delivery': 'd-2' })).json().deploymentId).not.toBe(
      first.json().deploymentId
    )
  })

  test('five concurrent ones queue once, with and without an id', async () => {
    for (const headers of [{ 'x-gitprovider-delivery': 'same' }, {}] as Headers[]) {
      const project = await connected()
      const answers = await Promise.all(Array.from({ length: 5 }, () => deliver(project, push(), headers)))
      expect(answers.map((answer) => answer.statusCode)).toEqual(Array(5).fill(202))
      expect(new Set(answers.map((answer) => answer.json().deploymentId)).size).toBe(1)
      expect(await queued(project.id)).toHaveLength(1)
    }
  })

  test('for another project count separately', async () => {
    const [one, two] = [await connected(), await connected()]
    await deliver(one, push(), { 'x-github-delivery': 'shared' })
    await deliver(two, push(), { 'x-github-delivery': 'shared' })
    expect([(await queued(one.id)).length, (await queued(two.id)).length]).toEqual([1, 1])
  })

  test('after the deployment ended queue nothing', async () => {
    const project = await connected()
    const { deploymentId } = (await deliver(project, push())).json()
    await panel.deps.db.update(deployments).set({ status: 'FAILED' }).where(eq(deployments.id, deploymentId))
    expect((await deliver(project, push())).json()).toEqual({ deploymentId, status: 'FAILED' })
    expect(await queued(project.id)).toHaveLength(1)
  })

  test('are forgotten after 30 days', async () => {
    const project = await connected()
    const deliveries = ['old', 'young']
    for (const id of deliveries) await deliver(project, push(), { 'x-github-delivery': id })
    const age = (id: string, interval: string) =>
      panel.deps.db
        .update(pushDeliveries)
        .set({ createdAt: sql`now() - ${interval}::interval` })
        .where(eq(pushDeliveries.deliveryId, id))
    await age('old', '30 days 1 minute')
    await age('young', '29 days 23 hours')
    await pushes.jobs['pushes.sweep'].run(panel.deps)
    for (const id of deliveries) await deliver(project, push(), { 'x-github-delivery': id })
    expect(await queued(project.id)).toHaveLength(3)
  })
})

describe('uniform refusals', () => {
  test('responses are identical for any wrong address or signature', async () => {
    const { id, secret } = await connected()
    const other = await connected()
    const bare = (await ann.createProject()).id
    const gone = await connected()
    await ann.request('DELETE', `/api/projects/${gone.id}`)
    const emptied = await connected()
    await panel.deps.db
      .update(projects)
      .set({ webhookSecret: panel.deps.secretBox.seal('') })
      .where(eq(projects.id, emptied.id))

    const payload = JSON.stringify(push())
    const right = sign(secret, payload)
    const event = { ...json, 'x-gitprovider-event': 'push' }
    const signed = (signature: string) => ({ ...event, 'x-hub-signature-256': signature })
    const sha1 = createHmac('sha1', secret).update(payload).digest('hex')
    const attempts: Record<string, [string, string, Headers]> = {
      'no signature': [id, payload, event],
      'no header at all': [id, payload, {}],
      'an empty signature': [id, payload, signed('')],
      'no digest': [id, payload, signed('sha256=')],
      'a short digest': [id, payload, signed(right.slice(0, -2))],
      'a long digest': [id, payload, signed(`${right}00`)],
      'no prefix': [id, payload, signed(right.slice(7))],
      'sha1 under the name of sha256': [id, payload, signed(`sha1=${sha1}`)],
      'sha1 in its own header': [id, payload, { ...event, 'x-hub-signature': `sha1=${sha1}` }],
      'another secret': [id, payload, signed(sign('x'.repeat(64), payload))],
      'another project’s secret': [id, payload, signed(sign(other.secret, payload))],
      'the empty key': [id, payload, signed(sign('', payload))],
      'another body': [id, payload.replace('fix', 'fox'), signed(right)],
      'the body serialized again': [id, JSON.stringify(JSON.parse(payload), null, 1), signed(right)],
      'a ping without signature': [id, payload, { ...json, 'x-gitprovider-event': 'ping' }],
      'a wrong token': [id, payload, { ...json, 'x-gitlab-event': 'Push Hook', 'x-gitlab-token': 'nope' }],
      'a token that is not GitLab’s': [id, payload, { ...event, 'x-gitlab-token': secret }],
      'an unknown project': ['nothing', payload, signed(right)],
      'an unknown project, empty key': ['nothing', payload, signed(sign('', payload))],
      'no project': ['', payload, signed(right)],
      'an id that is none': ['../../etc', payload, signed(right)],
      'an id with a quote': ["'or'1", payload, signed(right)],
      'a project without secret': [bare, payload, signed(sign('', payload))],
      'a project without secret, null': [bare, payload, signed(sign('null', payload))],
      'a project whose secret is empty': [emptied.id, payload, signed(sign('', payload))],
      'an empty token for an empty secret': [
        emptied.id,
        payload,
        { ...json, 'x-gitlab-event': 'Push Hook', 'x-gitlab-token': '' }
      ],
      'a deleted project': [gone.id, payload, signed(sign(gone.secret, payload))]
    }
    const answers = await Promise.all(
      Object.entries(attempts).map(async ([name, [projectId, body, headers]]) => {
        const answer = await post(encodeURIComponent(projectId), body, headers)
        return [name, answer.statusCode, answer.body]
      })
    )
    const expected = JSON.stringify({ error: 'Missing or invalid signature', code: 'SIGNATURE_INVALID' })
    expect(answers).toEqual(Object.keys(attempts).map((name) => [name, 401, expected]))
    expect(await queued(id)).toEqual([])
  })

  test('a rotated secret is invalid', async () => {
    const project = await connected()
    const { webhookSecret } = (
      await ann.request('POST', `/api/projects/${project.id}/git/webhook-secret/rotate`)
    ).json()
    expect((await deliver(project, push())).statusCode).toBe(401)
    expect((await deliver({ id: project.id, secret: webhookSecret }, push())).statusCode).toBe(202)
  })

  test('a session does not replace the signature', async () => {
    const { id } = await connected()
    const answer = await ann.request('POST', `/api/webhooks/gitprovider/${id}`, push(), {
      'x-gitprovider-event': 'push'
    })
    expect(answer.json().code).toBe('SIGNATURE_INVALID')
  })
})

describe('signed but invalid', () => {
  test.each([
    'x;id',
    'a'.repeat(41),
    'a'.repeat(39),
    'HEAD',
    '--help',
    'main',
    '$(id)',
    hash.toUpperCase(),
    `${hash}\n`,
    '',
    5,
    {},
    ['a']
  ])('the commit %j is refused anywhere', async (id) => {
    const project = await connected()
    for (const values of [{ head_commit: { id, message: 'm' } }, { after: id, head_commit: null }, { after: id }]) {
      const answer = await deliver(project, push(values))
      expect([answer.statusCode, answer.json().code]).toEqual([400, 'VALIDATION_ERROR'])
    }
    expect(await queued(project.id)).toEqual([])
  })

  test.each<[string, string | Buffer, Headers]>([
    ['no JSON', '{"ref":', {}],
    ['nothing', '', {}],
    ['null', 'null', {}],
    ['a list', '[]', {}],
    ['no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), {}],
    ['no ref', JSON.stringify({ after: hash }), {}],
    ['a ref that is no text', JSON.stringify(push({ ref: ['refs/heads/main'] })), {}],
    ['no commit', JSON.stringify({ ref: 'refs/heads/main' }), {}],
    ['a form without payload', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['gzip', gzipSync(JSON.stringify(push())), { 'content-encoding': 'gzip' }]
  ])('%s is 400', async (_name, body, headers) => {
    const project = await connected()
    const answer = await deliver(project, body, headers)
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(await queued(project.id)).toEqual([])
  })

  test('no event header is 400', async () => {
    const { id, secret } = await connected()
    const payload = JSON.stringify(push())
    expect((await post(id, payload, { ...json, 'x-hub-signature-256': sign(secret, payload) })).statusCode).toBe(400)
  })

  test('an invalid content type is 415', async () => {
    const answer = await deliver(await connected(), push(), { 'content-type': 'nonsense' })
    expect([answer.statusCode, answer.json().code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
  })

  test('27 MB is 413', async () => {
    const answer = await deliver(await connected(), push({ commits: ['x'.repeat(27 * 1024 * 1024)] }))
    expect([answer.statusCode, answer.json().code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  })

  test('the queue per project is limited', async () => {
    const project = await connected()
    const statuses = []
    for (let i = 0; i < 21; i++)
      statuses.push((await deliver(project, push(), { 'x-github-delivery': `n${i}` })).statusCode)
    expect(statuses).toEqual([...Array(20).fill(202), 409])
    expect((await queued(project.id)).length).toBe(10)
  })
})

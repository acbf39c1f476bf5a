import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { deliveryId, type Headers, parsePushBody, parsePushEvent, verifyPushSignature } from './push-event.policy.ts'

const secret = 'a'.repeat(64)
const body = Buffer.from('{"ref":"refs/heads/main"}')
const sign = (key: string, data: Buffer = body) => createHmac('sha256', key).update(data).digest('hex')
const hash = 'deadbeef'.repeat(5)
const other = 'cafebabe'.repeat(5)

describe('verifyPushSignature', () => {
  test.each<[string, Headers]>([
    ['our header', { 'x-hub-signature-256': `sha256=${sign(secret)}` }],
    ['upper-case hex', { 'x-hub-signature-256': `sha256=${sign(secret).toUpperCase()}` }],
    ['Bitbucket', { 'x-event-key': 'repo:push', 'x-hub-signature': `sha256=${sign(secret)}` }],
    ['GitLab', { 'x-gitlab-event': 'Push Hook', 'x-gitlab-token': secret }]
  ])('%s is accepted', (_, headers) => {
    expect(verifyPushSignature(secret, headers, body)).toBe(true)
    expect(verifyPushSignature(`${secret}b`, headers, body)).toBe(false)
    if (headers['x-gitlab-token'] === undefined)
      expect(verifyPushSignature(secret, headers, Buffer.from('{}'))).toBe(false)
  })

  test.each<[string, Headers]>([
    ['nothing', {}],
    ['an empty signature', { 'x-hub-signature-256': '' }],
    ['no digest', { 'x-hub-signature-256': 'sha256=' }],
    ['no prefix', { 'x-hub-signature-256': sign(secret) }],
    ['a digest that is too short', { 'x-hub-signature-256': `sha256=${sign(secret).slice(2)}` }],
    ['a digest that is too long', { 'x-hub-signature-256': `sha256=${sign(secret)}00` }],
    ['no hex', { 'x-hub-signature-256': `sha256=${'z'.repeat(64)}` }],
    ['sha1', { 'x-hub-signature-256': `sha1=${createHmac('sha1', secret).update(body).digest('hex')}` }],
    ['sha1 in the old header', { 'x-hub-signature': `sha1=${createHmac('sha1', secret).update(body).digest('hex')}` }],
    ['the old header, not from Bitbucket', { 'x-hub-signature': `sha256=${sign(secret)}` }],
    ['two signatures in a list', { 'x-hub-signature-256': [`sha256=${sign(secret)}`, `sha256=${sign(secret)}`] }],
    ['two signatures in a line', { 'x-hub-signature-256': `sha256=${sign('x')}, sha256=${sign(secret)}` }],
    [
      'a wrong signature with a valid token',
      { 'x-hub-signature-256': `sha256=${sign('x')}`, 'x-gitlab-event': 'Push Hook', 'x-gitlab-token': secret }
    ],
    ['a token, not from GitLab', { 'x-gitlab-token': secret }],
    ['two tokens', { 'x-gitlab-event': 'Push Hook', 'x-gitlab-token': [secret, secret] }],
    ['an empty token', { 'x-gitlab-event': 'Push Hook', 'x-gitlab-token': '' }],
    ['a trailing space', { 'x-hub-signature-256': `sha256=${sign(secret)} ` }]
  ])('%s is rejected', (_, headers) => {
    expect(verifyPushSignature(secret, headers, body)).toBe(false)
  })

  test.each([null, undefined, ''])(
    'no secret (%j) accepts nothing, not even an HMAC with an empty or placeholder key',
    (missing) => {
      for (const key of ['', 'no secret', 'null', 'undefined']) {
        expect(verifyPushSignature(missing, { 'x-hub-signature-256': `sha256=${sign(key)}` }, body)).toBe(false)
        expect(verifyPushSignature(missing, { 'x-gitlab-event': 'Push Hook', 'x-gitlab-token': key }, body)).toBe(false)
      }
    }
  )

  test('verifies raw bytes, not parsed content', () => {
    const bytes = Buffer.from([0xff, 0xfe, 0x00])
    expect(verifyPushSignature(secret, { 'x-hub-signature-256': `sha256=${sign(secret, bytes)}` }, bytes)).toBe(true)
    expect(
      verifyPushSignature(
        secret,
        { 'x-hub-signature-256': `sha256=${sign(secret)}` },
        Buffer.from('{"ref": "refs/heads/main"}')
      )
    ).toBe(false)
  })
})

describe('parsePushBody', () => {
  test('JSON, and JSON in a form', () => {
    expect(parsePushBody({ 'content-type': 'application/json' }, Buffer.from('{"a":"ü"}'))).toEqual({
      body: { a: 'ü' }
    })
    const form = Buffer.from(`payload=${encodeURIComponent('{"a":"b c&d"}')}`)
    expect(parsePushBody({ 'content-type': 'application/x-www-form-urlencoded' }, form)).toEqual({
      body: { a: 'b c&d' }
    })
  })
  test.each<[string, Headers, Buffer]>([
    ['no JSON', {}, Buffer.from('{')],
    ['nothing', {}, Buffer.from('')],
    ['no UTF-8', {}, Buffer.from([0x22, 0xff, 0x22])],
    ['a form without payload', { 'content-type': 'application/x-www-form-urlencoded' }, Buffer.from('a=b')],
    ['gzip', { 'content-encoding': 'gzip' }, Buffer.from('{}')]
  ])('%s is a problem', (_, headers, bytes) => {
    expect(parsePushBody(headers, bytes)).toHaveProperty('problem')
  })
})

describe('parsePushEvent', () => {
  const ours: Headers = { 'x-gitprovider-event': 'push' }
  const push = (change: object = {}) => ({
    ref: 'refs/heads/main',
    after: hash,
    head_commit: { id: hash, message: 'Hello' },
    ...change
  })
  const pushed = (branch = 'main', commitHash = hash, message: string | null = 'Hello') => ({
    kind: 'push',
    pushes: [{ ref: { kind: 'branch', name: branch }, commitHash, commitMsg: message, files: null }]
  })

  test.each<[string, Headers, unknown, unknown]>([
    ['ping', { 'x-gitprovider-event': 'ping' }, undefined, { kind: 'ping' }],
    ['ping of GitHub', { 'x-github-event': 'ping' }, { zen: '' }, { kind: 'ping' }],
    ['ping of Bitbucket', { 'x-event-key': 'diagnostics:ping' }, {}, { kind: 'ping' }],
    ['push', ours, push(), pushed()],
    ['push of GitHub', { 'x-github-event': 'push' }, push({ before: other, deleted: false }), pushed()],
    ['branch with a slash', ours, push({ ref: 'refs/heads/feature/x' }), pushed('feature/x')],
    ['no head_commit', ours, push({ head_commit: null }), pushed('main', hash, null)],
    ['no after', ours, push({ after: undefined }), pushed()],
    ['64 digits', ours, push({ after: 'ab'.repeat(32), head_commit: null }), pushed('main', 'ab'.repeat(32), null)],
    ['message that is not text', ours, push({ head_commit: { id: hash, message: 5 } }), pushed('main', hash, null)],
    [
      'message with control characters',
      ours,
      push({ head_commit: { id: hash, message: 'a\u001b[31m\0\r\nb\u202e' } }),
      pushed('main', hash, 'a[31m\nb')
    ],
    [
      'long message',
      ours,
      push({ head_commit: { id: hash, message: 'x'.repeat(5000) } }),
      pushed('main', hash, 'x'.repeat(2000))
    ],
    [
      'push of GitLab',
      { 'x-gitlab-event': 'Push Hook' },
      {
        object_kind: 'push',
        ref: 'refs/heads/main',
        after: hash,
        checkout_sha: hash,
        commits: [
          { id: other, message: 'no' },
          { id: hash, message: 'Hello' }
        ]
      },
      pushed()
    ],
    [
      'GitLab deletes',
      { 'x-gitlab-event': 'Push Hook' },
      { ref: 'refs/heads/main', after: '0'.repeat(40), checkout_sha: null },
      { kind: 'ignored', reason: 'Branch deleted' }
    ],
    [
      'GitLab tag',
      { 'x-gitlab-event': 'Tag Push Hook' },
      { ref: 'refs/tags/v1', after: other, checkout_sha: hash, commits: [] },
      { kind: 'push', pushes: [{ ref: { kind: 'tag', name: 'v1' }, commitHash: hash, commitMsg: null, files: null }] }
    ],
    [
      'annotated tag: the commit, not the tag object',
      ours,
      push({ ref: 'refs/tags/v1', after: other }),
      {
        kind: 'push',
        pushes: [{ ref: { kind: 'tag', name: 'v1' }, commitHash: hash, commitMsg: 'Hello', files: null }]
      }
    ],
    [
      'deleted tag',
      ours,
      push({ ref: 'refs/tags/v1', deleted: true, after: '0'.repeat(40) }),
      { kind: 'ignored', reason: 'Tag deleted' }
    ],
    ['ref without refs/heads/', ours, push({ ref: 'main' }), { kind: 'ignored', reason: 'Branch mismatch' }],
    ['ref without a branch', ours, push({ ref: 'refs/heads/' }), { kind: 'ignored', reason: 'Branch mismatch' }],
    [
      'deleted',
      ours,
      push({ deleted: true, after: '0'.repeat(40), head_commit: null }),
      { kind: 'ignored', reason: 'Branch deleted' }
    ],
    ['zeros', ours, push({ after: '0'.repeat(40), head_commit: null }), { kind: 'ignored', reason: 'Branch deleted' }],
    ['other event', { 'x-github-event': 'issues' }, {}, { kind: 'ignored', reason: 'Event issues is not handled' }],
    [
      'event with odd characters',
      { 'x-github-event': `<b>\r\n${'x'.repeat(99)}` },
      {},
      { kind: 'ignored', reason: `Event <b>${'x'.repeat(47)} is not handled` }
    ]
  ])('%s', (_, headers, json, expected) => {
    expect(parsePushEvent(headers, json)).toEqual(expected)
  })

  test.each<[string, Headers, unknown]>([
    ['no event', {}, push()],
    ['no object', ours, [push()]],
    ['null', ours, null],
    ['text', ours, 'push'],
    ['no ref', ours, push({ ref: undefined })],
    ['ref that is not text', ours, push({ ref: ['refs/heads/main'] })],
    ['no commit at all', ours, push({ after: undefined, head_commit: undefined })],
    ['after with a command', ours, push({ after: 'x;id' })],
    ['head_commit.id with a command', ours, push({ head_commit: { id: 'x;id', message: '' } })],
    ['41 digits', ours, push({ after: 'a'.repeat(41), head_commit: null })],
    ['HEAD', ours, push({ after: 'HEAD', head_commit: null })],
    ['--help', ours, push({ after: '--help', head_commit: null })],
    ['upper case', ours, push({ after: 'A'.repeat(40), head_commit: null })],
    ['a trailing newline', ours, push({ after: `${hash}\n`, head_commit: null })],
    ['a number', ours, push({ after: 5, head_commit: null })],
    ['Bitbucket without changes', { 'x-event-key': 'repo:push' }, {}],
    [
      'Bitbucket with a bad commit',
      { 'x-event-key': 'repo:push' },
      { push: { changes: [{ new: { type: 'branch', name: 'main', target: { hash: 'HEAD' } } }] } }
    ]
  ])('%s is invalid', (_, headers, json) => {
    expect(parsePushEvent(headers, json)).toMatchObject({ kind: 'invalid' })
  })

  test('reads several changes of one Bitbucket push', () => {
    const change = (type: string, name: string, target: object) => ({ new: { type, name, target } })
    const read = (...changes: unknown[]) => parsePushEvent({ 'x-event-key': 'repo:push' }, { push: { changes } })
    const main = change('branch', 'main', { hash, message: 'Hello' })
    expect(
      read(
        main,
        change('tag', 'v1', { hash: other }),
        { new: null, closed: true },
        change('branch', 'dev', { hash: other })
      )
    ).toEqual({
      kind: 'push',
      pushes: [
        { ref: { kind: 'branch', name: 'main' }, commitHash: hash, commitMsg: 'Hello', files: null },
        { ref: { kind: 'tag', name: 'v1' }, commitHash: other, commitMsg: null, files: null },
        { ref: { kind: 'branch', name: 'dev' }, commitHash: other, commitMsg: null, files: null }
      ]
    })
    expect(read({ new: null, closed: true })).toEqual({ kind: 'ignored', reason: 'Branch deleted' })
    expect(read()).toEqual({ kind: 'ignored', reason: 'Nothing changed' })
  })
})

describe('deliveryId', () => {
  const digest = deliveryId({}, body)
  test.each<[string, Headers, string]>([
    ['GitHub', { 'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958' }, '72d3162e-cc78-11e3-81ab-4c9367dc0958'],
    ['Bitbucket', { 'x-request-uuid': '{72d3162e}' }, '72d3162e'],
    ['GitLab', { 'x-gitlab-event-uuid': 'u1' }, `u1:${digest}`],
    ['GitLab with retries', { 'idempotency-key': 'k1', 'x-gitlab-event-uuid': 'u1' }, `k1:${digest}`],
    ['an invalid id', { 'x-github-delivery': 'a b\n' }, digest],
    ['an id that is too long', { 'x-github-delivery': 'a'.repeat(101) }, digest],
    ['two ids', { 'x-github-delivery': ['a', 'b'] }, digest]
  ])('%s', (_, headers, expected) => {
    expect(deliveryId(headers, body)).toBe(expected)
  })
  test('depends on the body if the provider sends no id', () => {
    expect(digest).toMatch(/^[0-9a-f]{64}$/)
    expect(deliveryId({}, Buffer.from('x'))).not.toBe(digest)
  })
})

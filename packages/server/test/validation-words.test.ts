import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { validatorCompiler } from 'fastify-type-provider-zod'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Described, sentenceOf } from '@panel/contract/details'
import { toAppError } from '../src/http/errors.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'
import { makeOneOfEach, type OneOfEach } from './support/one-of-each.ts'

interface Schema {
  $ref?: string
  type?: string
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  required?: string[]
}
interface Operation {
  parameters?: { in: string; name: string }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}
type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

let panel: TestPanel
let ann: Client
let document: Document
let one: OneOfEach
beforeAll(async () => {
  panel = await createTestPanel({ DNS_NAMESERVERS: 'ns1.example.net,ns2.example.net', PUBLIC_IP: '192.0.2.1' })
  ann = await panel.signUp('ann')
  document = (await panel.app.inject('/api/openapi.json')).json()
  one = await makeOneOfEach(panel, ann)
})
afterAll(() => panel.close())

/** Values of every type: too small, too large and malformed. */
const wrong: unknown[] = [
  undefined,
  null,
  true,
  '',
  ' ',
  'x',
  '\u0000',
  'x'.repeat(300),
  -1,
  0,
  1.5,
  1e300,
  2 ** 40,
  [],
  [1],
  Array.from({ length: 600 }, () => ({})),
  {},
  { a: 1 },
  '\ud800'
]

/** In lists, whose members have the same schemas as elsewhere. */
const wrongWithin: unknown[] = [null, 'x', '\u0000', -1, {}]

const resolved = (schema: Schema): Schema =>
  schema.$ref === undefined ? schema : resolved(document.components.schemas[schema.$ref.split('/').at(-1)!]!)

function* bodies(schema: Schema): Generator<[member: string, body: unknown]> {
  for (const value of [null, [], 'x', 7, {}]) yield ['', value]
  const { properties = {}, anyOf = [] } = resolved(schema)
  for (const each of anyOf) yield* bodies(each)
  for (const [name, member] of Object.entries(properties)) {
    for (const value of wrong) yield [name, { [name]: value }]
    const { items } = resolved(member)
    if (items === undefined) continue
    for (const value of wrongWithin) yield [name, { [name]: [value] }]
    for (const inner of Object.keys(resolved(items).properties ?? {}))
      for (const value of wrongWithin) yield [name, { [name]: [{ [inner]: value }] }]
  }
}

/** Words that only Zod or programmers use. */
const raw =
  /Invalid|\bexpected\b|received|Too (?:small|big)|Unrecognized|Required|undefined|NaN|\[object|<=|>=|9007199254740991/

test('every route names invalid values in a sentence', { timeout: 1_200_000 }, async () => {
  const bad: unknown[] = []
  const reported = new Set<string>()
  const check = (call: string, member: string, answer: { statusCode: number; body: string }) => {
    if (answer.statusCode >= 500) bad.push([call, member, answer.body])
    if (answer.statusCode !== 400) return
    const body = JSON.parse(answer.body) as {
      error: string
      code: string
      details?: ({ path: string; message: string } & Described)[]
    }
    for (const { message, ...described } of body.details ?? []) {
      reported.add(message)
      if (described.code !== 'INVALID' && sentenceOf(described) !== message) bad.push([call, 'another code', body])
    }
    const paths = (body.details ?? []).map(({ path }) => path)
    if (raw.test(answer.body.replaceAll(/"path":"[^"]*"/g, ''))) bad.push([call, member, body])
    if (new Set(paths).size !== paths.length) bad.push([call, 'twice', body])
    if (!body.error.startsWith('Some values are not valid: ')) return
    const subject =
      paths[0] === '' ? /: the (body|query) / : { test: (text: string) => text.includes(`: ${paths[0]} `) }
    if (!subject.test(body.error)) bad.push([call, 'without the name', body])
  }
  const schemas = new Map(
    panel.app.describedRoutes.map(({ method, url, schema }) => [
      `${String(method)} ${url.replaceAll(/:(\w+)/g, '{$1}')}`,
      schema?.body
    ])
  )
  let withoutRequest = 0
  /** The answer to a body that the schema of the route refuses, without a request. */
  const refusalOf = (method: string, path: string, body: unknown) => {
    const schema = schemas.get(`${method.toUpperCase()} ${path}`)
    if (schema === undefined) return undefined
    const { error } = validatorCompiler({ schema } as never)(JSON.parse(JSON.stringify(body)) as never) as { error?: Error } // oxfmt-ignore
    if (error === undefined) return undefined
    const { message, code, details } = toAppError(Object.assign(error, { validationContext: 'body' }))
    withoutRequest++
    return { statusCode: 400, body: JSON.stringify({ error: message, code, details }) }
  }
  for (const [path, operations] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(operations)) {
      const call = `${method} ${path}`
      // These end what later requests need.
      if (/logout|\/disable$/.test(path) || (method === 'delete' && !operation.requestBody)) continue
      const schema = operation.requestBody?.content['application/json']?.schema
      if (schema)
        for (const [member, body] of bodies(schema)) {
          if (body !== null && typeof body === 'object' && Object.values(body)[0] === undefined && member !== '')
            continue
          // The whole body goes to every route, which shows that it uses its schema.
          const refusal = member === '' ? undefined : refusalOf(method, path, body)
          check(call, member, refusal ?? (await ann.request(method as 'POST', one.address(path), JSON.stringify(body), json))) // oxfmt-ignore
        }
      for (const { name } of (operation.parameters ?? []).filter((parameter) => parameter.in === 'query'))
        for (const value of ['', 'x', '-1', '0', '1.5', '99999999999', 'x'.repeat(300), '%00', '%0A'])
          check(call, name, await ann.request(method as 'GET', `${one.address(path)}?${name}=${value}`))
    }
  expect(bad).toEqual([])
  expect(reported.size).toBeGreaterThan(20)
  expect(withoutRequest).toBeGreaterThan(1_000)
})

const json = { 'content-type': 'application/json' }

test.each([
  ['/api/projects', { type: 'STATIC' }, 'name is missing'],
  ['/api/projects', { name: 'ok', type: 'STATIC', port: 0 }, 'port must be at least 1'],
  ['/api/projects', { name: 'ok', type: 'STATIC', port: 'x' }, 'port must be a number'],
  [
    '/api/projects',
    { name: 'ok', type: 'RUBY' },
    'type must be one of NODEJS, PYTHON, PHP, STATIC, WORDPRESS, DOCKERFILE, IMAGE'
  ],
  ['/api/projects', { name: 'ok', type: 'STATIC', branch: '' }, 'branch must not be empty'],
  ['/api/projects', [], 'the body must be an object'],
  ['/api/projects/:id/env', {}, 'the body must have key and value, or variables'],
  ['/api/projects/:id/env', { variables: [] }, 'variables must not be empty'],
  ['/api/projects/:id/env', { key: 'A' }, 'value is missing'],
  ['/api/projects/:id/env', { variables: [{ key: 'A', value: 7 }] }, 'variables.0.value must be text']
])('%s %j: %s', async (path, body, sentence) => {
  const answer = await ann.request('POST', path.replace(':id', one.ids.projects!), body)
  expect([answer.statusCode, answer.json()]).toMatchObject([
    400,
    { error: `Some values are not valid: ${sentence}`, code: 'VALIDATION_ERROR' }
  ])
  expect(answer.json<{ details: unknown[] }>().details).toHaveLength(1)
})

/** A valid value with one lone surrogate at a time. */
function* halves(schema: Schema): Generator<unknown> {
  const half = 'a\ud800'
  yield half
  const { properties = {}, anyOf = [], items } = resolved(schema)
  for (const each of anyOf) yield* halves(each)
  for (const [name, member] of Object.entries(properties)) for (const value of halves(member)) yield { [name]: value }
  if (items !== undefined) for (const value of halves(items)) yield [value]
  yield { [half]: 1 }
}

test('lone surrogates are refused in body, query and headers', async () => {
  const wrongly: unknown[] = []
  let calls = 0
  for (const [path, operations] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(operations)) {
      const url = one.address(path)
      const isPush = path.startsWith('/api/webhooks/')
      const check = async (kind: string, answer: ReturnType<Client['request']>) => {
        const { statusCode, body } = await answer
        const { code, error } = JSON.parse(body || '{}') as { code?: string; error?: string }
        calls++
        if (statusCode === 400 && code === 'VALIDATION_ERROR' && error?.startsWith('Some values are not valid: '))
          return
        if (statusCode === 404 && /\/none\b/.test(url)) return
        if ((statusCode === 401 || statusCode === 413) && isPush) return
        if (statusCode === 429 && path === '/api/git/inspect') return // More members than attempts.
        wrongly.push([method, path, kind, statusCode, body.slice(0, 200)])
      }
      const send = (query: string, body?: string, headers: Record<string, string> = {}) =>
        ann.request(method as 'GET', url + query, body, { ...(body === undefined ? {} : json), ...headers })
      await check('query', send('?x=%ED%A0%80'))
      await check('header', send('', undefined, { 'user-agent': 'a\xed\xa0\x80' }))
      // Other content types are not JSON.
      if (method === 'get' || (operation.requestBody && !('application/json' in operation.requestBody.content)))
        continue
      const schema = operation.requestBody?.content['application/json']?.schema ?? {}
      for (const value of halves(schema)) await check(JSON.stringify(value), send('', JSON.stringify(value)))
      await check('large', send('', JSON.stringify({ x: ['a'.repeat(300_000), { y: '\ud800' }] })))
    }
  expect(wrongly).toEqual([])
  expect(calls).toBeGreaterThan(800)
})

test('lone surrogate bytes are refused', async () => {
  const { hostname, port } = new URL(await panel.app.listen({ host: '127.0.0.1', port: 0 }))
  const answerTo = async (query: string, agent: string) => {
    const socket = connect(Number(port), hostname)
    socket.end(
      Buffer.from(
        `GET /api/auth/config${query} HTTP/1.1\r\nHost: x\r\nUser-Agent: ${agent}\r\nConnection: close\r\n\r\n`,
        'latin1'
      )
    )
    return (await text(socket)).split(' ')[1]
  }
  expect(await answerTo('', 'latin \xed, caf\xe9')).toBe('200')
  expect(await answerTo('', 'half \xed\xa0\x80')).toBe('400')
  // Node's parser rejects such bytes in URLs.
  expect(await answerTo('?x=\xed\xb0\x80', 'x')).toBe('400')
})

test.each([
  ['{"name":"ok","startCmd":"\\uD83D"}', 'startCmd'],
  ['{"variables":[{"key":"A","value":"x"},{"key":"B","value":"\\uDE00\\uD83D"}]}', 'variables.1.value'],
  ['"\\ud800"', ''],
  [`{"x":${'['.repeat(5_000)}"\\ud800"${']'.repeat(5_000)}}`, 'x.0']
])('a lone surrogate is located: %.60s', async (payload, path) => {
  const answer = await ann.request('POST', '/api/projects', payload, json)
  const { error, details } = answer.json<{ error: string; details: { path: string; message: string }[] }>()
  expect(answer.statusCode).toBe(400)
  expect(details).toEqual([
    {
      path: expect.stringMatching(new RegExp(`^${path}`)),
      message: 'contains an unpaired surrogate',
      code: 'HALF_CHARACTER'
    }
  ])
  expect(error.length).toBeLessThan(300)
})

test.each([
  ['a whole one', JSON.stringify('😀')],
  ['a whole one as escapes', '"\\uD83D\\uDE00"'],
  ['an escape that is none', '"\\\\ud800"']
])('%s is accepted', async (_, startCmd) => {
  const answer = await ann.request('PUT', `/api/projects/${one.ids.projects}`, `{"startCmd":${startCmd}}`, json)
  expect([answer.statusCode, answer.json().startCmd]).toEqual([200, JSON.parse(startCmd)])
})

test('a stray percent sign is literal', async () => {
  for (const query of ['search=100%', 'search=%zz', 'search=%E2%82%AC'])
    expect((await ann.request('GET', `/api/projects?${query}`)).statusCode).toBe(200)
})

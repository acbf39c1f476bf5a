import { readdir, readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import fc from 'fast-check'
import type { LightMyRequestResponse } from 'fastify'
import { errorStatus } from '@panel/contract/errors'
import { insertDeployment } from '../src/features/deployments/deployments.repository.ts'
import { newId } from '../src/security/ids.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

interface Schema {
  $ref?: string
  type?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  pattern?: string
  format?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  description?: string
}
interface Operation {
  operationId: string
  description?: string
  summary?: string
  tags?: string[]
  security?: object[]
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> }
  responses: Record<string, Response>
}
interface Parameter {
  $ref?: string
  in: string
  name: string
  description?: string
  required?: boolean
  schema: Schema
  example?: unknown
}
interface Response {
  $ref?: string
  description: string
  headers?: Record<string, object>
  content?: Record<string, { schema: Schema; example?: unknown; examples?: Record<string, object> }>
}
interface Document {
  openapi: string
  info: { title: string; version: string; license: object; contact: object }
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, Schema>
    securitySchemes: Record<string, object>
    parameters: Record<string, Parameter>
    responses: Record<string, Response>
  }
  'x-live-events': Record<string, Schema>
}
type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
interface Entry {
  method: Method
  path: string
  operation: Operation
}

const methods: Method[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

let panel: TestPanel
let ann: Client
let bob: Client
let document: Document
let entries: Entry[]
const answers: { call: string; body: string }[] = []
beforeAll(async () => {
  panel = await createTestPanel()
  // The first account is an administrator but has no special access here.
  bob = await panel.signUp('bob')
  ann = await panel.signUp('ann')
  document = (await panel.app.inject('/api/openapi.json')).json()
  entries = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase() as Method,
      path,
      operation: {
        ...operation,
        parameters: operation.parameters?.map((each) => referred(each, document.components.parameters)) ?? [],
        responses: Object.fromEntries(
          Object.entries(operation.responses).map(([status, each]) => [
            status,
            referred(each, document.components.responses)
          ])
        )
      }
    }))
  )
})
const referred = <T extends { $ref?: string }>(value: T, values: Record<string, T>): T =>
  value.$ref === undefined ? value : values[value.$ref.split('/').at(-1)!]!
afterAll(() => panel.close())

const isPublic = ({ operation }: Entry) =>
  operation.security?.every((scheme) => !('session' in scheme || 'token' in scheme)) === true
const ofProject = () => entries.filter(({ path }) => path.startsWith('/api/projects/{id}'))
const call = async (
  client: Client | undefined,
  method: Method,
  url: string,
  payload?: unknown,
  headers: Record<string, string> = {}
) => {
  const answer = await panel.app.inject({
    method,
    url,
    headers: { ...(client ? { cookie: client.cookie } : {}), ...headers },
    ...(payload === undefined ? {} : { payload: payload as object })
  })
  answers.push({ call: `${method} ${url}`, body: answer.body })
  return answer
}
const fill = (path: string, values: Record<string, string>) =>
  path.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(values[name] ?? `no-${name}`))

describe('the document', () => {
  test('is OpenAPI 3.1 with every operation described', () => {
    expect(document.openapi).toMatch(/^3\.1\./)
    expect(document.info).toMatchObject({ title: expect.any(String), version: expect.any(String) })
    expect(document.components.securitySchemes).toHaveProperty('session')
    expect(entries.length).toBeGreaterThan(25)
    for (const { method, path, operation } of entries) {
      const name = `${method} ${path}`
      expect(operation.summary, name).toMatch(/\S/)
      expect(operation.tags, name).toHaveLength(1)
      const tokens = ['read', 'deploy', 'full'].map((scope) => [{ session: [] }, { token: [scope] }])
      const pushes = [{ pushSignature: [] }, { pushToken: [] }]
      expect([[], pushes, [{ deployHookSecret: [] }], [{ session: [] }], ...tokens], name).toContainEqual(
        operation.security
      )
      expect(
        Object.keys(operation.responses).some((status) => /^2\d\d$/.test(status)),
        name
      ).toBe(true)
      for (const [status, response] of Object.entries(operation.responses)) {
        expect(status, name).toMatch(/^([1-5]\d\d|[1-5]XX|default)$/)
        expect(response.description, name).toBeTypeOf('string')
      }
      const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path')
      expect(declared.map((parameter) => parameter.name).sort(), name).toEqual(
        [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort()
      )
      expect(
        declared.every((parameter) => parameter.required),
        name
      ).toBe(true)
      if (operation.security?.length) expect(Object.keys(operation.responses), name).toContain('401')
    }
  })

  test('names each operation once, as a function', () => {
    const ids = entries.map(({ operation }) => operation.operationId)
    expect(ids.filter((id) => !/^[a-z][A-Za-z0-9]+$/.test(id))).toEqual([])
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
  })

  test('lists each operation’s errors with codes', () => {
    for (const { method, path, operation } of entries) {
      for (const [status, response] of Object.entries(operation.responses).filter(([each]) => Number(each) >= 400)) {
        const codes = Object.keys(response.content!['application/json']!.examples!)
        expect(codes.length, `${method} ${path} ${status}`).toBeGreaterThan(0)
        for (const code of codes)
          expect([code, String(errorStatus[code as keyof typeof errorStatus])]).toEqual([code, status])
        if (['429', '503'].includes(status)) expect(response.headers).toHaveProperty('Retry-After')
      }
    }
    const create = entries.find(({ operation }) => operation.operationId === 'createProject')!.operation
    expect(Object.keys(create.responses['409']!.content!['application/json']!.examples!)).toEqual([
      'PROJECT_NAME_EXISTS'
    ])
  })

  test('has examples, headers, tags and described parameters', () => {
    expect(document.info).toMatchObject({ license: { name: 'MIT' }, contact: expect.anything() })
    const tags = Object.fromEntries(document.tags.map(({ name, description }) => [name, description]))
    for (const { method, path, operation } of entries) {
      const name = `${method} ${path}`
      expect(tags[operation.tags![0]!], name).toMatch(/\S/)
      expect(operation.description, name).toMatch(/\S/)
      const silent = operation.parameters!.filter(({ description }) => !/\S/.test(description ?? ''))
      expect(silent.map((parameter) => `${name}: ${parameter.name}`)).toEqual([])
      for (const media of [operation.requestBody, ...Object.values(operation.responses)].map(
        (part) => part?.content?.['application/json'] as { example?: unknown; examples?: object } | undefined
      ))
        if (media) expect('example' in media || 'examples' in media, name).toBe(true)
    }
    const headersOf = (id: string, status: number) =>
      Object.keys(entries.find(({ operation }) => operation.operationId === id)!.operation.responses[status]!.headers!)
    expect(headersOf('listDomains', 200)).toEqual(['X-Total-Count', 'Link'])
    expect(headersOf('login', 200)).toEqual(['Set-Cookie'])
    expect(headersOf('downloadFile', 200)).toContain('Content-Disposition')
  })

  test('describes each operation beyond its name', () => {
    const saysAll = [
      ...['checkDelegation', 'deleteMailAlias', 'deleteUptimeCheck', 'enableSftp', 'exportDeletedMailbox'],
      ...['getAcmeChallenge', 'getAutoreply', 'getDiskUsage', 'getMailAlias', 'getMailbox', 'getMailboxImport'],
      ...['getCurrentUser', 'getUptimeCheck', 'getUser', 'getWordpressImport', 'listApiTokens', 'listDeletedMailboxes'],
      ...['listDiskUsageHistory', 'listMailAliases', 'listMailboxes', 'listMailboxImports', 'listNotificationChannels'],
      ...['listSubdomains', 'readAllNotifications', 'readNotificationPreferences', 'readStatusPage', 'removeAutoreply'],
      ...['resetPassword', 'revokeApiToken']
    ]
    const silent = entries
      .filter(({ operation }) => operation.description === `${operation.summary}.`)
      .map(({ operation }) => operation.operationId)
    expect(silent.filter((id) => !saysAll.includes(id))).toEqual([])
    const { schemas } = document.components
    for (const name of [
      'CertificateStatus',
      'DeploymentStatus',
      'DnsMode',
      'DomainStatus',
      'Permission',
      'ProjectStatus',
      'ProjectType',
      'Role'
    ])
      for (const value of schemas[name]!.enum!) expect(schemas[name]!.description, name).toContain(value)
  })

  test('documents push deliveries', () => {
    const of = (id: string) => entries.find(({ operation }) => operation.operationId === id)!.operation
    const [project] = of('receivePush').parameters!.filter(({ name }) => name === 'projectId')
    expect(project).toMatchObject({ in: 'query', required: true, description: 'The project id.' })
    expect(project!.example).toMatch(/\S/)
    for (const [id, where] of [
      ['receivePush', 'query'],
      ['receiveProjectPush', 'path']
    ])
      expect(of(id!).responses['202']).toMatchObject({
        links: {
          deployment: {
            operationId: 'getDeployment',
            parameters: { id: `$request.${where}.projectId`, deploymentId: '$response.body#/deploymentId' }
          }
        }
      })
  })

  test('allows additional members and has no meaningless bounds', () => {
    const text = JSON.stringify(document)
    expect(text).not.toContain('9007199254740991')
    expect(text).not.toContain('"additionalProperties":false')
    for (const name of ['CreateProject', 'ProjectType', 'Role', 'DeploymentStatus', 'Pagination', 'SetEnvVars'])
      expect(document.components.schemas).toHaveProperty(name)
    expect(document.components.parameters).toHaveProperty('Page')
  })

  test('names request, response and choice schemas', () => {
    const isNamed = (schema: Schema): boolean =>
      schema.$ref !== undefined ||
      (schema.items !== undefined && isNamed(schema.items)) ||
      (schema.anyOf?.every(isNamed) ?? false)
    const unnamed = entries.flatMap(({ operation: { operationId, requestBody, responses } }) =>
      [['body', requestBody] as const, ...Object.entries(responses)]
        // Push bodies are defined by Git hosts, and error codes by their operation.
        .filter(([part]) => Number(part) < 400 || (part === 'body' && !operationId.startsWith('receive')))
        .filter(([, content]) => !isNamed(content?.content?.['application/json']?.schema ?? { $ref: 'none' }))
        .map(([part]) => `${operationId} ${part}`)
    )
    expect(unnamed).toEqual([])
    expect(Object.keys(document.components.schemas).filter((name) => !/^[A-Z][A-Za-z0-9]+$/.test(name))).toEqual([])
  })

  test('names enums and shared pagination', () => {
    const choices: string[] = []
    const visit = (part: unknown, path: string) => {
      if (typeof part !== 'object' || part === null) return
      const { enum: values, ...inner } = part as { enum?: string[] }
      const isWhole = /^\/components\/schemas\/\w+$/.test(path)
      if (values && values.length > 1 && values.join() !== 'true,false' && !isWhole) choices.push(path)
      for (const [name, value] of Object.entries(inner)) visit(value, `${path}/${name}`)
    }
    const { responses: _, ...components } = document.components
    visit({ components, 'x-live-events': document['x-live-events'] }, '')
    for (const { operation } of entries) visit(operation.parameters, operation.operationId)
    expect(choices).toEqual([])
    const { Page, Limit, Limit50 } = document.components.parameters
    expect(Page!.schema).toMatchObject({ default: 1 })
    expect([Limit!.schema, Limit50!.schema]).toMatchObject([
      { default: 20, maximum: 100 },
      { default: 50, maximum: 200 }
    ])
    const inline = Object.values(document.paths)
      .flatMap((path) => Object.values(path))
      .flatMap(({ parameters = [] }) => parameters.filter(({ name }) => name === 'limit'))
      .map((parameter) => JSON.stringify(parameter))
    expect(inline.filter((text, at) => inline.indexOf(text) !== at)).toEqual([])
  })

  test('contains every contract schema', async () => {
    const directory = new URL('../../contract/src/', import.meta.url)
    const known = await readFile(new URL('../src/http/openapi/components.ts', import.meta.url), 'utf8')
    const files = (await readdir(directory)).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    for (const file of files) {
      if (!/^export const [A-Z]\w* =/m.test(await readFile(new URL(file, directory), 'utf8'))) continue
      expect(known).toContain(`'@panel/contract/${file.replace('.ts', '')}'`)
    }
  })

  test('has no missing or unused schemas', () => {
    const text = JSON.stringify(document)
    const named = new Set([...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map((match) => match[1]))
    expect([...named].sort()).toEqual(Object.keys(document.components.schemas).sort())
    expect(named).toContain('Project')
  })

  test('requires no unnecessary bodies', () => {
    for (const path of ['/api/projects/{id}/build', '/api/projects/{id}/deploy'])
      expect(document.paths[path]!.post!.requestBody!.required).not.toBe(true)
    for (const path of ['/api/projects', '/api/auth/login', '/api/projects/{id}/env', '/api/webhooks/gitprovider'])
      expect(document.paths[path]!.post!.requestBody!.required).toBe(true)
  })

  test('lists exactly the routes of the application', () => {
    const hidden = /^\/(metrics|setup|status\/:slug|adminer\/|api\/openapi\.json|api\/docs(\/.*|\*)?)$/
    const routes = routesOf(panel.app.printRoutes({ commonPrefix: false })).filter(
      (route) => !hidden.test(route.split(' ')[1]!)
    )
    const listed = entries.map(({ method, path }) => `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`)
    expect(routes.filter((route) => !route.startsWith('HEAD ')).sort()).toEqual(listed.sort())
    expect(routes.filter((route) => route.startsWith('HEAD ')).sort()).toEqual(
      listed
        .filter((route) => route.startsWith('GET '))
        .map((route) => route.replace('GET', 'HEAD'))
        .sort()
    )
  })

  test('only intended operations are public', () => {
    expect(
      entries
        .filter(isPublic)
        .map(({ method, path }) => `${method} ${path}`)
        .sort()
    ).toEqual([
      'GET /.well-known/acme-challenge/{token}',
      'GET /.well-known/autoconfig/mail/config-v1.1.xml',
      'GET /.well-known/mta-sts.txt',
      'GET /api/auth/config',
      'GET /api/health',
      'GET /api/status/{slug}',
      'GET /autodiscover/autodiscover.json',
      'GET /autodiscover/autodiscover.json/v1.0/{address}',
      'GET /mail/config-v1.1.xml',
      'POST /api/auth/2fa/challenge',
      'POST /api/auth/device',
      'POST /api/auth/device/token',
      'POST /api/auth/forgot-password',
      'POST /api/auth/login',
      'POST /api/auth/register',
      'POST /api/auth/reset-password',
      'POST /api/auth/session/take',
      'POST /api/machine-joins/use',
      'POST /api/webhooks/deploy/{projectId}',
      'POST /api/webhooks/gitprovider',
      'POST /api/webhooks/gitprovider/{projectId}',
      'POST /autodiscover/autodiscover.xml'
    ])
  })
})

describe('without a session', () => {
  const existing = (path: string, method: Method) =>
    entries.find((entry) => entry.path === path && entry.method === (method === 'HEAD' ? 'GET' : method))

  test('every operation responds 401, unknown ones 401 or 404', async () => {
    const wrong: string[] = []
    for (const path of Object.keys(document.paths)) {
      for (const method of methods) {
        const entry = existing(path, method)
        if (entry && isPublic(entry)) continue
        for (const headers of [
          {},
          { 'x-http-method-override': 'GET' },
          { 'content-type': 'application/json' },
          { cookie: 'panel_session=' + 'A'.repeat(43) }
        ] as Record<string, string>[]) {
          const payload = headers['content-type'] ? '{"broken' : undefined
          const answer = await call(undefined, method, fill(path, {}), payload, headers)
          if (answer.statusCode !== 401 && (entry || answer.statusCode !== 404))
            wrong.push(`${method} ${path}: ${answer.statusCode}`)
          if (method !== 'HEAD' && answer.json().code !== 'UNAUTHENTICATED' && entry)
            wrong.push(`${method} ${path}: ${answer.body}`)
        }
      }
    }
    expect(wrong).toEqual([])
  })

  test('alternative path spellings are not found', async () => {
    const wrong: string[] = []
    for (const path of [
      '/api/projects/',
      '//api/projects',
      '/API/PROJECTS',
      '/api/./projects',
      '/api/auth/../projects',
      '/api/projects%2f',
      '/api/projects;x=/api/health',
      '/api/docs/../projects',
      '/api/docs%2f..%2fprojects',
      '/api/health/../projects',
      '/api/docs/..%2f..%2fprojects',
      '/%61pi/projects'
    ]) {
      const answer = await call(undefined, 'GET', path)
      if (answer.statusCode === 200 && answer.body.includes('projects')) wrong.push(path)
      if (![401, 404, 400].includes(answer.statusCode)) wrong.push(`${path}: ${answer.statusCode}`)
    }
    expect(wrong).toEqual([])
  })
})

/** Whether a parameterized path would match another path. */
const takesFor = (pattern: string, path: string): boolean => {
  const [parts, words] = [pattern.split('/'), path.split('/')]
  return parts.length === words.length && parts.every((part, at) => part.startsWith('{') || part === words[at])
}

describe('with a session', () => {
  test('method overrides are ignored', async () => {
    const { id } = await ann.createProject()
    for (const header of ['x-http-method-override', 'x-http-method', 'x-method-override']) {
      expect((await call(ann, 'POST', `/api/projects/${id}`, undefined, { [header]: 'DELETE' })).statusCode).toBe(405)
      expect(
        (await call(ann, 'GET', `/api/projects/${id}?_method=DELETE`, undefined, { [header]: 'DELETE' })).statusCode
      ).toBe(200)
    }
    expect((await call(ann, 'GET', `/api/projects/${id}`)).statusCode).toBe(200)
  })

  test('an unsupported method is 405 with the allowed ones', async () => {
    for (const path of Object.keys(document.paths)) {
      for (const method of methods.filter((each) => each !== 'HEAD' && !document.paths[path]![each.toLowerCase()])) {
        const answer = await call(ann, method, fill(path, {}))
        const isOther = Object.entries(document.paths).some(
          ([other, operations]) => other !== path && operations[method.toLowerCase()] && takesFor(other, path)
        )
        const expected = isOther ? [404, 'NOT_FOUND'] : [405, 'METHOD_NOT_ALLOWED']
        expect([method, path, answer.statusCode, answer.json().code]).toEqual([method, path, ...expected])
        if (isOther) continue
        const allowed = Object.keys(document.paths[path]!).map((each) => each.toUpperCase())
        expect(String(answer.headers.allow).split(', ')).toEqual(expect.arrayContaining(allowed))
        expect(String(answer.headers.allow).split(', ')).not.toContain(method)
      }
    }
  })

  test('another’s resources are 403 and unchanged for every operation', async () => {
    const project = await ann.createProject({ gitUrl: 'https://github.com/owner/repository' })
    await ann.request('POST', `/api/projects/${project.id}/env`, { key: 'A', value: 'hers' })
    const deployment = await panel.deps.db.transaction((trx) =>
      insertDeployment(trx, {
        id: newId(),
        projectId: project.id,
        userId: ann.user.id,
        trigger: 'MANUAL',
        status: 'RUNNING',
        image: 'x',
        imageSpec: { port: 80, readOnlyRoot: true, volumes: [] }
      })
    )
    const state = async () => [
      (await ann.request('GET', `/api/projects/${project.id}`)).body,
      (await ann.request('GET', `/api/projects/${project.id}/env/A/reveal`)).body,
      (await ann.request('GET', `/api/projects/${project.id}/deployments`)).body
    ]
    const before = await state()
    const ids = { id: project.id, deploymentId: deployment.id, key: 'A', action: 'remove' }
    expect(ofProject().length).toBeGreaterThan(18)
    for (const { method, path, operation } of ofProject()) {
      const answer = await call(bob, method, fill(path, ids), bodyOf(operation))
      expect([method, path, answer.statusCode, answer.json().code]).toEqual([method, path, 403, 'FORBIDDEN'])
      expect(answer.body).not.toContain(project.name)
    }
    for (const path of [
      '/api/projects',
      '/api/projects?search=project',
      '/api/projects?status=DELETED',
      '/api/auth/me'
    ]) {
      expect((await call(bob, 'GET', path)).body).not.toContain(project.id)
    }
    expect(await state()).toEqual(before)
  })

  test('invalid ids are 404 for every operation', async () => {
    const own = await bob.createProject()
    for (const { method, path, operation } of ofProject()) {
      const answer = await call(
        bob,
        method,
        fill(path, { id: newId(), key: 'NONE', action: 'stop' }),
        bodyOf(operation)
      )
      expect([method, path, answer.statusCode, answer.json().code]).toEqual([method, path, 404, 'NOT_FOUND'])
      if (!path.includes('{deploymentId}') && !path.includes('{key}')) continue
      const inOwn = await call(
        bob,
        method,
        fill(path, { id: own.id, key: 'NONE', deploymentId: newId() }),
        bodyOf(operation)
      )
      expect([method, path, inOwn.statusCode, inOwn.json().code]).toEqual([method, path, 404, 'NOT_FOUND'])
    }
  })

  test('a null character in a parameter or field never causes a 5xx', { timeout: 120_000 }, async () => {
    const project = await ann.createProject()
    const ids = { id: project.id, projectId: project.id }
    for (const entry of entries.filter(({ path }) => path !== '/api/auth/logout')) {
      const { method, path, operation } = entry
      const body = bodyOf(operation)
      for (const { name, in: place } of operation.parameters ?? []) {
        const query = place === 'query' ? `?${name}=%00` : ''
        const url = fill(path, place === 'path' ? { ...ids, [name]: '\0' } : ids) + query
        if (place !== 'header') expectDocumented(entry, await call(ann, method, url, body))
      }
      for (const [name, schema] of Object.entries(resolved(bodySchema(operation) ?? {}).properties ?? {})) {
        const value = resolved(schema).type === 'array' ? ['\0'] : '\0'
        expectDocumented(entry, await call(ann, method, fill(path, ids), { ...(body as object), [name]: value }))
      }
    }
  })

  test('generated valid requests never cause a 5xx or undocumented response', { timeout: 300_000 }, async () => {
    // Logout would end the session that the other requests need.
    const open = entries.filter(({ path }) => path !== '/api/auth/logout')
    await fc.assert(
      fc.asyncProperty(
        fc
          .constantFrom(...open)
          .chain((entry) => fc.record({ entry: fc.constant(entry), request: requestArbitrary(entry) })),
        async ({ entry, request }) => {
          const project = await ann.createProject()
          const query = new URLSearchParams(
            request.query.map(([name, value]): [string, string] => [name, value.toWellFormed()])
          ).toString()
          const path = fill(
            entry.path,
            Object.fromEntries(
              Object.entries({ id: project.id, projectId: project.id, ...request.path }).map(([name, value]) => [
                name,
                value.toWellFormed()
              ])
            )
          )
          const answer = await call(
            ann,
            entry.method,
            query === '' ? path : `${path}?${query}`,
            request.payload,
            request.headers
          )
          expectDocumented(entry, answer)
        }
      ),
      { numRuns: 300 }
    )
  })
})

test('no response contained internals', () => {
  expect(answers.length).toBeGreaterThan(900)
  const internal =
    /sshPrivateKeyPath|deletedAt|passwordHash|ssh_private_key|deleted_at|password_hash|argon2|\n\s+at \S+ \(|node_modules|Failed query|\b(select|insert into|update) "|liveDeploymentId|idHash|params:|DrizzleQuery/
  expect(answers.filter(({ body, call }) => internal.test(body) && !call.includes('internal'))).toEqual([])
})

/** Routes of Fastify's tree: `METHOD path`. */
function routesOf(tree: string): string[] {
  const prefixes: string[] = []
  return tree.split('\n').flatMap((line) => {
    const [, indent, part, names] = /^((?:│ {3}| {4})*)[├└]── (.*?)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? []
    if (indent === undefined) return []
    const depth = indent.length / 4
    prefixes.length = depth
    const path = prefixes.join('') + part
    prefixes.push(part!)
    return names === undefined ? [] : names.split(', ').map((method) => `${method} ${path}`)
  })
}

function resolved(schema: Schema): Schema {
  return schema.$ref === undefined ? schema : resolved(document.components.schemas[schema.$ref.split('/').at(-1)!]!)
}

const bodySchema = (operation: Operation) => operation.requestBody?.content['application/json']?.schema

/** Sample values where the schema is not specific enough. */
const samples: Record<string, unknown> = {
  gitUrl: 'https://github.com/owner/repository',
  branch: 'main',
  key: 'KEY',
  value: 'value',
  name: 'a-name',
  email: 'a@example.com',
  content: 'A=1'
}

/** The smallest valid body. */
function bodyOf(operation: Operation): unknown {
  const schema = bodySchema(operation)
  return schema === undefined ? undefined : sample(schema)
}

function sample(given: Schema, name = ''): unknown {
  const schema = resolved(given)
  if (name in samples) return samples[name]
  if (schema.anyOf) return sample(schema.anyOf[0]!, name)
  if (schema.enum) return schema.enum[0]
  if (schema.type === 'object')
    return Object.fromEntries((schema.required ?? []).map((each) => [each, sample(schema.properties![each]!, each)]))
  if (schema.type === 'array') return [sample(schema.items!)]
  if (schema.type === 'string') return 'x'.repeat(schema.minLength ?? 1)
  if (schema.type === 'boolean') return false
  return schema.minimum ?? 1
}

/** Values that match the schema, and similar ones that do not. */
function arbitraryOf(given: Schema, name = ''): fc.Arbitrary<unknown> {
  const schema = resolved(given)
  const junk = fc.oneof(
    fc.jsonValue(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('', '\0', '../..', '\ud800', -1, 1e308, 2 ** 53, null, [], {}, 'x'.repeat(5000))
  )
  return fc.oneof({ weight: 6, arbitrary: described(schema, name) }, { weight: 1, arbitrary: junk })
}

function described(schema: Schema, name: string): fc.Arbitrary<unknown> {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((each) => arbitraryOf(each, name)))
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.type === 'object') {
    const properties = Object.entries(schema.properties ?? {})
    const model = Object.fromEntries(properties.map(([key, value]) => [key, arbitraryOf(value, key)]))
    return fc.record(model, { requiredKeys: schema.required ?? [] })
  }
  if (schema.type === 'array') return fc.array(arbitraryOf(schema.items ?? {}), { maxLength: 5 })
  if (schema.type === 'boolean') return fc.boolean()
  if (schema.type === 'integer' || schema.type === 'number')
    return fc.oneof(fc.integer(), fc.integer({ min: 0, max: 100 }))
  const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.string(), matching(schema.pattern))
  return name in samples ? fc.oneof({ weight: 2, arbitrary: fc.constant(samples[name]) }, text) : text
}

function matching(pattern: string | undefined): fc.Arbitrary<string> {
  try {
    return fc.stringMatching(new RegExp(pattern ?? '^.*$'))
  } catch {
    return fc.string() // The generator does not support some patterns, such as look-aheads.
  }
}

interface Request {
  path: Record<string, string>
  query: [string, string][]
  payload: unknown
  headers: Record<string, string>
}

function requestArbitrary({ method, operation }: Entry): fc.Arbitrary<Request> {
  const parameters = operation.parameters ?? []
  const text = (arbitrary: fc.Arbitrary<unknown>) =>
    arbitrary.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
  const named = (location: string) =>
    parameters
      .filter((parameter) => parameter.in === location)
      .map(({ name, schema }) => [name, text(arbitraryOf(schema, name))] as const)
  const path = fc
    .record(Object.fromEntries(named('path')), { requiredKeys: [] })
    .map((values) =>
      Object.fromEntries(Object.entries(values).map(([name, value]): [string, string] => [name, value || '-']))
    )
  const query = fc.array(
    fc.oneof(
      ...named('query').map(([name, value]) => fc.tuple(fc.constant(name), value)),
      fc.tuple(fc.string(), fc.string())
    ),
    { maxLength: 4 }
  )
  const json = { 'content-type': 'application/json' }
  const schema = bodySchema(operation)
  const valid = (schema === undefined ? fc.jsonValue() : arbitraryOf(schema)).map(
    (value) => JSON.stringify(value) ?? ''
  )
  const raw = fc.oneof(
    fc.string(),
    fc.constantFrom(
      '{',
      '{"a":1,}',
      '{"__proto__":{"x":1}}',
      '{"constructor":{"prototype":{}}}',
      '[[[[',
      '"\\ud800"',
      'null'
    )
  )
  const body =
    method === 'GET' ? fc.constant(undefined) : fc.oneof({ weight: 6, arbitrary: valid }, { weight: 1, arbitrary: raw })
  const headers = fc.oneof(
    { weight: 8, arbitrary: fc.constant(json) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        { 'content-type': 'text/plain' },
        { 'content-type': 'nonsense' },
        { 'x-gitprovider-event': 'push' }
      )
    }
  )
  return fc.record({ path, query, payload: body, headers: headers as fc.Arbitrary<Record<string, string>> })
}

function expectDocumented({ method, path, operation }: Entry, answer: LightMyRequestResponse): void {
  const status = answer.statusCode
  const name = `${method} ${path} ${status} ${answer.body.slice(0, 300)}`
  if (!answer.body.includes('"MAIL_UNAVAILABLE"')) expect(status, name).toBeLessThan(500)
  if (status < 300) {
    expect(Object.keys(operation.responses), name).toContain(String(status))
    return
  }
  const { error, code, ...rest } = answer.json()
  expect(error, name).toBeTypeOf('string')
  expect(errorStatus[code as keyof typeof errorStatus], name).toBe(status)
  expect(Object.keys(operation.responses[status]?.content?.['application/json']?.examples ?? {}), name).toContain(code)
  const forEverybody = ['details', 'sentences']
  expect(
    Object.keys(rest).filter((member) => !forEverybody.includes(member)),
    name
  ).toEqual([])
}

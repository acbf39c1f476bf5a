import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { maskedValue } from '@panel/contract/env-vars'
import { secretMark } from '@panel/contract/field-scope'
import { dkimKeys } from '../src/db/schema/dkim-keys.ts'
import { mailboxes } from '../src/db/schema/mailboxes.ts'
import { insertDeployment } from '../src/features/deployments/deployments.repository.ts'
import { projectDirectory } from '../src/process/paths.ts'
import { newId } from '../src/security/ids.ts'
import { newDatabase } from './support/databases.ts'
import { addManagedDomain } from './support/domains.ts'
import { newMailbox } from './support/mail.ts'
import { type Client, createTestPanel, password, type TestPanel } from './support/panel.ts'
import { secretName, textsNamedSecret } from './support/secret-names.ts'

interface Schema {
  $ref?: string
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  items?: Schema
  [secretMark]?: boolean | 'masked'
}
interface Operation {
  security: { token?: string[] }[]
  parameters?: { in: string; name: string; required?: boolean }[]
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}
interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
  'x-live-events': Record<string, Schema>
}
const lesser = ['read', 'deploy'] as const

let panel: TestPanel
let ann: Client
let document: Document
let tokens: Record<'read' | 'deploy' | 'full', string>
/** Path parameters by path prefix. */
let ids: [prefix: string, values: Record<string, string>][]
/** Planted secrets with a description. */
const planted: Record<string, string> = {}
const plant = (what: string, value = randomBytes(12).toString('hex')) => (planted[what] = value)

beforeAll(async () => {
  panel = await createTestPanel({ BASE_DOMAIN: 'apps.example.net' })
  ann = await panel.signUp('ann')
  document = (await panel.app.inject('/api/openapi.json')).json()
  const tokenOf = async (scope: keyof typeof tokens) => {
    const made = await ann.request('POST', '/api/auth/tokens', { name: scope, scope, password })
    return plant(`${scope} token`, made.json<{ token: string }>().token)
  }
  tokens = { read: await tokenOf('read'), deploy: await tokenOf('deploy'), full: await tokenOf('full') }

  const project = await ann.createProject()
  const at = `/api/projects/${project.id}`
  const git = await ann.request('POST', `${at}/git/connect`, { gitUrl: 'https://github.com/owner/repository' })
  plant('webhook secret', git.json<{ webhookSecret: string }>().webhookSecret)
  await ann.request('POST', `${at}/git/ssh-key`)
  await ann.request('POST', `${at}/env`, { key: 'KEY', value: plant('variable') })
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
  await writeFile(join(projectDirectory(panel.deps.config, project.id), 'file.txt'), plant('file'))
  const database = await newDatabase(ann, { projectId: project.id, autoInjectEnv: true })
  plant('database password', database.password)
  await ann.request('POST', '/api/sftp/provision')
  const sftp = await ann.request('GET', '/api/sftp/credentials')
  plant('SFTP password', sftp.json<{ password: string }>().password)
  const domain = await addManagedDomain(ann, 'site.example.com')
  const mailbox = await newMailbox(ann, domain.id, { password: plant('password of a mailbox') })
  const [row] = await panel.deps.db.select().from(mailboxes).where(eq(mailboxes.id, mailbox.id))
  plant('hash of a mailbox', row!.passwordHash)
  const [key] = await panel.deps.db.select().from(dkimKeys).where(eq(dkimKeys.domainId, domain.id))
  plant('key of a domain', key!.encryptedPrivateKey)
  const record = await ann.request('POST', `/api/domains/${domain.id}/dns`, {
    type: 'A',
    name: 'a',
    value: '192.0.2.1'
  })
  await ann.request('POST', `/api/domains/${domain.id}/ssl/provision`)
  const delivery = { mailboxId: mailbox.id, to: 'delivery-test@mail.panel.example.net' }
  const deliveryTest = await ann.request('POST', '/api/mail/delivery-tests', delivery)
  const watched = { name: 'site', hostname: project.deployedDomain ?? `${project.name}.apps.example.net` }
  const check = await ann.request('POST', `${at}/uptime-checks`, watched)
  await ann.request('PUT', `${at}/status-page`, { enabled: true, slug: 'site', title: 'Site' })
  ids = [
    [
      '/api/projects/',
      {
        checkId: check.json<{ id: string }>().id,
        id: project.id,
        deploymentId: deployment.id,
        key: 'KEY',
        action: 'restart'
      }
    ],
    ['/api/files/', { id: project.id }],
    ['/api/databases/', { id: database.id }],
    ['/api/mailboxes/', { id: mailbox.id }],
    ['/api/mail/dkim/', { domainId: domain.id }],
    ['/api/mail/dmarc/', { domainId: domain.id }],
    ['/api/mail/delivery-tests/', { id: deliveryTest.json<{ id: string }>().id }],
    ['/api/domains/', { id: domain.id, recordId: record.json<{ id: string }>().id }],
    ['/api/users/', { id: ann.user.id }],
    ['/api/status/', { slug: 'site' }]
  ]
})
afterAll(() => panel.close())

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation }))
  )
const scopeOf = ({ security }: Operation) => security.find(({ token }) => token)?.token?.[0]
const queries: Record<string, string> = { path: 'file.txt', name: 'file' }
const addressOf = (path: string, operation: Operation) => {
  const values = ids.find(([prefix]) => path.startsWith(prefix))?.[1] ?? {}
  const requested = (operation.parameters ?? []).filter((one) => one.in === 'query' && one.required)
  const query = new URLSearchParams(requested.map(({ name }): [string, string] => [name, queries[name] ?? '']))
  return `${path.replace(/\{(\w+)\}/g, (_all, name: string) => values[name] ?? 'nothing')}?${query.toString()}`
}
const call = (token: string, method: string, url: string, payload?: object) =>
  panel.app.inject({
    method: method as 'GET',
    url,
    headers: { authorization: `Bearer ${token}` },
    ...(payload && { payload })
  })

/** Members that look like secrets (`secretName`) but are not. */
const harmless: Record<string, string> = {
  verificationToken: 'stands in public DNS',
  'DnsRecord.value': 'stands in public DNS',
  'ImportPreview.added.value': 'stands in public DNS',
  'ImportPreview.removed.value': 'stands in public DNS',
  'DnsInfoRecord.value': 'stands in public DNS',
  'DomainRule.value': 'a response header of a site',
  'RequiredRecord.value': 'stands in public DNS',
  'DnsInfoVerification.records.value': 'stands in public DNS',
  'ApiTokenList.tokens': 'each without the token itself',
  'DeviceLogin.tokenExpiresInDays': 'a number',
  'DeviceToken.token': 'an object, whose own token is marked',
  'ListedDatabase.internalUri': 'masked',
  'ListedDatabase.hostUri': 'masked',
  isPrivate: 'a boolean',
  'GitInspection.private': 'a boolean',
  'Figure.points.value': 'a number',
  'AlertThreshold.value': 'a number',
  'Setting.value': 'null where it is a secret',
  isSecret: 'a boolean'
}
const harmlessAs = (owner: string, name: string) => [name, `${owner}.${name}`].filter((each) => each in harmless)

/** Members of a response or event with the schema they belong to. */
function* members(schema: Schema, owner: string, seen = new Set<string>()): Generator<[string, string, Schema]> {
  const name = schema.$ref?.split('/').at(-1)
  if (name !== undefined) {
    if (seen.has(name)) return
    seen.add(name)
    yield* members(document.components.schemas[name]!, name, seen)
  }
  const { anyOf = [], oneOf = [], allOf = [], items, additionalProperties } = schema
  const inner = [...anyOf, ...oneOf, ...allOf, items, additionalProperties]
  for (const each of inner) if (typeof each === 'object') yield* members(each, owner, seen)
  for (const [key, member] of Object.entries(schema.properties ?? {})) {
    yield [owner, key, member]
    yield* members(member, `${owner}.${key}`, seen)
  }
}

describe('the document', () => {
  /** Members with secret-like names in all responses and live events. */
  const namedSecret = () => {
    const answers = operations().flatMap(({ method, path, operation }) =>
      Object.entries(operation.responses)
        .filter(([status]) => status.startsWith('2'))
        .map(([, { content }]) => [`${method} ${path}`, content?.['application/json']?.schema ?? {}] as const)
    )
    return [...answers, ...Object.entries(document['x-live-events'])]
      .flatMap(([name, schema]) => [...members(schema, name)])
      .filter(([, name]) => secretName.test(name))
  }

  test('marks every member with a secret-like name', () => {
    const unmarked = namedSecret()
      .filter(([owner, name, schema]) => !schema[secretMark] && harmlessAs(owner, name).length === 0)
      .map(([owner, name]) => `${owner}.${name}`)
    expect([...new Set(unmarked)]).toEqual([])
  })

  test('harmless members exist and are unmarked', () => {
    const needed = namedSecret().flatMap(([owner, name, schema]) => (schema[secretMark] ? [] : harmlessAs(owner, name)))
    expect(Object.keys(harmless).filter((name) => !needed.includes(name))).toEqual([])
  })

  test('has marks', () => {
    const marked = Object.values(document.components.schemas).flatMap(({ properties = {} }) =>
      Object.entries(properties).flatMap(([name, schema]) => (schema[secretMark] ? [name] : []))
    )
    expect([...new Set(marked)].sort()).toEqual(
      expect.arrayContaining(['hostUri', 'internalUri', 'password', 'recoveryCodes', 'token', 'value', 'webhookSecret'])
    )
  })
})

/** Secret-like members with a value, anywhere in a response. */
const secretsIn = (value: unknown): string[] =>
  textsNamedSecret(value).flatMap(({ path, name, text }) => (isNamedHarmless(name, text) ? [] : [path]))
const isNamedHarmless = (name: string, member: string) =>
  Object.keys(harmless).some((each) => each.split('.').at(-1) === name) &&
  [...member.matchAll(/:\/\/[^/:]*:([^/@]*)@/g)].every(([, masked]) => masked === maskedValue)

describe.each(lesser)('a token of scope %s', (scope) => {
  test('gets no secret in any response', async () => {
    const seen: string[] = []
    const wrong: string[] = []
    for (const { method, path, operation } of operations()) {
      // Writes only if the scope allows them; deployments would wait for a worker.
      if (method !== 'GET' && (scopeOf(operation) !== scope || path.endsWith('/deploy'))) continue
      const answer = await call(tokens[scope], method, addressOf(path, operation))
      const name = `${method} ${path} ${answer.statusCode}`
      for (const [what, value] of Object.entries(planted))
        if (answer.body.includes(value)) wrong.push(`${name}: ${what}`)
      const isJson = String(answer.headers['content-type']).startsWith('application/json')
      if (isJson) wrong.push(...secretsIn(answer.json()).map((member) => `${name}: ${member}`))
      if (answer.statusCode < 300) seen.push(`${method} ${path}`)
    }
    expect(wrong).toEqual([])
    expect(seen).toEqual(
      expect.arrayContaining([
        'GET /api/projects',
        'GET /api/projects/{id}',
        'GET /api/projects/{id}/git',
        'GET /api/projects/{id}/env',
        'GET /api/projects/{id}/deployments/{deploymentId}',
        'GET /api/databases',
        'GET /api/databases/{id}',
        'GET /api/mailboxes',
        'GET /api/mailboxes/{id}',
        'GET /api/sftp',
        'GET /api/domains/{id}',
        'GET /api/domains/{id}/dns',
        'GET /api/domains/{id}/ssl',
        'GET /api/files/{id}/list',
        'GET /api/audit',
        'GET /api/users/{id}'
      ])
    )
    expect(seen.length).toBeGreaterThan(25)
  })
})

describe('the webhook secret', () => {
  const secretIn = async (headers: Record<string, string>, path: string) => {
    const answer = await panel.app.inject({ url: path.replace(':id', ids[0]![1].id!), headers })
    return answer.json<{ webhookSecret: string | null }>().webhookSecret
  }
  test.each(['/api/projects/:id', '/api/projects/:id/git'])(
    '%s: shown to sessions and full tokens only',
    async (path) => {
      const shown = () => panel.audited({ action: 'git.webhook_secret_shown' })
      const before = (await shown()).length
      for (const scope of lesser) expect(await secretIn({ authorization: `Bearer ${tokens[scope]}` }, path)).toBeNull()
      expect(await shown()).toHaveLength(before)
      expect(await secretIn({ authorization: `Bearer ${tokens.full}` }, path)).toBe(planted['webhook secret'])
      expect(await secretIn({ cookie: ann.cookie }, path)).toBe(planted['webhook secret'])
      const [byToken, byPerson] = (await shown()).slice(before)
      expect(byToken).toMatchObject({ actorId: ann.user.id, metadata: { by: expect.stringMatching(/^token:/) } })
      expect(byPerson).toMatchObject({ actorId: ann.user.id, metadata: {} })
    }
  )
})

test('a database is shown to lesser tokens without password and audit', async () => {
  const at = `/api/databases/${ids.find(([prefix]) => prefix === '/api/databases/')![1].id}`
  const shown = () => panel.audited({ action: 'database.credentials_shown' })
  const before = (await shown()).length
  const masked = (await call(tokens.full, 'GET', `${at}?secrets=false`)).json<object>()
  for (const scope of lesser)
    for (const query of ['', '?secrets=true', '?secrets=false'])
      expect((await call(tokens[scope], 'GET', `${at}${query}`)).json()).toEqual(masked)
  expect(await shown()).toHaveLength(before)
  expect((await call(tokens.full, 'GET', at)).json()).not.toEqual(masked)
  expect(await shown()).toHaveLength(before + 1)
})

describe('code execution requires full', () => {
  const build = (token: string, payload?: object) =>
    call(token, 'POST', `/api/projects/${ids[0]![1].id}/build`, payload)
  test.each([
    ['deploy', undefined, 202],
    ['deploy', {}, 202],
    ['deploy', { buildCmd: null }, 202],
    ['deploy', { buildCmd: 'echo "$KEY" | rev' }, 403],
    ['deploy', { buildCmd: '' }, 403],
    ['full', { buildCmd: 'npm run build' }, 202]
  ] as const)('a build with %s and %j: %i', async (scope, body, status) => {
    const answer = await build(tokens[scope], body)
    expect(answer.statusCode).toBe(status)
    if (status === 403)
      expect(answer.json()).toEqual({ code: 'FORBIDDEN', error: expect.stringContaining('buildCmd') as string })
  })

  test('containers start and stop with deploy, removal requires full', async () => {
    const operate = async (scope: 'deploy' | 'full', action: string) => {
      const answer = await call(tokens[scope], 'POST', `/api/projects/${ids[0]![1].id}/container/${action}`)
      return answer.json<{ code: string }>().code
    }
    for (const action of ['start', 'stop', 'restart']) expect(await operate('deploy', action)).toBe('CONTAINER_MISSING')
    expect(await operate('deploy', 'remove')).toBe('FORBIDDEN')
    expect(await operate('full', 'remove')).toBe('CONTAINER_MISSING')
  })
})

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import type { Dependencies } from '../dependencies.ts'
import { AppError } from '../errors.ts'
import { AdapterError } from '../infra/adapter-error.ts'
import { serveVerbs } from '../infra/verb-socket/serve-verbs.ts'
import { createVerbClient } from '../infra/verb-socket/verb-client.ts'
import { workerErrors, workerUnavailable } from './worker-errors.ts'
import { workerVerb, workerVerbs } from './worker-verb.ts'

type Deps = Pick<Dependencies, 'instanceId'>
const Name = z.object({ name: z.string().max(10) })
const greet = workerVerb(
  'test.greet',
  [Name, z.string().optional()],
  async (deps: Deps, who: { name: string }, word = 'Hello') =>
    `${word} ${who.name}, from ${deps.instanceId} ${Object.keys(who).join()}`
)
const refuse = workerVerb('test.refuse', [], async () => {
  throw new AppError('QUOTA_EXCEEDED', 'Too many', { details: [{ path: 'name', message: 'no' }], retryAfterSeconds: 7 })
})
const makeUnavailable = workerVerb('test.away', [], async () => {
  throw new AdapterError('name-server-unavailable', 'No answer')
})
const beUnread = workerVerb('test.unread', [], async () => {
  throw new AdapterError('repository-unavailable', [{ code: 'GIT_NO_BRANCH', values: { branch: 'main' } }])
})
const beBusy = workerVerb('test.busy', [], async () => {
  throw new AppError('CONFLICT', { code: 'GIT_BUSY' })
})
const fail = workerVerb(
  'test.fail',
  [z.object({ message: z.string(), code: z.string().optional() })],
  async (_deps: Deps, how: { message: string; code?: string | undefined }) => {
    throw new Error('a query failed', { cause: Object.assign(new Error(how.message), how) })
  }
)
const reveal = workerVerb('test.reveal', [z.string()], async (_deps: Deps, id: string) => `secret of ${id}`, {
  isSecret: true
})

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function openWeb(now = () => new Date(0)): Promise<Dependencies> {
  const directory = await mkdtemp(join(tmpdir(), 'panel-verbs-'))
  const path = join(directory, 'worker', 'socket')
  const deps = { instanceId: 'worker', logger: pino({ level: 'silent' }), now } as Dependencies
  const server = await serveVerbs(workerVerbs(deps), {
    path,
    gid: undefined,
    errors: workerErrors,
    onFailure: () => {}
  })
  const worker = createVerbClient({ path, errors: workerErrors, unavailable: workerUnavailable })
  closers.push(async () => {
    worker.close()
    await server.close()
    await rm(directory, { recursive: true })
  })
  return { instanceId: 'web', worker } as Dependencies
}

test('runs locally with privileges and in the worker without', async () => {
  expect(await greet({ instanceId: 'here' }, { name: 'Ann' }, 'Hi')).toBe('Hi Ann, from here name')
  expect(await greet(await openWeb(), { name: 'Ann' })).toBe('Hello Ann, from worker name')
})

test('only arguments that match the schema cross the socket', async () => {
  const web = await openWeb()
  expect(await greet(web, { name: 'Ann', request: { headers: 'all of them' } } as never)).toBe(
    'Hello Ann, from worker name'
  )
  await expect(greet(web, { name: 'much too long a name' })).rejects.toThrow(z.ZodError)
  await expect(web.worker!.ask('test.greet', [{ name: 'much too long a name' }])).rejects.toThrow('rejected test.greet')
  await expect(web.worker!.ask('test.greet', [{ name: 'Ann' }, 'Hi', 'more'])).rejects.toThrow('rejected test.greet')
})

test('errors of features and adapters are preserved', async () => {
  const web = await openWeb()
  await expect(refuse(web)).rejects.toMatchObject({
    name: 'AppError',
    code: 'QUOTA_EXCEEDED',
    message: 'Too many',
    details: [{ path: 'name', message: 'no' }],
    retryAfterSeconds: 7
  })
  await expect(makeUnavailable(web)).rejects.toMatchObject({ name: 'AdapterError', kind: 'name-server-unavailable' })
  await expect(beUnread(web)).rejects.toMatchObject({
    name: 'AdapterError',
    kind: 'repository-unavailable',
    message: 'The repository has no branch "main".',
    sentences: [{ code: 'GIT_NO_BRANCH', values: { branch: 'main' } }]
  })
  await expect(beBusy(web)).rejects.toMatchObject({ name: 'AppError', sentences: [{ code: 'GIT_BUSY' }] })
  const ofBefore = { is: 'app', code: 'NOT_FOUND', message: 'There is none' }
  expect(workerErrors.decode(ofBefore)).toMatchObject({ code: 'NOT_FOUND', message: 'There is none', sentences: [] })
})

test.each([
  [{ message: 'no space', code: '53100' }, 'DISK_FULL'],
  [{ message: 'the server is going down', code: '57P01' }, 'STORE_UNAVAILABLE'],
  [{ message: 'Query read timeout' }, 'STORE_UNAVAILABLE'],
  [{ message: 'Connection terminated unexpectedly' }, 'STORE_UNAVAILABLE']
])('a database outage arrives as an API error: %j', async (how, code) => {
  await expect(fail(await openWeb(), how)).rejects.toMatchObject({ name: 'AppError', code })
})

test('unexpected errors stay in the worker', async () => {
  await expect(fail(await openWeb(), { message: 'the password is hunter2', code: 'ENOENT' })).rejects.toThrow(
    /^The other process failed in test\.fail$/
  )
})

test('returns at most 300 different secrets per minute', async () => {
  let now = new Date(0)
  const web = await openWeb(() => now)
  for (let id = 0; id < 300; id++) expect(await reveal(web, `${id}`)).toBe(`secret of ${id}`)
  await expect(reveal(web, '300')).rejects.toMatchObject({ code: 'BUSY', retryAfterSeconds: 60 })
  expect(await reveal(web, '7')).toBe('secret of 7')
  now = new Date(60_000)
  expect(await reveal(web, '300')).toBe('secret of 300')
})

test('reports a missing worker', async () => {
  const web = await openWeb()
  for (const close of closers.splice(0)) await close()
  await expect(greet(web, { name: 'Ann' })).rejects.toMatchObject({ code: 'WORKER_UNAVAILABLE', status: 503 })
})

test('an invalid name is refused at declaration', () => {
  expect(() => workerVerb('test.is_refused', [], async () => {})).toThrow('Invalid verb name: test.is_refused')
})

import type { Detection } from '@panel/contract/detection'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Git } from '../src/infra/git/git.ts'
import { createMemoryGit } from './fakes/memory-git.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

let files: Record<string, string> = {}
const git: Git = {
  ...createMemoryGit(),
  listFiles: async () => Object.keys(files).map((path) => ({ path, kind: 'file', sizeBytes: 1 })),
  readFile: async (_directory, _hash, path) => files[path]
}

let panel: TestPanel
let ann: Client
let bob: Client
beforeAll(async () => {
  panel = await createTestPanel({}, { git })
  ann = await panel.signUp('ann')
  bob = await panel.signUp('bob')
})
afterAll(() => panel.close())

const gitUrl = 'https://github.com/owner/repository'
const next = {
  'package.json': JSON.stringify({
    scripts: { build: 'next build', start: 'next start' },
    dependencies: { next: '1' }
  }),
  'package-lock.json': '{}'
}
const detection = (id: string, client = ann) => client.request('GET', `/api/projects/${id}/detection`)
async function connected(values: Record<string, unknown> = {}) {
  const { id } = await ann.createProject({ type: 'NODEJS', ...values })
  expect((await ann.request('POST', `/api/projects/${id}/git/connect`, { gitUrl })).statusCode).toBe(200)
  return id
}

describe('GET /api/projects/:id/detection', () => {
  test('shows before the first build what it would do', async () => {
    files = next
    const answer = await detection(await connected())
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      {
        type: 'NODEJS',
        commitHash: 'a'.repeat(40),
        description: 'Node.js with npm, Next.js, build script, starts the "start" script',
        runtime: { name: 'Node.js', version: '24', source: 'DEFAULT', file: null, wanted: null },
        framework: 'Next.js',
        packageManager: 'npm',
        build: { command: 'npm run build', source: 'PACKAGE_JSON' },
        start: { command: 'next start', source: 'PACKAGE_JSON' },
        site: null,
        port: 3000,
        notes: [],
        noteSentences: [],
        problem: null,
        sentences: [],
        override: expect.stringContaining('Procfile') as string
      }
    ])
  })

  test('respects the settings', async () => {
    files = next
    const id = await connected({ startCmd: 'node a.js', port: 4000 })
    expect((await detection(id)).json()).toMatchObject({
      start: { command: 'node a.js', source: 'SETTING' },
      port: 4000
    })
    await ann.request('PUT', `/api/projects/${id}`, { startCmd: null, buildCmd: 'make' })
    expect((await detection(id)).json()).toMatchObject({
      build: { command: 'make', source: 'SETTING' },
      start: { command: 'next start', source: 'PACKAGE_JSON' }
    })
  })

  test('shows where the site is expected', async () => {
    files = {
      'package.json': JSON.stringify({ scripts: { build: 'astro build' }, dependencies: { astro: '1' } })
    }
    const answer = (await detection(await connected())).json<Detection>()
    expect([answer.site?.[0], answer.start]).toEqual(['dist', null])
    expect(answer.notes).toEqual([
      'There is no lock file, so two builds may install different versions. Commit one.',
      'There is no server to run, so the build output is served as a static site.'
    ])
    expect(answer.noteSentences).toEqual([{ code: 'NO_LOCK_FILE' }, { code: 'NOTHING_TO_RUN' }])
  })

  test.each([
    ['no repository', {}, false, {}, 'NOT_CONNECTED', 'No repository is connected: connect one.'],
    ['nothing fetched', { gitUrl }, false, {}, 'NOTHING_FETCHED', 'The repository has not been fetched yet'],
    ['nothing to start', {}, true, { 'package.json': '{}' }, 'NO_NODE_START', 'package.json has no "start" script']
  ])('%s is a problem with a remedy', async (_, values, isConnected, content, code, problem) => {
    files = content as Record<string, string>
    const id = isConnected ? await connected(values) : (await ann.createProject({ type: 'NODEJS', ...values })).id
    const answer = await detection(id)
    expect([answer.statusCode, answer.json()]).toMatchObject([200, { framework: null, start: null }])
    expect(answer.json<Detection>().sentences).toEqual([{ code }])
    expect(answer.json<{ problem: string }>().problem).toContain(problem)
  })

  test('WordPress needs no repository', async () => {
    const { id } = await ann.createProject({ type: 'WORDPRESS' })
    expect((await detection(id)).json()).toMatchObject({ framework: 'WordPress', commitHash: null, problem: null })
  })

  test('is limited to own projects', async () => {
    const { id } = await ann.createProject({ type: 'WORDPRESS' })
    expect((await detection(id, bob)).statusCode).toBe(403)
    expect((await detection('pmissing00000000000000000')).statusCode).toBe(404)
    expect((await panel.app.inject({ url: `/api/projects/${id}/detection` })).statusCode).toBe(401)
  })
})

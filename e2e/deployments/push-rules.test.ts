import { execFile } from 'node:child_process'
import { createHmac, randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { DeployRules } from '@panel/contract/deploy-rules'
import type { GitInfo, NewDeployHook } from '@panel/contract/git'
import type { WebhookDeliveryList } from '@panel/contract/webhook-deliveries'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GitHttpServer, startGitHttpServer } from '../support/git-server.ts'
import { type Client, type RunningPanel, type Site, startPanel } from '../support/panel.ts'
import { nodeSite } from '../support/sites.ts'

const execute = promisify(execFile)

let git: GitHttpServer
let panel: RunningPanel
let user: Client
let site: Site
let work: string
beforeAll(async () => {
  git = await startGitHttpServer()
  panel = await startPanel({ GIT_EXTRA_HOSTS: `127.0.0.1:${git.port}` })
  user = await panel.signUp()
  site = await user.createSite(git, nodeSite('first'))
  work = await mkdtemp(join(tmpdir(), 'panel-push-'))
  await git.git(site.repository, 'config', 'http.receivepack', 'true')
  await run('clone', '--quiet', git.url(site.repository), '.')
})
afterAll(async () => {
  if (work) await rm(work, { recursive: true, force: true })
  await panel?.dispose()
  await git?.stop()
})

async function run(...args: string[]): Promise<string> {
  const identity = ['-c', 'user.name=Dev', '-c', 'user.email=dev@example.com']
  const env = { PATH: process.env.PATH, HOME: work, GIT_CONFIG_NOSYSTEM: '1' }
  return (await execute('git', [...identity, ...args], { cwd: work, env })).stdout.trim()
}

/** Commits the files, pushes them, and reports the push as GitHub does, with the files that git says were changed. */
async function push(files: Record<string, string>, message: string): Promise<Answer> {
  const before = await run('rev-parse', 'HEAD')
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(work, path)), { recursive: true })
    await writeFile(join(work, path), content)
  }
  await run('add', '--all')
  await run('commit', '--quiet', '--message', message)
  await run('push', '--quiet', 'origin', 'main')
  const after = await run('rev-parse', 'HEAD')
  const changed = async (filter: string) =>
    (await run('diff', '--name-only', `--diff-filter=${filter}`, before, after))
      .split('\n')
      .filter((path) => path !== '')
  const lists = { added: await changed('A'), modified: await changed('M'), removed: await changed('D') }
  const commit = { id: after, message, ...lists }
  return report({ ref: 'refs/heads/main', before, after, head_commit: commit, commits: [commit] })
}

async function tag(name: string): Promise<Answer> {
  await run('tag', '--annotate', '--message', name, name)
  await run('push', '--quiet', 'origin', name)
  const [after, id] = [await run('rev-parse', name), await run('rev-parse', `${name}^{commit}`)]
  const before = '0'.repeat(40)
  return report({
    ref: `refs/tags/${name}`,
    before,
    after,
    created: true,
    head_commit: { id, message: 'x' },
    commits: []
  })
}

interface Answer {
  status: number
  body: { deploymentId: string; reason: string }
}

async function report(payload: object): Promise<Answer> {
  const { webhookSecret } = await user.call<GitInfo>('GET', `/projects/${site.id}/git`)
  const body = JSON.stringify(payload)
  const signature = createHmac('sha256', webhookSecret!).update(body).digest('hex')
  return post(`/api/webhooks/gitprovider/${site.id}`, body, {
    'content-type': 'application/json',
    'x-github-event': 'push',
    'x-github-delivery': randomUUID(),
    'x-hub-signature-256': `sha256=${signature}`
  })
}

async function post(path: string, body?: string, headers: Record<string, string> = {}): Promise<Answer> {
  const answer = await fetch(`${panel.url}${path}`, {
    method: 'POST',
    headers,
    ...(body === undefined ? {} : { body })
  })
  return { status: answer.status, body: (await answer.json()) as Answer['body'] }
}

const rules = (deployRules: Partial<DeployRules>) => user.call('PUT', `/projects/${site.id}`, { deployRules })
const inbox = () => user.call<WebhookDeliveryList>('GET', `/projects/${site.id}/webhook-deliveries`)

async function deployed({ status, body }: Answer, word: string): Promise<void> {
  expect(status).toBe(202)
  const deployment = await user.waitFor(site.id, body.deploymentId)
  expect(deployment, deployment.buildLogs ?? '').toMatchObject({ status: 'RUNNING', trigger: 'WEBHOOK' })
  expect((await panel.visit(site.hostname)).body).toBe(`${word} /`)
}
const ignored = (reason: string) => ({ status: 200, body: { ignored: true, reason } })
const siteOf = (word: string) =>
  Object.fromEntries(Object.entries(nodeSite(word)).map(([path, content]) => [path, String(content)]))

test('watch paths, a marker in the message, tags, a replay and the deploy hook', async () => {
  await rules({ watchPaths: ['*.js', '*.json'] })
  await deployed(await push(siteOf('watched'), 'Change the site'), 'watched')
  expect(await push({ 'docs/a.md': 'a' }, 'Write')).toEqual(ignored('No watched path changed'))
  expect(await push(siteOf('marked'), 'Change it [skip ci]')).toEqual(ignored('The commit message contains [skip ci]'))

  const [marked] = (await inbox()).deliveries
  expect(marked).toMatchObject({ provider: 'GITHUB', verdict: 'IGNORED', replayable: true, deploymentId: null })
  const replayed = await user.call<{ id: string }>(
    'POST',
    `/projects/${site.id}/webhook-deliveries/${marked!.id}/replay`
  )
  await deployed({ status: 202, body: { deploymentId: replayed.id, reason: '' } }, 'marked')

  await rules({ branch: false, tagPattern: 'v*' })
  expect(await push(siteOf('tagged'), 'Release')).toEqual(ignored('Branch mismatch'))
  expect(await tag('nightly')).toEqual(ignored('The tag does not match the pattern'))
  await deployed(await tag('v1.0'), 'tagged')

  await rules({ automatic: false })
  expect(await push(siteOf('hooked'), 'Change by hand')).toEqual(ignored('Automatic deployment is off'))
  const { url } = await user.call<NewDeployHook>('POST', `/projects/${site.id}/git/deploy-hook`)
  const { pathname, search } = new URL(url)
  expect((await post(`${pathname}?secret=wrong`)).status).toBe(401)
  await deployed(await post(`${pathname}${search}`), 'hooked')
  expect(panel.output()).not.toContain(new URL(url).searchParams.get('secret'))
  await expect.poll(async () => (await inbox()).unsigned.count).toBe(1)
})

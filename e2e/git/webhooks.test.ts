import { execFile } from 'node:child_process'
import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Deployment } from '@panel/contract/deployments'
import type { GitInfo } from '@panel/contract/git'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GitHttpServer, startGitHttpServer } from '../support/git-server.ts'
import { type GitSshServer, startGitSshServer } from '../support/git-ssh-server.ts'
import { createGitRepositories, type GitRepositories } from '../support/git-repositories.ts'
import { type Client, type RunningPanel, type Site, startPanel } from '../support/panel.ts'
import { builtNodeSite, nodeSite } from '../support/sites.ts'

const execute = promisify(execFile)

let git: GitHttpServer
let hidden: GitRepositories
let ssh: GitSshServer
let panel: RunningPanel
let user: Client
beforeAll(async () => {
  git = await startGitHttpServer()
  hidden = await createGitRepositories()
  ssh = await startGitSshServer(hidden.root)
  panel = await startPanel({
    GIT_EXTRA_HOSTS: `127.0.0.1:${git.port}`,
    GIT_MIRRORS: `github.com=${ssh.baseUrl}`,
    GIT_KNOWN_HOSTS: ssh.knownHostsLine,
    BUILD_CONCURRENCY: '1'
  })
  user = await panel.signUp()
})
afterAll(async () => {
  await panel?.dispose()
  await ssh?.stop()
  await hidden?.remove()
  await git?.stop()
})

async function push(site: Site, word: string, message: string): Promise<string> {
  await git.git(site.repository, 'config', 'http.receivepack', 'true')
  const directory = await mkdtemp(join(tmpdir(), 'panel-push-'))
  const run = async (...args: string[]) => {
    const identity = ['-c', 'user.name=Dev', '-c', 'user.email=dev@example.com']
    const env = { PATH: process.env.PATH, HOME: directory, GIT_CONFIG_NOSYSTEM: '1' }
    return (await execute('git', [...identity, ...args], { cwd: directory, env })).stdout.trim()
  }
  try {
    await run('clone', '--quiet', git.url(site.repository), '.')
    for (const [path, content] of Object.entries(nodeSite(word)))
      await writeFile(join(directory, path), String(content))
    await run('commit', '--all', '--quiet', '--message', message)
    await run('push', '--quiet', 'origin', 'main')
    return await run('rev-parse', 'HEAD')
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

interface Delivery {
  secret: string
  hash: string
  message: string
}
type Sender = (delivery: Delivery) => { headers: Record<string, string>; body: string }

const hmac = (secret: string, body: string) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

const senders: Record<string, Sender> = {
  'our own convention': ({ secret, hash, message }) => {
    const body = JSON.stringify({ ref: 'refs/heads/main', after: hash, head_commit: { id: hash, message } })
    return { body, headers: { 'x-gitprovider-event': 'push', 'x-hub-signature-256': hmac(secret, body) } }
  },
  GitHub: ({ secret, hash, message }) => {
    const body = JSON.stringify({
      ref: 'refs/heads/main',
      before: '0'.repeat(40),
      after: hash,
      deleted: false,
      repository: { full_name: 'acme/site' },
      head_commit: { id: hash, message },
      commits: [{ id: hash, message }]
    })
    return {
      body,
      headers: {
        'user-agent': 'GitHub-Hookshot/044aadd',
        'x-github-event': 'push',
        'x-github-delivery': randomUUID(),
        'x-hub-signature': `sha1=${createHmac('sha1', secret).update(body).digest('hex')}`,
        'x-hub-signature-256': hmac(secret, body)
      }
    }
  },
  GitLab: ({ secret, hash, message }) => ({
    body: JSON.stringify({
      object_kind: 'push',
      ref: 'refs/heads/main',
      before: '0'.repeat(40),
      after: hash,
      checkout_sha: hash,
      commits: [{ id: hash, message }]
    }),
    headers: {
      'x-gitlab-event': 'Push Hook',
      'x-gitlab-token': secret,
      'x-gitlab-event-uuid': randomUUID(),
      'idempotency-key': randomUUID()
    }
  }),
  Bitbucket: ({ secret, hash, message }) => {
    const target = { type: 'commit', hash, message }
    const body = JSON.stringify({ push: { changes: [{ new: { type: 'branch', name: 'main', target }, old: null }] } })
    return {
      body,
      headers: {
        'x-event-key': 'repo:push',
        'x-request-uuid': randomUUID(),
        'x-hub-signature': hmac(secret, body)
      }
    }
  }
}

async function deliver(site: Pick<Site, 'id'>, { headers, body }: ReturnType<Sender>) {
  const { webhookUrl } = await user.call<GitInfo>('GET', `/projects/${site.id}/git`)
  const { pathname, search } = new URL(webhookUrl)
  const answer = await fetch(`${panel.url}${pathname}${search}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body
  })
  return { status: answer.status, body: (await answer.json()) as { deploymentId: string; status: string } }
}

const secretOf = async (site: Pick<Site, 'id'>) =>
  (await user.call<GitInfo>('GET', `/projects/${site.id}/git`)).webhookSecret!

describe('a push deploys the pushed commit', () => {
  let site: Site
  beforeAll(async () => {
    site = await user.createSite(git, nodeSite('first'))
  })

  test.each(Object.keys(senders))('as reported by %s', async (name) => {
    const word = name.toLowerCase().replaceAll(' ', '-')
    const message = `Show ${word} $(touch /tmp/x) \`id\`\n\nMore`
    const hash = await push(site, word, message)
    const delivery = senders[name]!({ secret: await secretOf(site), hash, message })
    const accepted = await deliver(site, delivery)
    expect(accepted.status).toBe(202)
    expect(await deliver(site, delivery)).toMatchObject({ body: { deploymentId: accepted.body.deploymentId } })
    const deployment = await user.waitFor(site.id, accepted.body.deploymentId)
    expect(deployment, deployment.buildLogs ?? '').toMatchObject({ status: 'RUNNING', trigger: 'WEBHOOK' })
    expect(deployment.commitHash).toBe(hash)
    expect(deployment.commitMsg?.trim()).toBe(message)
    expect((await panel.visit(site.hostname)).body).toBe(`${word} /`)
  })

  test('a wrong signature builds nothing', async () => {
    const count = async () =>
      (await user.call<{ pagination: { total: number } }>('GET', `/projects/${site.id}/deployments`)).pagination.total
    const before = await count()
    for (const send of Object.values(senders)) {
      const delivery = send({ secret: randomBytes(32).toString('hex'), hash: 'a'.repeat(40), message: 'x' })
      expect(await deliver(site, delivery)).toMatchObject({ status: 401, body: { code: 'SIGNATURE_INVALID' } })
    }
    expect(await count()).toBe(before)
  })
})

test('the recorded commit is built, even if the branch has moved', async () => {
  const site = await user.createSite(git, nodeSite('first'))
  const other = await user.createSite(git, builtNodeSite('other', 'sleep 4'))
  const blocker = await user.call<Deployment>('POST', `/projects/${other.id}/build`)
  const hash = await push(site, 'pushed', 'Pushed')
  const send = senders.GitHub!
  const secret = await secretOf(site)
  const accepted = await deliver(site, send({ secret, hash, message: 'Pushed' }))
  const later = await push(site, 'later', 'Later')
  const deployment = await user.waitFor(site.id, accepted.body.deploymentId)
  expect(deployment, deployment.buildLogs ?? '').toMatchObject({ status: 'RUNNING', commitHash: hash })
  expect((await panel.visit(site.hostname)).body).toBe('pushed /')
  await user.waitFor(other.id, blocker.id)
  expect(await user.build(site.id)).toMatchObject({ status: 'RUNNING', commitHash: later })
  // After a force push the commit looks like one from a stranger's fork, so it is refused.
  await git.git(site.repository, 'update-ref', 'refs/heads/main', site.commitHash)
  const forced = await deliver(site, send({ secret, hash, message: 'Pushed' }))
  const ended = await user.waitFor(site.id, forced.body.deploymentId)
  expect(ended, ended.buildLogs ?? '').toMatchObject({ status: 'FAILED' })
  expect(ended.buildLogs).toContain(`FAILED: Commit ${hash} is not on branch main`)
  expect((await panel.visit(site.hostname)).body).toBe('later /')
})

test('a private repository over SSH: refused without its key, built with it and with a new one', async () => {
  const { id, name } = await user.createProject({ type: 'NODEJS' })
  const repository = `acme/${name}`
  const hash = await hidden.createRepository(repository, nodeSite('private'))
  const connection = { gitUrl: `git@github.com:${repository}.git`, branch: 'main', isPrivate: true }
  const connect = () => user.request<{ error: string }>('POST', `/projects/${id}/git/connect`, connection)
  expect(await connect()).toMatchObject({ status: 422 })
  const { publicKey } = await user.call<{ publicKey: string }>('POST', `/projects/${id}/git/ssh-key`)
  expect(publicKey).toMatch(/^ssh-ed25519 /)
  expect((await connect()).body.error).toMatch(/rejected the SSH key/)

  await ssh.authorize(publicKey)
  expect(await connect()).toMatchObject({ status: 200, body: { sshPublicKey: publicKey, isPrivate: true } })
  const deployment = await user.build(id)
  expect(deployment, deployment.buildLogs ?? '').toMatchObject({ status: 'RUNNING', commitHash: hash })
  expect((await panel.visit(`${name}.apps.localhost`)).body).toBe('private /')

  const directory = join(panel.dataDir, 'workspaces', 'keys', id)
  const [file] = await readdir(directory)
  expect((await stat(join(directory, file!))).mode & 0o077).toBe(0)
  const privateKey = (await readFile(join(directory, file!), 'utf8')).split('\n')[1]!
  expect(JSON.stringify([await user.call('GET', `/projects/${id}`), deployment])).not.toContain(privateKey)
  expect(panel.output()).not.toContain(privateKey)

  const renewed = await user.call<{ publicKey: string }>('POST', `/projects/${id}/git/ssh-key`)
  const locked = await user.build(id)
  expect(locked.status).toBe('FAILED')
  expect(locked.buildLogs).toMatch(/rejected the SSH key/)
  await ssh.authorize(renewed.publicKey)
  const webhook = await deliver(
    { id },
    senders.GitHub!({
      secret: await secretOf({ id }),
      hash: await hidden.commit(repository, nodeSite('renewed'), 'Renewed'),
      message: 'Renewed'
    })
  )
  expect((await user.waitFor(id, webhook.body.deploymentId)).status).toBe('RUNNING')
  expect((await panel.visit(`${name}.apps.localhost`)).body).toBe('renewed /')
})

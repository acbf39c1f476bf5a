import { execFile } from 'node:child_process'
import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Deployment } from '@panel/contract/deployments'
import type { GitInfo } from '@panel/contract/git'
import { afterAll, beforeAll, expect, test } from 'vitest'
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
const clones: string[] = []
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
  for (const directory of clones) await rm(directory, { recursive: true, force: true })
})

/** A clone that commits and pushes with git. */
async function clone(site: Site) {
  await git.git(site.repository, 'config', 'http.receivepack', 'true')
  const directory = await mkdtemp(join(tmpdir(), 'panel-push-'))
  clones.push(directory)
  const run = async (...args: string[]) => {
    const identity = ['-c', 'user.name=Dev', '-c', 'user.email=dev@example.com']
    const env = { PATH: process.env.PATH, HOME: directory, GIT_CONFIG_NOSYSTEM: '1' }
    return (await execute('git', [...identity, ...args], { cwd: directory, env })).stdout.trim()
  }
  await run('clone', '--quiet', git.url(site.repository), '.')
  return {
    async push(word: string, message: string): Promise<string> {
      for (const [path, content] of Object.entries(nodeSite(word)))
        await writeFile(join(directory, path), String(content))
      await run('commit', '--all', '--quiet', '--message', message)
      await run('push', '--quiet', 'origin', 'main')
      return run('rev-parse', 'HEAD')
    },
    async tag(name: string): Promise<{ object: string; commit: string }> {
      await run('tag', '--annotate', '--message', name, name)
      await run('push', '--quiet', 'origin', name)
      return { object: await run('rev-parse', name), commit: await run('rev-parse', `${name}^{commit}`) }
    }
  }
}

interface Push {
  secret: string
  hash: string
  message: string
  tag?: { name: string; object: string }
}

/** As GitHub reports it; how others do is tested at the API. */
function report({ secret, hash, message, tag }: Push) {
  const body = JSON.stringify({
    ref: tag === undefined ? 'refs/heads/main' : `refs/tags/${tag.name}`,
    before: '0'.repeat(40),
    after: tag?.object ?? hash,
    created: tag !== undefined,
    deleted: false,
    repository: { full_name: 'acme/site' },
    head_commit: { id: hash, message },
    commits: tag === undefined ? [{ id: hash, message }] : []
  })
  const hmac = (kind: string) => `${kind}=${createHmac(kind, secret).update(body).digest('hex')}`
  return {
    body,
    headers: {
      'user-agent': 'GitHub-Hookshot/044aadd',
      'x-github-event': 'push',
      'x-github-delivery': randomUUID(),
      'x-hub-signature': hmac('sha1'),
      'x-hub-signature-256': hmac('sha256')
    }
  }
}

async function deliver(site: Pick<Site, 'id'>, { headers, body }: ReturnType<typeof report>) {
  const { webhookUrl } = await user.call<GitInfo>('GET', `/projects/${site.id}/git`)
  const { pathname, search } = new URL(webhookUrl)
  const answer = await fetch(`${panel.url}${pathname}${search}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body
  })
  return { status: answer.status, body: (await answer.json()) as { deploymentId: string; reason?: string } }
}

const secretOf = async (site: Pick<Site, 'id'>) =>
  (await user.call<GitInfo>('GET', `/projects/${site.id}/git`)).webhookSecret!

test('a push deploys the pushed commit, a push of a tag its commit, and a wrong signature nothing', async () => {
  const site = await user.createSite(git, nodeSite('first'))
  const { push, tag } = await clone(site)
  const message = `Show pushed $(touch /tmp/x) \`id\`\n\nMore`
  const secret = await secretOf(site)
  const hash = await push('pushed', message)
  const forged = report({ secret: randomBytes(32).toString('hex'), hash, message })
  expect(await deliver(site, forged)).toMatchObject({ status: 401, body: { code: 'SIGNATURE_INVALID' } })
  const delivery = report({ secret, hash, message })
  const accepted = await deliver(site, delivery)
  expect(accepted.status).toBe(202)
  expect(await deliver(site, delivery)).toMatchObject({ body: { deploymentId: accepted.body.deploymentId } })
  const deployment = await user.waitFor(site.id, accepted.body.deploymentId)
  expect(deployment, deployment.buildLogs ?? '').toMatchObject({ status: 'RUNNING', trigger: 'WEBHOOK' })
  expect(deployment.commitHash).toBe(hash)
  expect(deployment.commitMsg?.trim()).toBe(message)
  expect((await panel.visit(site.hostname)).body).toBe('pushed /')

  await user.call('PUT', `/projects/${site.id}`, { deployRules: { branch: false, tagPattern: 'v*' } })
  const tagged = await push('tagged', 'Release')
  expect(await deliver(site, report({ secret, hash: tagged, message: 'Release' }))).toMatchObject({
    body: { ignored: true, reason: 'Branch mismatch' }
  })
  const name = 'v1.0'
  const { object, commit } = await tag(name)
  expect(commit).toBe(tagged)
  const release = await deliver(site, report({ secret, hash: commit, message: 'Release', tag: { name, object } }))
  expect(await user.waitFor(site.id, release.body.deploymentId)).toMatchObject({
    status: 'RUNNING',
    commitHash: commit
  })
  expect((await panel.visit(site.hostname)).body).toBe('tagged /')
})

test('the recorded commit is built, even if the branch has moved, but not once it is off the branch', async () => {
  const site = await user.createSite(git, nodeSite('first'))
  const { push } = await clone(site)
  const other = await user.createSite(git, builtNodeSite('other', 'sleep 4'))
  const blocker = await user.call<Deployment>('POST', `/projects/${other.id}/build`)
  const hash = await push('pushed', 'Pushed')
  const secret = await secretOf(site)
  const accepted = await deliver(site, report({ secret, hash, message: 'Pushed' }))
  await push('later', 'Later')
  const deployment = await user.waitFor(site.id, accepted.body.deploymentId)
  expect(deployment, deployment.buildLogs ?? '').toMatchObject({ status: 'RUNNING', commitHash: hash })
  expect((await panel.visit(site.hostname)).body).toBe('pushed /')
  await user.waitFor(other.id, blocker.id)
  // After a force push the commit looks like one from a stranger's fork, so it is refused.
  await git.git(site.repository, 'update-ref', 'refs/heads/main', site.commitHash)
  const forced = await deliver(site, report({ secret, hash, message: 'Pushed' }))
  const ended = await user.waitFor(site.id, forced.body.deploymentId)
  expect(ended, ended.buildLogs ?? '').toMatchObject({ status: 'FAILED' })
  expect(ended.buildLogs).toContain(`FAILED: Commit ${hash} is not on branch main`)
  expect((await panel.visit(site.hostname)).body).toBe('pushed /')
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
    report({
      secret: await secretOf({ id }),
      hash: await hidden.commit(repository, nodeSite('renewed'), 'Renewed'),
      message: 'Renewed'
    })
  )
  expect((await user.waitFor(id, webhook.body.deploymentId)).status).toBe('RUNNING')
  expect((await panel.visit(`${name}.apps.localhost`)).body).toBe('renewed /')
})

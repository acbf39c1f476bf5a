import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Domain } from '@panel/contract/domains'
import type { GitInfo } from '@panel/contract/git'
import { type GitHttpServer, startGitHttpServer } from '../e2e/support/git-server.ts'
import { type Client, type RunningPanel, startMeasuredPanel } from './panel.ts'
import { builtNodeSite } from '../e2e/support/sites.ts'
import { type AttackKind, attackKinds, type Target } from './fairness-attacks.ts'
import { percentile, report } from './figures.ts'
import { step } from './step.ts'

const requestsPerSecond = 40
const restSeconds = 8
const attackSeconds = 15
/** What the attack needs to be in full swing: a build has to be cloned and begun. */
const warmUpMs = 4_000
const aim = 5
const refusedMs = 10_000

/**
 * What one account's list of projects takes while another does the worst that is known of each kind, as a ratio to what it takes at rest,
 * before and after. The attacker is a process of its own that leaves the processors to the panel.
 */
export async function benchFairness(only?: string): Promise<void> {
  const git = await startGitHttpServer()
  const panel = await startMeasuredPanel({
    GIT_EXTRA_HOSTS: `127.0.0.1:${git.port}`,
    PANEL_MOCK_DNS: 'true',
    PUBLIC_IP: '127.0.0.1',
    DEPLOY_DRAIN_SECONDS: '0',
    AUTH_RATE_LIMIT_MAX: '1000000'
  })
  try {
    const bob = await panel.signUp('bob')
    for (let n = 0; n < 10; n++) await bob.createProject({ name: `site-${n}`, type: 'STATIC' })
    const target = await step('creating what the attacks need', () => prepare(panel, git))
    await step('warm-up', () => measure(panel, bob, restSeconds))
    for (const kind of attackKinds) {
      if (only !== undefined && kind !== only) continue
      const before = await step(`${kind}: at rest`, () => measure(panel, bob, restSeconds))
      const attacker = startAttack(kind, target)
      await sleep(warmUpMs)
      const during = await step(`${kind}: under attack`, () => measure(panel, bob, attackSeconds))
      const done = await endAttack(attacker)
      await sleep(2_000)
      const after = await step(`${kind}: at rest again`, () => measure(panel, bob, restSeconds))
      const rest = percentile([...before, ...after], 0.99)
      const p99 = percentile(during, 0.99)
      report(`${kind}: p99 of another's list`, `${p99.toFixed(1)} / ${rest.toFixed(1)} ms`, {
        value: p99 / rest,
        aim: `<= ${aim}x`
      })
      console.log(
        `  median ${percentile(during, 0.5).toFixed(1)} / ${percentile([...before, ...after], 0.5).toFixed(1)} ms, longest ${Math.max(...during).toFixed(0)} ms; the attacker: ${done}`
      )
    }
  } finally {
    await panel.dispose()
    await git.stop()
  }
}

/** Milliseconds of requests that are sent at a fixed rate, whether or not those before are answered. */
async function measure(panel: RunningPanel, { cookie }: Client, seconds: number): Promise<number[]> {
  const answers: Promise<number>[] = []
  const began = performance.now()
  for (let n = 0; n < seconds * requestsPerSecond; n++) {
    const due = began + (n * 1000) / requestsPerSecond
    await sleep(Math.max(0, due - performance.now()))
    answers.push(ask(`${panel.url}/api/projects?limit=10`, cookie, due))
  }
  return Promise.all(answers)
}

/** From when it was due, so that a client that waits counts too. */
function ask(url: string, cookie: string, due: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = httpRequest(url, { headers: { cookie }, agent: false }, (response) => {
      response.resume()
      response.on('end', () => {
        // What is refused counts as what took as long as anything may.
        resolve(response.statusCode === 200 ? performance.now() - due : refusedMs)
      })
    })
    call.on('error', reject)
    call.end()
  })
}

/** What the attacks need, made through the API where that is quick. */
async function prepare(panel: RunningPanel, git: GitHttpServer): Promise<Target> {
  const ann = await panel.signUp('ann')
  for (let n = 0; n < 100; n++) await ann.createProject({ name: `many-${n}`, type: 'STATIC' })
  // As the reproduction of the frozen panel: lines of eight characters, 100,000 of them.
  const site = await ann.createSite(git, builtNodeSite('hostile', 'seq 1 100000'))
  const lines = (value: number) =>
    Array.from({ length: 7_211 }, (_, line) => (value * 7_211 + line).toString(36).padStart(8, 'k')).join('\n')
  for (let value = 0; value < 15; value++)
    await ann.call('POST', `/projects/${site.id}/env`, { key: `K${value}`, value: lines(value) })
  // Bases and layers, so that what is measured is the build and not a download.
  await ann.build(site.id)
  const { webhookSecret } = await ann.call<GitInfo>('GET', `/projects/${site.id}/git`)
  const directory = join(panel.dataDir, 'workspaces/projects/by-id', site.id, 'many')
  await mkdir(directory)
  for (let n = 0; n < 10_000; n++) await writeFile(join(directory, `file-${n}.txt`), '')
  const domain = await ann.call<Domain>('POST', '/domains', { hostname: 'large.bench.example' })
  await ann.call('POST', `/domains/${domain.id}/verify?mock=true`)
  await ann.call('PATCH', `/domains/${domain.id}/dns-mode`, { mode: 'MANAGED', skipDelegationCheck: true })
  const zone = Array.from({ length: 9_900 }, (_, n) => `host${n} 3600 IN A 192.0.2.1`).join('\n')
  await ann.call('POST', `/domains/${domain.id}/dns/import`, { zoneContent: zone, strategy: 'skip' })
  return {
    url: panel.url,
    cookie: ann.cookie,
    email: 'ann@example.com',
    projectId: site.id,
    domainId: domain.id,
    webhookSecret: webhookSecret!
  }
}

const attackScript = fileURLToPath(new URL('fairness-attacks.ts', import.meta.url))

function startAttack(kind: AttackKind, target: Target): ChildProcess {
  return spawn('nice', ['-n', '10', process.execPath, '--import', 'tsx', attackScript, kind, JSON.stringify(target)], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
}

/** Resolves with what it says it has done. */
async function endAttack(child: ChildProcess): Promise<string> {
  let message = ''
  child.stdout!.on('data', (chunk: Buffer) => (message += chunk.toString()))
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
  return message.trim()
}

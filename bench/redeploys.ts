import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { startGitHttpServer } from '../e2e/support/git-server.ts'
import { startMeasuredPanel } from './panel.ts'
import { nodeSite } from '../e2e/support/sites.ts'
import { report } from './figures.ts'
import { step } from './step.ts'

const redeploys = 20

/** Requests that fail while a site is deployed again and again under load: keep-alive, new connections and slow ones. */
export async function benchRedeploys(): Promise<void> {
  const git = await startGitHttpServer()
  const panel = await startMeasuredPanel({ GIT_EXTRA_HOSTS: `127.0.0.1:${git.port}` })
  const user = await panel.signUp()
  const stopping = new AbortController()
  try {
    await git.createRepository('bench/site', nodeSite('0'))
    const project = await user.createProject({ name: 'bench-load', type: 'NODEJS' })
    await user.call('POST', `/projects/${project.id}/git/connect`, { gitUrl: git.url('bench/site'), branch: 'main' })
    await step('the first build, which makes the base image', () => user.build(project.id))
    const count = { ok: 0, failed: 0 }
    const keepAlive = new Agent({ keepAlive: true, maxSockets: 4 })
    const loop = async (path: string, agent: Agent | false, pauseMs: number) => {
      while (!stopping.signal.aborted) {
        count[(await succeeds(panel.proxyPort, path, agent)) ? 'ok' : 'failed']++
        await sleep(pauseMs)
      }
    }
    const load = [loop('/', keepAlive, 5), loop('/', keepAlive, 5), loop('/', false, 10), loop('/slow', false, 10)]
    for (let n = 0; n < redeploys; n++) {
      await git.commit('bench/site', nodeSite(String(n)), 'Change')
      const deployment = await step(`redeployment ${n + 1} of ${redeploys}`, () => user.build(project.id))
      if (deployment.status !== 'RUNNING') throw new Error(deployment.buildLogs ?? '')
    }
    await sleep(2_000)
    stopping.abort()
    await Promise.all(load)
    report(`requests during ${redeploys} redeploys`, String(count.ok + count.failed))
    report('of them failed (aim 0)', String(count.failed))
  } finally {
    stopping.abort()
    await panel.dispose()
    await git.stop()
  }
}

function succeeds(port: number, path: string, agent: Agent | false): Promise<boolean> {
  return new Promise((resolve) => {
    const call = request(
      { host: '127.0.0.1', port, path, agent, headers: { host: 'bench-load.apps.localhost' }, timeout: 20_000 },
      (response) => {
        response.resume()
        response.on('end', () => resolve(response.statusCode === 200))
        response.on('error', () => resolve(false))
      }
    )
    call.on('timeout', () => call.destroy())
    call.on('error', () => resolve(false))
    call.end()
  })
}

import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rename, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Deployment } from '@panel/contract/deployments'
import type { Project } from '@panel/contract/projects'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { findHaproxy } from '../../packages/server/src/infra/reverse-proxy/haproxy-pids.ts'
import { haproxyPaths } from '../../packages/server/src/infra/reverse-proxy/haproxy-paths.ts'
import { sendCommand } from '../../packages/server/src/infra/reverse-proxy/haproxy-socket.ts'
import { makeRuntimeDirectory } from '../../packages/server/src/process/runtime-directory.ts'
import { docker, findObjects, runningContainers } from '../support/engine.ts'
import { type GitHttpServer, startGitHttpServer } from '../support/git-server.ts'
import { startLoad } from '../support/load.ts'
import { type Client, type RunningPanel, type Site, startPanel } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { kill } from '../support/processes.ts'
import { startCommand } from '../support/command.ts'
import { builtNodeSite, nodeSite, siteStartedBy } from '../support/sites.ts'
import { freePort } from '../../packages/server/test/support/ports.ts'

let git: GitHttpServer
let panel: RunningPanel
let user: Client
let home: Site
let workspaces: string
beforeAll(async () => {
  git = await startGitHttpServer()
  workspaces = await mkdtemp(join(tmpdir(), 'panel-full-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m,mode=0755', 'tmpfs', workspaces])
  panel = await startPanel({
    GIT_EXTRA_HOSTS: `127.0.0.1:${git.port}`,
    BUILD_CONCURRENCY: '1',
    PROJECTS_DIR: workspaces,
    // Very low, so that the disk can fill up.
    MIN_FREE_DISK: '16k'
  })
  user = await panel.signUp()
  home = await user.createSite(git, nodeSite('home'))
  expectRunning(await user.build(home.id))
})
afterAll(async () => {
  await panel?.dispose()
  execFileSync('umount', [workspaces])
  await rm(workspaces, { recursive: true, force: true })
  await git?.stop()
})

afterEach(({ task }) => {
  if (task.result?.state === 'fail') console.error(panel.output().slice(-5_000))
})

const press = (site: Pick<Site, 'id'>) => user.call<Deployment>('POST', `/projects/${site.id}/build`)
const see = (site: Pick<Site, 'id'>, { id }: Pick<Deployment, 'id'>) =>
  user.call<Deployment>('GET', `/projects/${site.id}/deployments/${id}`)
const expectRunning = (deployment: Deployment) =>
  expect(deployment, deployment.buildLogs ?? '').toMatchObject({ status: 'RUNNING' })
const isServing = async (site: Pick<Site, 'hostname'>, word: string) =>
  (await panel.visit(site.hostname)).body.startsWith(word)

const untilFailed = (site: Pick<Site, 'id'>, deployment: Pick<Deployment, 'id'>, reason: RegExp) =>
  until(
    () => see(site, deployment),
    ({ status, buildLogs }) => status === 'FAILED' && reason.test(buildLogs ?? '')
  )

const proxyPaths = async () => haproxyPaths(join(panel.dataDir, 'proxy'), await makeRuntimeDirectory(panel.dataDir))

async function liveRoutes(): Promise<string[]> {
  const paths = await proxyPaths()
  const lines = (await sendCommand(paths.adminSocket, `show map ${paths.map}`))
    .split('\n')
    .filter((line) => line !== '')
  return lines.map((line) => line.split(' ')[1]!).sort()
}

async function siteContainers(): Promise<string[]> {
  const [all, own] = await Promise.all(
    [`panel.instance=${panel.instanceId}`, 'panel.role=database-admin'].map((label) => findObjects(label))
  )
  return all!.containers.filter((id) => !own!.containers.includes(id))
}

async function untilClean(): Promise<void> {
  await until(
    async () => {
      const [open, wanted, slots, names, containers, routes] = await Promise.all([
        panel.query<{ id: string }>(`select id from deployments where status in ('QUEUED', 'BUILDING', 'DEPLOYING')`),
        panel.query<{ id: string; port: number }>(
          'select container_id as id, internal_port as port from projects where live_deployment_id is not null order by 1'
        ),
        panel.query<{ port: number }>('select port from container_slots order by port'),
        panel.query<{ hostname: string }>('select hostname from host_names'),
        siteContainers(),
        liveRoutes().catch(() => [])
      ])
      return {
        open: open.map(({ id }) => id),
        containers: [wanted.map(({ id }) => id).sort(), [...containers].sort()],
        slots: [wanted.map(({ port }) => port).sort(), slots.map(({ port }) => port).sort()],
        routes: [names.map(({ hostname }) => `${hostname}/`).sort(), routes]
      }
    },
    ({ open, containers, slots, routes }) =>
      open.length === 0 && [containers, slots, routes].every(([a, b]) => JSON.stringify(a) === JSON.stringify(b))
  )
}

describe('kill -9 of the panel', () => {
  test('with one BUILDING and one queued: the first fails with the reason, the second completes, sites stay up', async () => {
    const building = await user.createSite(git, builtNodeSite('built', 'sleep 300'))
    const waiting = await user.createSite(git, nodeSite('waited'))
    const load = startLoad(panel.proxyPort, home.hostname, (body) => body.startsWith('home'))
    const first = await press(building)
    await user.waitFor(building.id, first.id, ({ buildLogs }) => buildLogs?.includes('sleep 300') === true)
    const second = await press(waiting)
    expect(await see(waiting, second)).toMatchObject({ status: 'QUEUED' })
    await panel.killWorker()
    const answered = load.answered()
    await until(
      async () => load.answered(),
      (now) => now > answered + 50
    )
    await panel.start()
    await untilFailed(building, first, /The panel stopped while this was BUILDING/)
    expectRunning(await user.waitFor(waiting.id, second.id))
    expect(await panel.visit(waiting.hostname)).toMatchObject({ status: 200 })
    await load.stop()
    expect(load.failures).toEqual([])
    await untilClean()
    await user.call('DELETE', `/projects/${building.id}`)
    await user.call('DELETE', `/projects/${waiting.id}`)
    await untilClean()
  })

  test('while deploying a site that does not listen yet: it fails with the reason and its container is removed', async () => {
    const site = await user.createSite(git, siteStartedBy('sleep 1000'))
    const deployment = await press(site)
    await user.waitFor(site.id, deployment.id, ({ buildLogs }) => buildLogs?.includes('Waiting for an HTTP') === true)
    await panel.killWorker()
    await panel.start()
    await untilFailed(site, deployment, /The panel stopped while this was DEPLOYING/)
    await untilClean()
    expect((await findObjects(`panel.deployment=${deployment.id}`)).containers).toEqual([])
    await git.commit(site.repository, nodeSite('mended'), 'Listen')
    expectRunning(await user.build(site.id))
    await user.call('DELETE', `/projects/${site.id}`)
    await untilClean()
  })

  test('during a fetch: the leftovers block nothing', async () => {
    const site = await user.createSite(git, { ...nodeSite('fetched'), 'large.bin': Buffer.from(noise(300_000)) })
    await git.commit(site.repository, { 'larger.bin': Buffer.from(noise(900_000)) }, 'More')
    await user
      .call('POST', `/projects/${site.id}/git/connect`, {
        gitUrl: git.url(site.repository, 'slow'),
        branch: 'main',
        isPrivate: false
      })
      .catch(() => {})
    const deployment = await press(site)
    await sleep(400)
    await panel.killWorker()
    await panel.start()
    const ended = await user.waitFor(site.id, deployment.id)
    expect(['RUNNING', 'FAILED']).toContain(ended.status)
    expectRunning(await user.build(site.id))
    await user.call('DELETE', `/projects/${site.id}`)
    await untilClean()
  })

  test('at random moments of a redeploy: it ends RUNNING or FAILED with a reason, and no request is lost', async () => {
    const load = startLoad(panel.proxyPort, home.hostname, (body) => body.startsWith('home'))
    for (const delayMs of [100, 350, 550, 700, 900, 1200].map((ms) => ms + Math.random() * 150)) {
      const requested = user.request('POST', `/projects/${home.id}/deploy`).catch(() => {})
      await sleep(delayMs)
      await panel.killWorker()
      await panel.start()
      await requested
      await untilClean()
      const { deployments } = await user.call<{ deployments: Deployment[] }>('GET', `/projects/${home.id}/deployments`)
      for (const { status, buildLogs } of deployments) {
        expect(['RUNNING', 'FAILED']).toContain(status)
        if (status === 'FAILED') expect(buildLogs).toMatch(/^FAILED: \S/m)
      }
      expect(await isServing(home, 'home')).toBe(true)
    }
    await load.stop()
    expect(load.failures).toEqual([])
  })

  test('right after a deletion: no container, image or route remains', async () => {
    const site = await user.createSite(git, nodeSite('deleted'))
    expectRunning(await user.build(site.id))
    await user.call('DELETE', `/projects/${site.id}`)
    await panel.killWorker()
    await panel.start()
    await untilClean()
    await until(
      () => findObjects(`panel.project=${site.id}`),
      ({ containers, volumes, images }) => containers.length + volumes.length + images.length === 0
    )
  })
})

describe('kill -9 of the proxy', () => {
  test.each(['master', 'worker', 'master and worker'])('%s: it is restarted with every route', async (who) => {
    const before = await liveRoutes()
    expect(before).toContain(`${home.hostname}/`)
    const paths = await proxyPaths()
    const { master, all } = await findHaproxy(paths.config, paths.pid)
    const workers = all.filter((pid) => pid !== master)
    const pids = { master: [master!], worker: workers, 'master and worker': [master!, ...workers] }[who]!
    for (const pid of pids) kill(pid, 'SIGKILL')
    await until(
      async () => (await findHaproxy(paths.config, paths.pid)).all,
      (now) => now.length > 1 && now.every((pid) => !pids.includes(pid))
    )
    await until(
      () => liveRoutes().catch(() => []),
      (now) => JSON.stringify(now) === JSON.stringify(before)
    )
    await until(
      () => isServing(home, 'home').catch(() => false),
      (is) => is
    )
    await untilClean()
  })
})

describe('kill -9 of the embedded store', () => {
  const clusterDirectory = () => join(panel.dataDir, 'postgres', 'cluster')
  const postmaster = async () => parseInt(await readFile(join(clusterDirectory(), 'postmaster.pid'), 'utf8'), 10)
  const health = async () =>
    ((await (await fetch(`${panel.url}/api/health`)).json()) as { parts: Record<string, { status: string }> }).parts

  test('it is restarted; sessions stay valid', async () => {
    const panelPid = panel.pid()
    const killed = await postmaster()
    kill(killed, 'SIGKILL')
    await until(
      async () => {
        const answer = await user.request<{ code?: string }>('GET', '/projects')
        if (answer.status !== 200) expect(answer).toMatchObject({ status: 503, body: { code: 'STORE_UNAVAILABLE' } })
        return { status: answer.status, pid: await postmaster().catch(() => 0) }
      },
      ({ status, pid }) => status === 200 && pid > 0 && pid !== killed
    )
    expect(panel.pid()).toBe(panelPid)
  })

  test('down for a while: 503, shown in health, sites stay up; then work continues and deployments in progress fail', async () => {
    const site = await user.createSite(git, builtNodeSite('outage', 'sleep 300'))
    const deployment = await press(site)
    await user.waitFor(site.id, deployment.id, ({ buildLogs }) => buildLogs?.includes('sleep 300') === true)
    const load = startLoad(panel.proxyPort, home.hostname, (body) => body.startsWith('home'))
    const hidden = `${clusterDirectory()}.hidden`
    const killed = await postmaster()
    await rename(clusterDirectory(), hidden)
    try {
      kill(killed, 'SIGKILL')
      await until(
        () => user.request('GET', '/projects'),
        (answer) => answer.status === 503
      )
      expect(await user.request('GET', '/projects')).toMatchObject({ status: 503, body: { code: 'STORE_UNAVAILABLE' } })
      await until(health, (parts) => parts.store?.status === 'unreachable')
      await sleep(6_000)
    } finally {
      await rename(hidden, clusterDirectory())
    }
    await until(
      () => user.request('GET', '/projects'),
      (answer) => answer.status === 200
    )
    await until(health, (parts) => parts.store?.status === 'ok')
    await untilFailed(site, deployment, /^FAILED: \S/m)
    await git.commit(site.repository, nodeSite('outage'), 'Quick')
    expectRunning(await user.build(site.id))
    await load.stop()
    expect(load.failures).toEqual([])
    await user.call('DELETE', `/projects/${site.id}`)
    await untilClean()
  })
})

describe('drift', () => {
  const projectOf = (site: Pick<Site, 'id'>) => user.call<Project>('GET', `/projects/${site.id}`)

  test('a container removed by hand is recreated', async () => {
    const { containerId } = await projectOf(home)
    await docker('rm', '--force', containerId!)
    const after = await until(
      () => projectOf(home),
      (project) => project.containerId !== containerId && project.containerStatus === 'running'
    )
    expect(await runningContainers(`panel.project=${home.id}`)).toEqual([after.containerId])
    await until(
      () => isServing(home, 'home'),
      (is) => is
    )
    await untilClean()
  })

  test('a container stopped by hand is started', async () => {
    const { containerId } = await projectOf(home)
    await docker('stop', '--time', '1', containerId!)
    await until(
      () => runningContainers(`panel.project=${home.id}`),
      (ids) => ids.length === 1
    )
    await until(
      () => isServing(home, 'home'),
      (is) => is
    )
    expect(await projectOf(home)).toMatchObject({ containerId, containerStatus: 'running' })
  })

  test('routes deleted by hand are restored', async () => {
    const paths = await proxyPaths()
    await sendCommand(paths.adminSocket, `clear map ${paths.map}`)
    expect((await panel.visit(home.hostname)).status).toBe(404)
    await until(
      () => isServing(home, 'home'),
      (is) => is
    )
  })

  test('foreign objects are never touched', async () => {
    const name = `panel-foreign-${Date.now()}`
    const image = 'node:24-trixie-slim'
    const others = ['--label', 'panel.instance=other', '--label', 'panel.project=other']
    try {
      await docker('tag', image, `panel-foreign:${name}`)
      for (const [suffix, labels] of [
        ['plain', []],
        ['labelled', others]
      ] as const) {
        await docker('volume', 'create', ...labels, `${name}-${suffix}`)
        await docker('create', '--name', `${name}-${suffix}`, ...labels, image, 'true')
      }
      await docker('run', '--detach', '--name', `${name}-running`, image, 'sleep', '600')
      await panel.stop()
      await panel.start()
      await docker('rm', '--force', (await projectOf(home)).containerId!)
      await until(
        () => runningContainers(`panel.project=${home.id}`),
        (ids) => ids.length === 1
      )
      await untilClean()
      const containers = await docker('ps', '--all', '--filter', `name=${name}`, '--format', '{{.Names}} {{.State}}')
      expect(containers.split('\n').sort()).toEqual([
        `${name}-labelled created`,
        `${name}-plain created`,
        `${name}-running running`
      ])
      expect((await docker('volume', 'ls', '--quiet', '--filter', `name=${name}`)).split('\n')).toHaveLength(2)
      expect(await docker('images', '--quiet', `panel-foreign:${name}`)).not.toBe('')
    } finally {
      await docker('rm', '--force', ...['plain', 'labelled', 'running'].map((suffix) => `${name}-${suffix}`)).catch(
        () => {}
      )
      await docker('volume', 'rm', ...['plain', 'labelled'].map((suffix) => `${name}-${suffix}`)).catch(() => {})
      await docker('rmi', `panel-foreign:${name}`).catch(() => {})
    }
  })
})

describe('a full disk', () => {
  test('below the workspaces: the build fails with the reason, the panel continues and recovers', async () => {
    const site = await user.createSite(git, nodeSite('full'))
    await git.commit(site.repository, { 'large.bin': Buffer.from(noise(2_000_000)) }, 'Large')
    const ballast = join(workspaces, 'ballast')
    const { bavail, bsize } = await statfs(workspaces)
    await writeFile(ballast, Buffer.alloc(bavail * bsize - 64 * 1024)).catch(() => {})
    try {
      const failed = await user.build(site.id)
      expect(failed).toMatchObject({ status: 'FAILED' })
      await untilFailed(site, failed, /^FAILED: .*disk.*full/im)
      expect(await isServing(home, 'home')).toBe(true)
      expect(await user.request('GET', '/projects')).toMatchObject({ status: 200 })
    } finally {
      await rm(ballast)
    }
    expectRunning(await user.build(site.id))
    await user.call('DELETE', `/projects/${site.id}`)
    await untilClean()
  })
})

describe('two panels on one database', () => {
  test('share the work; if one dies, only its deployments fail', async () => {
    const storeUrl = new URL('postgresql://panel@localhost/postgres')
    storeUrl.password = await readFile(join(panel.dataDir, 'postgres', 'password'), 'utf8')
    storeUrl.searchParams.set('host', await makeRuntimeDirectory(join(panel.dataDir, 'postgres')))
    const range = await panel.query<{ port: number }>('select min(port) as port from container_slots')
    const firstPort = Math.floor(range[0]!.port / 50) * 50
    const second = startCommand(['serve'], {
      DATA_DIR: panel.dataDir,
      DATABASE_URL: storeUrl.href,
      PROJECTS_DIR: workspaces,
      MIN_FREE_DISK: '16k',
      PORT: String(await freePort()),
      PROXY_HTTP_PORT: String(panel.proxyPort),
      GIT_EXTRA_HOSTS: `127.0.0.1:${git.port}`,
      BUILD_CONCURRENCY: '1',
      DEPLOY_PORT_RANGE_START: String(firstPort),
      DEPLOY_PORT_RANGE_END: String(firstPort + 49)
    })
    onTestFinished(async () => void (await second.kill('SIGKILL')))
    await second.untilOutput('Panel ready')
    const sites: Site[] = []
    for (const word of ['one', 'two']) sites.push(await user.createSite(git, builtNodeSite(word, 'sleep 300')))
    const pressed = await Promise.all(sites.map(press))
    const workers = await until(
      () =>
        panel.query<{ id: string; worker: number; status: string }>(
          `select id, worker_id as worker, status from deployments where status = 'BUILDING'`
        ),
      (rows) => rows.length === 2
    )
    expect(new Set(workers.map(({ worker }) => worker)).size).toBe(2)
    for (const [index, site] of sites.entries())
      await user.waitFor(site.id, pressed[index]!.id, ({ buildLogs }) => buildLogs?.includes('sleep 300') === true)
    await second.kill('SIGKILL')
    const states = await until(
      () => Promise.all(sites.map((site, index) => see(site, pressed[index]!))),
      (both) => both.some(({ status }) => status === 'FAILED')
    )
    expect(states.map(({ status }) => status).sort()).toEqual(['BUILDING', 'FAILED'])
    const failed = states.findIndex(({ status }) => status === 'FAILED')
    await untilFailed(sites[failed]!, states[failed]!, /The panel stopped while this was BUILDING/)
    const survivor = sites[1 - failed]!
    await user.call('POST', `/projects/${survivor.id}/deployments/${states[1 - failed]!.id}/cancel`)
    await git.commit(survivor.repository, nodeSite('survivor'), 'Quick')
    expectRunning(await user.build(survivor.id))
    for (const site of sites) await user.call('DELETE', `/projects/${site.id}`)
    await untilClean()
  })
})

/** Incompressible bytes. */
function noise(length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  let state = 12_345
  for (let index = 0; index < length; index++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    bytes[index] = state >>> 16
  }
  return bytes
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { Machine, MachineDetails, MovedSite } from '@panel/contract/machines'
import { startGitHttpServer } from '../e2e/support/git-server.ts'
import type { Site } from '../e2e/support/panel.ts'
import { until } from '../e2e/support/poll.ts'
import { makeRootDirectory } from '../e2e/support/root-directory.ts'
import { nodeSite } from '../e2e/support/sites.ts'
import { createSshMachine, type SshMachine } from '../e2e/support/ssh-machine.ts'
import { run } from '../packages/server/src/infra/process/run.ts'
import { median, report } from './figures.ts'
import { startMeasuredPanel } from './panel.ts'
import { step } from './step.ts'

const rounds = 3
const siteCount = 12
const visitMs = 100
/** The panel copies images beforehand, once a minute and one at a time for each machine. */
const copiesMs = 180_000

/** Twelve sites that keep no files, four on each of three machines: for how long visitors get no answer when one fails. */
export async function benchFailures(): Promise<void> {
  const git = await startGitHttpServer()
  const panel = await startMeasuredPanel({
    DATA_DIR: await makeRootDirectory(),
    GIT_EXTRA_HOSTS: `127.0.0.1:${git.port}`
  })
  // The start of the panel has installed what they need.
  const machines = [await createSshMachine(), await createSshMachine()]
  try {
    const admin = await panel.signUp('admin')
    const details = (id: string) => admin.call<MachineDetails>('GET', `/machines/${id}`)
    const isFit = (id: string) => until(async () => (await details(id)).machine, ({ status, problems }) => status === 'ACTIVE' && problems.length === 0) // oxfmt-ignore
    const places: string[] = []
    for (const [index, machine] of machines.entries()) {
      await machine.run('mount', '-t', 'tmpfs', '-o', 'mode=755', 'none', panel.dataDir)
      places.push((await machine.addTo(admin, `m${index + 2}`)).id)
    }
    places.push((await admin.call<{ machines: Machine[] }>('GET', '/machines')).machines.find(({ isOwn }) => isOwn)!.id)
    for (const id of places) await isFit(id)
    const sites = await step(`the first builds of ${siteCount} sites`, async () => {
      const made = Array.from({ length: siteCount }, () => admin.createSite(git, nodeSite('up'), { keepsFiles: false }))
      return Promise.all(made.map(async (site) => (await admin.mustRun((await site).id), site)))
    })
    const answers = async ({ hostname }: Site) =>
      (await panel.visit(hostname).catch(() => undefined))?.body.startsWith('up') ?? false
    const containersOf = async ({ id }: Site) => {
      const list = ['docker', 'ps', '--all', '--quiet', '--filter', `label=panel.project=${id}`] as const
      const own = run(list, { timeoutMs: 30_000 }).then(({ stdout }) => stdout)
      const texts = await Promise.all([own, ...machines.map((machine) => machine.run(...list))])
      return texts.join('\n').split('\n').filter(Boolean)
    }
    const eachIsOnce = async () => {
      for (const site of sites) await until(() => containersOf(site), ({ length }) => length === 1) // oxfmt-ignore
    }
    const spread = async () => {
      const where = new Map<string, string>()
      for (const id of places) for (const { projectId } of (await details(id)).sites) where.set(projectId, id)
      const moves = sites
        .map(({ id: projectId }, index) => ({ projectId, goal: places[index % places.length]! }))
        .filter(({ projectId, goal }) => where.get(projectId) !== goal)
      for (const { projectId, goal } of moves) {
        const { deploymentId } = await admin.call<MovedSite>('POST', `/machines/${goal}/sites`, { projectId })
        const { status, buildLogs } = await admin.waitFor(projectId, deploymentId)
        if (status !== 'RUNNING') throw new Error(buildLogs ?? status)
      }
      await eachIsOnce()
    }
    /** Seconds without an answer, the longest of each site of the first machine, while `fail` and what follows from it happen. */
    const gapsWhile = async (fail: (machine: SshMachine) => Promise<void>) => {
      await spread()
      const visited = sites.filter((_, index) => index % places.length === 0)
      const watches = visited.map((site) => watchAnswers(() => answers(site)))
      await fail(machines[0]!)
      return Promise.all(watches.map((watch) => watch.longestGap()))
    }
    const hasLeft = async () => void (await until(() => details(places[0]!), (found) => found.sites.length === 0)) // oxfmt-ignore
    await step('the images are copied to where the sites would start', async () => (await spread(), sleep(copiesMs)))
    const figures = { power: [] as number[], cut: [] as number[], mended: [] as number[], engine: [] as number[] }
    for (let round = 1; round <= rounds; round++) {
      await step(`round ${round} of ${rounds}: a machine loses its power`, async () => {
        figures.power.push(...(await gapsWhile(async (machine) => (await machine.cutPower(), await hasLeft()))))
        await machines[0]!.boot()
        await isFit(places[0]!)
      })
      await step(`round ${round} of ${rounds}: a machine is cut off`, async () => {
        figures.cut.push(...(await gapsWhile(async (machine) => (await machine.cutOff(), await hasLeft()))))
        const startedAt = performance.now()
        await machines[0]!.reconnect()
        await eachIsOnce()
        figures.mended.push((performance.now() - startedAt) / 1000)
        await isFit(places[0]!)
      })
      await step(`round ${round} of ${rounds}: an engine is killed`, async () => {
        const gaps = await gapsWhile(async (machine) => {
          machine.killEngine()
          await sleep(1_000)
          await machine.startEngine()
          await isFit(places[0]!)
        })
        figures.engine.push(...gaps)
      })
    }
    const most = (values: readonly number[]) => Math.max(...values)
    const gap = (what: string, values: readonly number[], aimSeconds?: number) =>
      report(
        `${what}, median / longest`,
        `${median(values).toFixed(1)} / ${most(values).toFixed(1)} s`,
        aimSeconds === undefined ? undefined : { value: most(values) / aimSeconds, aim: `<= 1x of ${aimSeconds} s` }
      )
    gap('without an answer after a machine lost its power', figures.power, 20)
    gap('without an answer after a machine was cut off', figures.cut, 20)
    gap('without an answer after an engine was killed', figures.engine)
    gap('from the end of the cut to one container of each site', figures.mended)
  } finally {
    await panel.dispose()
    await git.stop()
    for (const machine of machines) await machine.remove()
  }
}

/** Asks again and again, one question at a time. */
function watchAnswers(ask: () => Promise<boolean>) {
  let longest = 0
  let goodAt = performance.now()
  let isOver = false
  const watching = (async () => {
    // Until it answers again.
    for (let isGood = true; !isOver || !isGood; await sleep(visitMs)) {
      isGood = await ask()
      const now = performance.now()
      if (!isGood) continue
      longest = Math.max(longest, now - goodAt)
      goodAt = now
    }
  })()
  return {
    async longestGap(): Promise<number> {
      isOver = true
      await watching
      return longest / 1000
    }
  }
}

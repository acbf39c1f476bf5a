import type { Project } from '@panel/contract/projects'
import { startGitHttpServer } from '../e2e/support/git-server.ts'
import { until } from '../e2e/support/poll.ts'
import { nodeSite } from '../e2e/support/sites.ts'
import { median, report } from './figures.ts'
import { usageByProgram } from './idle.ts'
import { type RunningPanel, startMeasuredPanel } from './panel.ts'
import { requestsPerSecond } from './requests.ts'
import { step } from './step.ts'

const rounds = 3
const many = 10
const name = 'bench-instances'

const createFigures = () => ({
  switchMs: [] as number[],
  requestsPerSecond: [] as number[],
  proxyMegabytes: [] as number[],
  panelMegabytes: [] as number[]
})
type Figures = ReturnType<typeof createFigures>

/** Ten instances of a site against one: requests through the proxy, a switch to new containers, memory of HAProxy and of the panel. */
export async function benchInstances(): Promise<void> {
  const git = await startGitHttpServer()
  const panel = await startMeasuredPanel({ GIT_EXTRA_HOSTS: `127.0.0.1:${git.port}` })
  const user = await panel.signUp()
  try {
    await git.createRepository('bench/site', nodeSite('0'))
    const { id } = await user.createProject({ name, type: 'NODEJS' })
    await user.call('POST', `/projects/${id}/git/connect`, { gitUrl: git.url('bench/site'), branch: 'main' })
    await step('the first build, which makes the base image', () => user.build(id))
    const project = () => user.call<Project>('GET', `/projects/${id}`)
    /** Another size replaces all containers without a build. */
    const replace = async (memoryMb: number, instances: number) => {
      const { containerId } = await project()
      await user.call('PUT', `/projects/${id}`, { instances, size: { memoryMb, cpus: 1, pids: 64 } })
      await until(project, (now) => now.containerId !== containerId && now.state === 'RUNNING')
    }
    const figures = { one: createFigures(), many: createFigures() }
    for (let round = 1; round <= rounds; round++)
      for (const [instances, of] of [
        [1, figures.one],
        [many, figures.many]
      ] as const)
        await step(`round ${round} of ${rounds}: instances ${instances}`, async () => {
          await replace(128, instances)
          const started = performance.now()
          await replace(129, instances)
          of.switchMs.push(performance.now() - started)
          of.requestsPerSecond.push(await requestsPerSecond(panel.proxyPort, name))
          await addMemory(panel, of)
        })
    reportAll(figures.one, figures.many)
  } finally {
    await panel.dispose()
    await git.stop()
  }
}

async function addMemory(panel: RunningPanel, { proxyMegabytes, panelMegabytes }: Figures): Promise<void> {
  const usage = await usageByProgram(panel)
  const megabytesOf = (...programs: string[]) =>
    programs.reduce((sum, program) => sum + (usage.get(program)?.bytes ?? 0), 0) / 2 ** 20
  proxyMegabytes.push(megabytesOf('HAProxy'))
  panelMegabytes.push(megabytesOf('Node.js (worker)', 'Node.js (API)'))
}

function reportAll(one: Figures, ten: Figures): void {
  const compare = (what: string, member: keyof Figures, unit: string) => {
    const [few, more] = [median(one[member]), median(ten[member])]
    report(`${what}, ${many} instances / one`, `${more.toFixed(0)} / ${few.toFixed(0)} ${unit}`, { value: more / few })
  }
  compare('requests through the proxy', 'requestsPerSecond', 'per second')
  compare('switch to new containers', 'switchMs', 'ms')
  compare('memory of HAProxy', 'proxyMegabytes', 'MB')
  compare('memory of the panel', 'panelMegabytes', 'MB')
}

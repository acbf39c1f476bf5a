import { execFile } from 'node:child_process'
import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Project } from '@panel/contract/projects'
import { startGitHttpServer } from '../e2e/support/git-server.ts'
import { nodeSite } from '../e2e/support/sites.ts'
import { until } from '../e2e/support/poll.ts'
import { median, report } from './figures.ts'
import { startMeasuredPanel } from './panel.ts'
import { timed } from './requests.ts'
import { step } from './step.ts'

const execute = promisify(execFile)
const rounds = 7

/** A request that wakes its site, against `docker start` of the same container until it answers on its host port. */
export async function benchWake(): Promise<void> {
  const git = await startGitHttpServer()
  const panel = await startMeasuredPanel({ GIT_EXTRA_HOSTS: `127.0.0.1:${git.port}` })
  const user = await panel.signUp()
  try {
    await git.createRepository('bench/site', nodeSite('0'))
    const { id } = await user.createProject({ name: 'bench-wake', type: 'NODEJS' })
    await user.call('POST', `/projects/${id}/git/connect`, { gitUrl: git.url('bench/site'), branch: 'main' })
    await step('the first build, which makes the base image', () => user.build(id))
    await user.call('PUT', `/projects/${id}`, { sleepAfterMinutes: 1_440 })
    const { containerId, internalPort } = await user.call<Project>('GET', `/projects/${id}`)
    const fallAsleep = () =>
      until(
        () => user.request('POST', `/projects/${id}/sleep`),
        ({ status }) => status === 200
      )
    const times = { bare: [] as number[], panel: [] as number[] }
    for (let round = 1; round <= rounds; round++)
      await step(`wake-up ${round} of ${rounds}`, async () => {
        await fallAsleep()
        times.bare.push(
          await timed(async () => {
            await execute('/usr/bin/docker', ['start', containerId!])
            while (!(await isAnswering(internalPort!))) await sleep(10)
          })
        )
        await user.call('POST', `/projects/${id}/container/start`)
        await fallAsleep()
        times.panel.push(await timed(() => panel.visit('bench-wake.apps.localhost')))
      })
    report('docker start to the first answer', `${median(times.bare).toFixed(0)} ms`)
    report('wake-up by a request, to its answer', `${median(times.panel).toFixed(0)} ms`, {
      value: median(times.panel) / median(times.bare),
      aim: '<= 2x'
    })
  } finally {
    await panel.dispose()
    await git.stop()
  }
}

const isAnswering = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    get({ host: '127.0.0.1', port, agent: false }, (response) => resolve(response.resume().statusCode === 200)).on(
      'error',
      () => resolve(false)
    )
  })

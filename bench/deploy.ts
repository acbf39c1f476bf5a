import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { startGitHttpServer } from '../e2e/support/git-server.ts'
import { startMeasuredPanel } from './panel.ts'
import { nodeSite } from '../e2e/support/sites.ts'
import { median, report } from './figures.ts'
import { timed } from './requests.ts'
import { step } from './step.ts'
import { createDockerEngine } from '../packages/server/src/infra/container-engine/docker.ts'
import { freePort } from '../packages/server/test/support/ports.ts'

const execute = promisify(execFile)
const rounds = 7
/** Builds in the same way as the panel does with it. */
const engine = createDockerEngine({ socketPath: '/var/run/docker.sock' })
/** Of the image and of its container. An image without a name of its own would stay behind. */
const bareName = (round: number) => `panel-bench-bare-${round}`

/** From a push to the first answer, against a bare clone + docker build + docker run of the same repository. */
export async function benchDeploy(): Promise<void> {
  const git = await startGitHttpServer()
  const panel = await startMeasuredPanel({ GIT_EXTRA_HOSTS: `127.0.0.1:${git.port}`, DEPLOY_DRAIN_SECONDS: '0' })
  const user = await panel.signUp()
  try {
    await git.createRepository('bench/site', nodeSite('0'))
    const project = await user.createProject({ name: 'bench-site', type: 'NODEJS' })
    await user.call('POST', `/projects/${project.id}/git/connect`, { gitUrl: git.url('bench/site'), branch: 'main' })
    await step('the first build, which makes the base image', () => user.build(project.id))
    const times = { bare: [] as number[], panel: [] as number[] }
    for (let round = 1; round <= rounds; round++) {
      await git.commit('bench/site', nodeSite(`version ${round}`), 'Change')
      await step(`bare deployment ${round} of ${rounds}`, async () => {
        try {
          times.bare.push(await timed(() => bareDeploy(git.url('bench/site'), bareName(round))))
        } finally {
          await execute('/usr/bin/docker', ['rm', '--force', bareName(round)]).catch(() => {}) // It may not have been made.
        }
      })
      await step(`deployment ${round} of ${rounds}`, async () => {
        times.panel.push(
          await timed(async () => {
            const deployment = await user.build(project.id)
            if (deployment.status !== 'RUNNING') throw new Error(deployment.buildLogs ?? '')
            const { body } = await panel.visit('bench-site.apps.localhost')
            if (!body.includes(`version ${round}`)) throw new Error(`the old version answers: ${body}`)
          })
        )
      })
    }
    report('bare clone + build + run', `${median(times.bare).toFixed(0)} ms`)
    report('panel, build to answer through the proxy', `${median(times.panel).toFixed(0)} ms`, {
      value: median(times.panel) / median(times.bare),
      aim: '<= 1.3x'
    })
  } finally {
    await panel.dispose()
    await git.stop()
    const images = Array.from({ length: rounds }, (_, index) => bareName(index + 1))
    await execute('/usr/bin/docker', ['image', 'rm', '--force', ...images]).catch(() => {}) // The same.
  }
}

const dockerfile = `FROM node:24-trixie-slim
WORKDIR /app
COPY package.json ./
RUN npm install --omit=dev --no-audit --no-fund
COPY . .
CMD ["npm", "start"]
`

async function bareDeploy(url: string, name: string): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'panel-bare-'))
  const port = await freePort()
  try {
    await execute('git', ['clone', '--quiet', '--depth', '1', url, join(directory, 'site')])
    await writeFile(join(directory, 'site/Dockerfile'), dockerfile)
    await execute('/usr/bin/docker', ['build', '--quiet', '--tag', name, join(directory, 'site')], {
      env: { ...process.env, DOCKER_BUILDKIT: (await engine.findBuilder()).kind === 'buildkit' ? '1' : '0' }
    })
    await execute('/usr/bin/docker', [
      'run',
      '--detach',
      '--init',
      '--name',
      name,
      '--env',
      'PORT=3000',
      '--publish',
      `127.0.0.1:${port}:3000`,
      name
    ])
    while (!(await answers(port))) await sleep(10)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get({ host: '127.0.0.1', port, agent: false, timeout: 1_000 }, (response) => {
      response.resume()
      resolve(true)
    })
    request.on('timeout', () => request.destroy())
    request.on('error', () => resolve(false))
  })
}

import { buildImage } from '../e2e/support/engine.ts'
import {
  filesOf,
  type FrameworkProject,
  frameworkProjects,
  nativeProjects,
  pythonDockerfile,
  pythonImage
} from '../e2e/support/frameworks.ts'
import { type GitHttpServer, startGitHttpServer } from '../e2e/support/git-server.ts'
import { type Client, type RunningPanel, startMeasuredPanel } from './panel.ts'
import { prepareImages } from './engine.ts'
import { report } from './figures.ts'
import { step } from './step.ts'

/**
 * How long a small project of each framework takes from the request for a build to its page: cold, where its packages come from the
 * registry, and with a change of one source file. `names`: those alone.
 */
export async function benchFrameworks(names: readonly string[]): Promise<void> {
  await step('building the images', async () => {
    await prepareImages()
    await buildImage(pythonImage, pythonDockerfile)
  })
  const git = await startGitHttpServer()
  const panel = await startMeasuredPanel({
    BUILD_IMAGE_PYTHON: pythonImage,
    GIT_EXTRA_HOSTS: `127.0.0.1:${git.port}`,
    DEPLOY_DRAIN_SECONDS: '0',
    DEPLOY_MEMORY_LIMIT: '512m'
  })
  const failed: string[] = []
  try {
    const user = await panel.signUp()
    for (const project of [...frameworkProjects, ...natives]) {
      if (names.length > 0 && !names.includes(project.name)) continue
      const [cold, changed] = await measure({ git, panel, user }, project).catch((error: unknown) => {
        failed.push(project.name)
        console.log(`${project.name}: ${error instanceof Error ? error.message.slice(-3000) : String(error)}`)
        return [undefined, undefined]
      })
      if (cold !== undefined && changed !== undefined)
        report(project.name, `${cold.toFixed(1)} s cold, ${changed.toFixed(1)} s with a change of source`, {
          value: changed / cold,
          aim: '<= 0.5x'
        })
    }
  } finally {
    await panel.dispose()
    await git.stop()
  }
  if (failed.length > 0) throw new Error(`without a page: ${failed.join(', ')}`)
}

/** As long as a build may take by default. */
const waitMs = 1_800_000

interface Environment {
  git: GitHttpServer
  panel: RunningPanel
  user: Client
}

/** Seconds. */
async function measure({ git, panel, user }: Environment, project: FrameworkProject): Promise<[number, number]> {
  const site = await user.createSite(git, filesOf(project, 'one'), { type: project.type })
  const cold = await step(`${project.name}: cold`, () => seconds(() => deploy(user, panel, site, project, 'one')))
  await git.commit(site.repository, { [project.source.path]: project.source.text('two') }, 'Change')
  const rebuild = () => seconds(() => deploy(user, panel, site, project, 'two'))
  const changed = await step(`${project.name}: with a change of source`, rebuild)
  await user.call('DELETE', `/projects/${site.id}`)
  return [cold, changed]
}

async function deploy(
  user: Client,
  panel: RunningPanel,
  { id, hostname }: { id: string; hostname: string },
  { found, page, names }: FrameworkProject,
  word: string
): Promise<void> {
  const { status, buildLogs } = await user.build(id, waitMs)
  if (status !== 'RUNNING' || !buildLogs?.includes(`Found ${found}`)) throw new Error(buildLogs ?? status)
  const { body } = await panel.visit(hostname, page)
  const named = names?.exec(body)?.[0]
  const isWhole = names === undefined || (named !== undefined && (await panel.visit(hostname, named)).status === 200)
  if (!body.includes(word) || !isWhole) throw new Error(`not the page: ${body.slice(0, 500)}`)
}

/** Their servers answer with `word` besides. */
const natives: readonly FrameworkProject[] = nativeProjects.map(({ name, files }) => ({
  name: `${name} (native)`,
  type: 'NODEJS',
  found: 'Node.js with npm',
  files,
  source: {
    path: 'server.js',
    text: (word) => files['server.js']!.toString().replace('response.end(text)', `response.end(text + ' ${word}')`)
  }
}))

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1000
}

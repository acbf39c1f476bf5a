import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sampleRepository } from '../config/git.ts'
import type { Dependencies } from '../dependencies.ts'
import { register } from '../features/auth/auth.service.ts'
import { getDeployment, requestBuild } from '../features/deployments/deployments.service.ts'
import { findProject, findProjectNamed } from '../features/projects/project-access.ts'
import { type CommandContext, step } from './command.ts'
import { createAgency, type DemoProject, firstSite } from './demo-agency.ts'
import { addressOf, siteUrl } from './panel-addresses.ts'
import { startEverything } from './start-everything.ts'
import { runUntilStopped } from './until-stopped.ts'

const projectName = 'sample'

/** `./panel demo`: `up`, plus a deployment of the sample repository in this checkout. */
export async function demo({ env, root }: CommandContext): Promise<void> {
  await runUntilStopped(async (signal) => {
    const git = await startDemoGitServer(join(root, 'deploy/sample'), resolve(env.DATA_DIR || './data'), run)
    const hosts = [env.GIT_EXTRA_HOSTS, git.host].filter((host) => host).join(',')
    // The sample site needs no mail, and demo machines often lack the mail ports.
    const { panel, close } = await startEverything({ ...env, MAIL: env.MAIL || 'off', GIT_EXTRA_HOSTS: hosts }, signal)
    try {
      const site = await deployAgency(panel.deps, signal)
      process.stdout.write(`Sample site: ${site}/\nPanel ready: ${addressOf(panel)}\n`)
    } catch (error) {
      await close()
      throw error
    }
    return close
  })
}

async function deploySample(deps: Dependencies, gitUrl: string, signal: AbortSignal): Promise<string> {
  const { userId, id } = await findOrCreateProject(deps)
  await connectGit(deps, {}, userId, id, { gitUrl, branch: 'main', isPrivate: false })
  step('Building and deploying the sample site')
  const deployment = await requestBuild(deps, {}, userId, id, null)
  const ended = await waitForEnd(deps, { userId, projectId: id, deploymentId: deployment.id, signal })
  if (ended.status !== 'RUNNING') throw new Error(`The sample site could not be deployed:\n${ended.buildLogs ?? ''}`)
  const project = await findProject(deps.db, id)
  return siteUrl(deps.config, project!.deployedDomain!)
}

/** The demo account; on a fresh installation it is the first account and therefore ADMIN. */
async function findOrCreateProject(deps: Dependencies): Promise<{ userId: string; id: string }> {
  const found = await findProjectNamed(deps.db, projectName)
  if (found) return found
  const password = randomBytes(12).toString('base64url')
  const email = `demo-${randomBytes(3).toString('hex')}@example.com`
  const { user } = await register(deps, {}, { name: 'Demo', email, password, confirmPassword: password }, true)
  process.stdout.write(`Demo account: ${email}, password: ${password}\n`)
  const project = await createProject(deps, {}, user.id, { name: projectName, type: 'NODEJS' })
  return { userId: user.id, id: project.id }
}

async function waitForEnd(
  deps: Dependencies,
  wanted: { userId: string; projectId: string; deploymentId: string; signal: AbortSignal }
) {
  for (;;) {
    const deployment = await getDeployment(deps, wanted.userId, wanted)
    if (!['QUEUED', 'BUILDING', 'DEPLOYING'].includes(deployment.status)) return deployment
    await sleep(200, undefined, { signal: wanted.signal })
  }
}

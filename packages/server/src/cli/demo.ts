import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sampleRepository } from '../config/git.ts'
import type { Dependencies } from '../dependencies.ts'
import { register } from '../features/auth/auth.service.ts'
import { getDeployment, requestBuild } from '../features/deployments/deployments.service.ts'
import { findProject, findProjectNamed } from '../features/projects/project-access.ts'
import { findUserByEmail } from '../features/users/account-access.ts'
import { type CommandContext, step } from './command.ts'
import { createAgency, type DemoProject } from './demo-agency.ts'
import { firstSite } from './demo-sites.ts'
import { addressOf, siteUrl } from './panel-addresses.ts'
import { startEverything } from './start-everything.ts'
import { runUntilStopped } from './until-stopped.ts'

const agency = { name: 'Lena Fischer', email: 'lena@fischer-web.example' }

/** `./panel demo`: `up` with a small agency in it. */
export async function demo({ env, root }: CommandContext): Promise<void> {
  await runUntilStopped(async (signal) => {
    const { panel, close } = await startEverything({ env, root }, signal)
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

/** Resolves with the address of the first site once it is live. */
async function deployAgency(deps: Dependencies, signal: AbortSignal): Promise<string> {
  step('Building and deploying the sample sites')
  const known = await findProjectNamed(deps.db, firstSite)
  const { userId, project } = known
    ? { userId: known.userId, project: await redeploy(deps, known) }
    : await createDemoAccount(deps)
  const ended = await waitForEnd(deps, { userId, projectId: project.id, deploymentId: project.deploymentId, signal })
  if (ended.status !== 'RUNNING') throw new Error(`The sample site was not deployed:\n${ended.buildLogs ?? ''}`)
  const { deployedDomain } = (await findProject(deps.db, project.id))!
  return siteUrl(deps.config, deployedDomain!)
}

async function redeploy(deps: Dependencies, { userId, id }: { userId: string; id: string }): Promise<DemoProject> {
  const deployment = await requestBuild(deps, {}, userId, id, {})
  return { id, deploymentId: deployment.id }
}

/** On a fresh installation its account is the first one, so it is the administrator. */
async function createDemoAccount(deps: Dependencies): Promise<{ userId: string; project: DemoProject }> {
  const password = randomBytes(12).toString('base64url')
  const isTaken = (await findUserByEmail(deps.db, agency.email)) !== undefined
  const email = isTaken ? `lena-${randomBytes(3).toString('hex')}@fischer-web.example` : agency.email
  const { user } = await register(deps, {}, { name: agency.name, email, password, confirmPassword: password }, true)
  process.stdout.write(`Demo account: ${email} with the password ${password}\n`)
  return { userId: user.id, project: await createAgency(deps, user.id, sampleRepository(deps.config)!) }
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

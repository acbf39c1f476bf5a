import { randomBytes } from 'node:crypto'
import type { Dependencies } from '../dependencies.ts'
import { requestBuild } from '../features/deployments/deployments.service.ts'
import { setEnvVars } from '../features/env-vars/env-vars.service.ts'
import { createProject } from '../features/projects/projects.service.ts'
import { createAccount } from '../features/users/users.service.ts'
import { messageOf } from '../text/message-of.ts'
import { step } from './command.ts'
import { addDomains } from './demo-domains.ts'
import { addFigures } from './demo-figures.ts'
import { addMail } from './demo-mail.ts'
import { firstSite, sites } from './demo-sites.ts'

const customers = [
  { name: 'Brandt Bakery', email: 'anna@brandt-bakery.example', maxProjects: 3, maxDomains: 5 },
  { name: 'Studio North', email: 'office@studio-north.example', maxProjects: 2, maxDomains: 3 },
  { name: 'Weber Travel', email: 'it@weber-travel.example', maxProjects: 5, maxDomains: 10 }
]

export interface DemoProject {
  id: string
  deploymentId: string
}

/**
 * A small agency: customers, sites with a day of traffic, a build that fails, domains with a certificate that expires
 * soon, and mail. Resolves with the first site.
 */
export async function createAgency(deps: Dependencies, userId: string, gitUrl: string): Promise<DemoProject> {
  const session = { id: 'demo', userId }
  for (const customer of customers) {
    const password = randomBytes(12).toString('base64url')
    await createAccount(deps, {}, session, { ...customer, password, role: 'USER' })
  }
  const projects = await createSites(deps, userId, gitUrl)
  const projectIds = new Map([...projects].map(([name, { id }]) => [name, id]))
  await addFigures(deps, projectIds)
  const { mailDomainId } = await addDomains(deps, userId, projectIds)
  if (deps.config.MAIL)
    await addMail(deps, userId, mailDomainId).catch((error: unknown) =>
      step(`The demo is without messages: ${messageOf(error)}`)
    )
  return projects.get(firstSite)!
}

async function createSites(
  deps: Dependencies,
  userId: string,
  gitUrl: string
): Promise<ReadonlyMap<string, DemoProject>> {
  const projects = new Map<string, DemoProject>()
  for (const { name, greeting, busiest } of sites) {
    const project = await createProject(deps, {}, userId, {
      name,
      type: 'NODEJS',
      gitUrl,
      branch: 'main',
      ...(busiest === 0 && { buildCmd: 'npm run build' })
    })
    await setEnvVars(deps, {}, userId, { projectId: project.id }, { key: 'GREETING', value: greeting })
    const { id } = await requestBuild(deps, {}, userId, project.id, {})
    projects.set(name, { id: project.id, deploymentId: id })
  }
  return projects
}

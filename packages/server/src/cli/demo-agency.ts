import { randomBytes } from 'node:crypto'
import type { Dependencies } from '../dependencies.ts'
import { createDomain } from '../features/domains/domains.service.ts'
import { requestBuild } from '../features/deployments/deployments.service.ts'
import { setEnvVars } from '../features/env-vars/env-vars.service.ts'
import { createProject } from '../features/projects/projects.service.ts'
import { saveTraffic } from '../features/traffic/traffic.repository.ts'
import { createAccount } from '../features/users/users.service.ts'
import { noTimes, packTimes, stepOf } from '../time/response-times.policy.ts'

interface Site {
  name: string
  greeting: string
  /** Requests in the busiest hour; 0 for a site whose build fails. */
  busiest: number
  typicalMs: number
  /** Of a thousand requests. */
  errors: number
}

const sites: readonly Site[] = [
  { name: 'bakery-shop', greeting: 'Brandt Bakery', busiest: 2_400, typicalMs: 60, errors: 1 },
  { name: 'studio-north', greeting: 'Studio North', busiest: 800, typicalMs: 25, errors: 0 },
  { name: 'booking-api', greeting: 'Weber Travel', busiest: 1_100, typicalMs: 190, errors: 23 },
  { name: 'weber-shop', greeting: 'Weber Travel Shop', busiest: 0, typicalMs: 0, errors: 0 }
]

/** The project by which a later start finds the demo again. */
export const firstSite = sites[0]!.name

const customers = [
  { name: 'Brandt Bakery', email: 'owner@brandt-bakery.example', maxProjects: 3, maxDomains: 5 },
  { name: 'Studio North', email: 'office@studio-north.example', maxProjects: 2, maxDomains: 3 },
  { name: 'Weber Travel', email: 'it@weber-travel.example', maxProjects: 5, maxDomains: 10 }
]

export interface DemoProject {
  id: string
  deploymentId: string
}

/** A small agency: customers, sites with a day of traffic, one build that fails, and a domain that waits for its record. */
export async function createAgency(deps: Dependencies, userId: string, gitUrl: string): Promise<DemoProject[]> {
  const session = { id: 'demo', userId }
  for (const customer of customers) {
    const password = randomBytes(12).toString('base64url')
    await createAccount(deps, {}, session, { ...customer, password, role: 'USER' })
  }
  const projects: DemoProject[] = []
  for (const { name, greeting, busiest } of sites) {
    const project = await createProject(deps, {}, userId, {
      name,
      type: 'NODEJS',
      gitUrl,
      branch: 'main',
      ...(busiest === 0 && { buildCmd: 'npm run build-the-shop' })
    })
    await setEnvVars(deps, {}, userId, project.id, { key: 'GREETING', value: greeting })
    const { id } = await requestBuild(deps, {}, userId, project.id, null)
    projects.push({ id: project.id, deploymentId: id })
  }
  await createDomain(deps, {}, userId, { hostname: 'www.brandt-bakery.example', projectId: projects[0]!.id })
  await addTraffic(deps, projects)
  return projects
}

const quarterMs = 15 * 60_000

/** Invented figures of the last 24 hours: quiet at night, busiest in the afternoon. */
async function addTraffic({ db, nodeId, now, config }: Dependencies, projects: readonly DemoProject[]): Promise<void> {
  const end = Math.floor(now().getTime() / quarterMs) * quarterMs
  for (let at = end - 24 * 3_600_000; at < end; at += quarterMs) {
    const hour = new Date(at).getUTCHours()
    const share = 0.15 + 0.85 * Math.max(0, Math.sin(((hour - 6) / 16) * Math.PI))
    const counted = sites.flatMap(({ busiest, typicalMs, errors }, index) => {
      const requests = Math.round((busiest / 4) * share * (0.9 + 0.2 * Math.random()))
      if (requests === 0) return []
      const times = noTimes()
      times[stepOf(typicalMs)] = Math.round(requests * 0.8)
      times[stepOf(typicalMs * 3)] = requests - Math.round(requests * 0.8)
      return [
        {
          site: projects[index]!.id,
          requests,
          clientErrors: Math.round(requests / 50),
          serverErrors: Math.round((requests * errors) / 1_000),
          bytesIn: requests * 600,
          bytesOut: requests * 18_000,
          milliseconds: requests * typicalMs,
          times: packTimes(times)
        }
      ]
    })
    const batch = { id: `demo-${at}`, at: new Date(at), sites: counted, lost: 0 }
    await saveTraffic(db, batch, { nodeId, namedSites: config.METRICS_SITES })
  }
}

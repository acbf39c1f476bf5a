import { Id } from '@panel/contract/common'
import type { Explanation } from '@panel/contract/explain'
import { z } from 'zod'
import { createConcurrencyLimit } from '../../concurrency/concurrency-limit.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import { parseDomainName, probedName } from '../domains/hostname.policy.ts'
import { ownHostnames } from '../domains/panel-name.service.ts'
import { getActor } from '../users/account-access.ts'
import { explain } from './explanation.policy.ts'
import {
  type DomainFacts,
  findDomainOf,
  findLastDeployment,
  findProjectFacts,
  findProjectNamed,
  type ProjectFacts
} from './known-host.repository.ts'
import type { ProjectObservations, RouteObservations } from './observations.types.ts'
import { observeDns } from './observe-dns.service.ts'
import { observeCertificate, observeServer } from './observe-server.service.ts'
import { observeContainer, observePage, readLog } from './observe-site.service.ts'
import { routeStep } from './server-steps.policy.ts'
import { containerStep } from './site-steps.policy.ts'

export type ExplainDeps = Pick<
  Dependencies,
  'acme' | 'config' | 'db' | 'engine' | 'features' | 'network' | 'nodeId' | 'nodes' | 'now' | 'publicDns' | 'secretBox'
>

const timeoutMs = 60_000

// Each sends about twenty DNS queries and a few requests. Per process.
const limit = createConcurrencyLimit({ total: 8, perKey: 2, what: 'site checks' })

/** For the account of the host, and for an ADMIN; 404 for anyone else, as for a host that this panel does not know. */
export const explainHost = workerVerb(
  'explain.host',
  [Id, z.string().max(253)],
  async (deps: ExplainDeps, userId: string, host: string): Promise<Explanation> => {
    const { role } = await getActor(deps.db, userId)
    const viewer = { userId, isAdmin: role === 'ADMIN' }
    const subject = await findSubject(deps, host, viewer)
    return limit.run(userId, () => explainSubject(deps, subject, subject.project?.userId === userId))
  },
  { timeoutMs: 2 * timeoutMs }
)

/** On the machine itself: any host of this panel, with its log. */
export const explainAnyHost = async (deps: ExplainDeps, host: string): Promise<Explanation> =>
  explainSubject(deps, await findSubject(deps, host, undefined), true)

interface Subject {
  hostname: string
  domain: DomainFacts | undefined
  project: ProjectFacts | undefined
  isPanel: boolean
}

async function findSubject(
  { config, db }: Pick<ExplainDeps, 'config' | 'db'>,
  host: string,
  viewer: { userId: string; isAdmin: boolean } | undefined
): Promise<Subject> {
  const parsed = parseDomainName(host.trim())
  if ('problem' in parsed) throw new AppError('VALIDATION_ERROR', `host: ${parsed.problem}`)
  const { hostname } = parsed
  const owner = viewer === undefined || viewer.isAdmin ? undefined : viewer.userId
  const isPanel = owner === undefined && ownHostnames(config).includes(hostname)
  const [domain, named] = await Promise.all([findDomainOf(db, hostname, owner), findProjectNamed(db, hostname, owner)])
  if (!domain && !named && !isPanel)
    throw new AppError(
      'NOT_FOUND',
      `No site of this panel has the name ${hostname}. Check the spelling, or add the domain.`
    )
  const attached = domain?.projectId == null ? undefined : await findProjectFacts(db, domain.projectId)
  return { hostname: probedName(hostname), domain, project: attached ?? named, isPanel }
}

async function explainSubject(deps: ExplainDeps, subject: Subject, isLogVisible: boolean): Promise<Explanation> {
  const { hostname, domain, project, isPanel } = subject
  const signal = AbortSignal.timeout(timeoutMs)
  const [{ dns, unreachable }, server, certificate, route] = await Promise.all([
    observeDns(deps, hostname, domain, signal),
    observeServer(deps),
    observeCertificate(deps, hostname, signal),
    observeRoute(deps, subject)
  ])
  const isRouted = routeStep(route).status === 'OK'
  // To look at a sleeping site would wake it.
  const container =
    isRouted && project && !isPanel && project.asleepSince === null
      ? await observeContainer(deps, project, hostname, signal)
      : null
  const isServed = isRouted && server.isProxyUp && (isPanel || containerStep(container).status === 'OK')
  const [page, lines] = await Promise.all([
    isServed ? observePage(deps, hostname) : null,
    project && isLogVisible ? readLog(deps, project) : null
  ])
  const log = project?.containerId != null && !isLogVisible ? 'private' : lines
  return {
    hostname,
    domainId: domain?.id ?? null,
    projectId: project?.id ?? null,
    ...explain({ dns, server: { ...server, unreachable }, certificate, route, container, page, log }, deps.now()),
    log: lines ?? []
  }
}

async function observeRoute({ db }: Pick<ExplainDeps, 'db'>, subject: Subject): Promise<RouteObservations> {
  const { hostname, domain, project, isPanel } = subject
  return {
    hostname,
    kind: isPanel ? 'panel' : 'site',
    domain: domain ? { hostname: domain.hostname, isVerified: domain.status === 'ACTIVE' } : null,
    project: project ? await observeProject(db, project) : null
  }
}

async function observeProject(db: ExplainDeps['db'], project: ProjectFacts): Promise<ProjectObservations> {
  const last = await findLastDeployment(db, project.id)
  return {
    name: project.name,
    isStopped: project.status === 'STOPPED',
    isAsleep: project.asleepSince !== null,
    stopReason: project.stopReason,
    isSuspended: project.stoppedBySuspension,
    isDeployed: project.liveDeploymentId !== null,
    isDeploying: last.isOpen,
    isLastDeploymentFailed: last.isFailed
  }
}

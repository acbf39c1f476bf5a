import { failureTexts } from '@panel/contract/failure-texts'
import { sentenceText } from '@panel/contract/sentences'
import { signalWithin } from '../../concurrency/time-limit.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { Endpoint } from '../../infra/container-engine/container-engine.ts'
import { messageOf } from '../../text/message-of.ts'
import { listInstances } from '../containers/instances.service.ts'
import { waitUntilReady } from '../containers/readiness.service.ts'
import { appendLog } from '../deployments/deployment-access.ts'
import { siteHostname } from '../domains/hostname.policy.ts'
import { applyProjectRoutes } from '../domains/routing.service.ts'
import { listOfProjects } from '../hooks.ts'
import { onMachine } from '../nodes/on-machine.service.ts'
import type { ProjectRow } from '../projects/project-access.ts'
import { findSiteAt } from './sleep.repository.ts'
import { endpointsOf, oneAtATime, wakeRow } from './sleep.service.ts'

// The proxy gives up after 110 s (haproxy-instances.render.ts).
const longestMs = 100_000
// The proxy asks again for a site that did not start, and must not start it again for each request.
const rememberedMs = 2_000

/** Opens the gate at which the proxy holds requests for sleeping sites. */
export function openWakeGate(deps: Dependencies) {
  const wakes = new Map<string, Promise<boolean>>()
  const ended = new AbortController()
  const gate = deps.wakeGate.open((endpoint) => {
    const key = `${endpoint.address}:${endpoint.port}`
    const known = wakes.get(key)
    if (known) return known.then(() => undefined)
    const signal = signalWithin(longestMs, ended.signal)
    const wake = wakeAt(deps, endpoint, signal).catch((error: unknown) => {
      deps.logger.warn({ error: messageOf(error), ...endpoint }, 'a sleeping site could not be woken')
      return false
    })
    wakes.set(key, wake)
    return wake.then((isAwake) => {
      // A site that woke may fall asleep again at once.
      if (isAwake) wakes.delete(key)
      else setTimeout(() => wakes.delete(key), rememberedMs).unref()
    })
  })
  return {
    async close() {
      ended.abort()
      await gate.close()
    }
  }
}

async function wakeAt(deps: Dependencies, endpoint: Endpoint, signal: AbortSignal): Promise<boolean> {
  const projectId = await findSiteAt(deps.db, deps.nodeId, endpoint)
  return projectId !== undefined && oneAtATime(projectId, () => wakeSite(deps, projectId, signal))
}

/** Also for a site that counts as awake: a killed panel may have left its container stopped, or its route as it was. */
async function wakeSite(deps: Dependencies, projectId: string, signal: AbortSignal): Promise<boolean> {
  if ((await listOfProjects(deps, 'listHeld')).includes(projectId)) return false
  const project = await wakeRow(deps, projectId)
  if (!project) return false
  try {
    return await startInstances(deps, project, signal)
  } finally {
    // Also if it did not start: from here on it is like any other site that does not answer.
    await applyProjectRoutes(deps, projectId)
  }
}

async function startInstances(deps: Dependencies, project: ProjectRow, signal: AbortSignal): Promise<boolean> {
  const there = await onMachine(deps, project.nodeId)
  const [ids, endpoints] = await Promise.all([listInstances(there, project), endpointsOf(deps, project)])
  const problems = await Promise.all(
    ids.map(async (id, at) => {
      await there.engine.startContainer(id)
      return waitUntilReady(there.engine, id, endpoints[at]!, {
        health: project.health,
        hostname: siteHostname(deps.config, project),
        timeoutSeconds: deps.config.DEPLOY_START_TIMEOUT,
        signal
      })
    })
  )
  const problem = problems.find((each) => each !== undefined)
  if (problem === undefined) return true
  const reason = sentenceText(failureTexts, [problem])
  deps.logger.warn({ projectId: project.id, reason }, 'a sleeping site did not start')
  await appendLog(deps.db, project.liveDeploymentId!, `\nThe site did not start when a request woke it: ${reason}\n`)
  return false
}

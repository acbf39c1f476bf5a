import { withTimeLimit } from '../../concurrency/time-limit.ts'
import type { Dependencies } from '../../dependencies.ts'
import { probeFrontDoor } from '../../infra/front-door/front-door.ts'
import { findSlot } from '../containers/slot-access.ts'
import { maskSecrets } from '../deployments/masking.service.ts'
import { endpointOf } from '../domains/slot-endpoint.service.ts'
import { listSecrets } from '../env-vars/environment.service.ts'
import { engineOn } from '../nodes/on-machine.service.ts'
import type { ProjectFacts } from './known-host.repository.ts'
import type { ContainerObservations, PageObservations } from './observations.types.ts'
import { userAgent } from './observe-server.service.ts'
import { nextPage, type Page, urlOf } from './redirect.policy.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'engine' | 'features' | 'network' | 'nodeId' | 'nodes' | 'secretBox'>

const engineTimeoutMs = 5_000
const answerTimeoutMs = 5_000
const pageTimeoutMs = 15_000
const maxRedirects = 10
const logLines = 20
const maxLineLength = 500

/** Undefined if the project has no container that could be checked. */
export async function observeContainer(
  deps: Omit<Deps, 'features' | 'secretBox'>,
  { containerId, liveDeploymentId, nodeId }: ProjectFacts,
  hostname: string,
  signal: AbortSignal
): Promise<ContainerObservations | null> {
  const slot = liveDeploymentId === null ? undefined : await findSlot(deps.db, liveDeploymentId)
  if (containerId === null || !slot) return null
  const port = slot.containerPort
  try {
    const engine = await engineOn(deps, nodeId)
    const state = (await withTimeLimit(engine.findContainer(containerId), engineTimeoutMs)) ?? 'missing'
    if (state === 'missing' || !state.running) return { state, port, isAnswering: false, listening: undefined }
    const endpoint = await endpointOf(deps, slot)
    const [status, listening] = await Promise.all([
      engine.httpStatus(endpoint, { path: '/', hostname, timeoutMs: answerTimeoutMs, signal }),
      withTimeLimit(engine.listListening(containerId), engineTimeoutMs)
    ])
    return { state, port, isAnswering: status !== undefined, listening }
  } catch {
    // Reported as a fault of the engine; it may also have removed the container in between.
    return { state: 'unreachable', port, isAnswering: false, listening: undefined }
  }
}

/** Masked; empty if the engine cannot return it. */
export async function readLog(deps: Deps, { id, containerId, nodeId }: ProjectFacts): Promise<string[] | null> {
  if (containerId === null) return null
  const read = async () => (await engineOn(deps, nodeId)).containerLogs(containerId, logLines)
  const text = await withTimeLimit(read(), engineTimeoutMs).catch(() => '')
  const secrets = await listSecrets(deps, id)
  const lines = (await maskSecrets(secrets, text)).split('\n').filter((line) => line.trim() !== '')
  return lines.slice(-logLines).map((line) => line.slice(0, maxLineLength))
}

/** Requests the page as a visitor who types the name, and follows redirects within the host, always at our own proxy. */
export async function observePage(
  { config }: Pick<Deps, 'config'>,
  hostname: string
): Promise<PageObservations | null> {
  const urls: string[] = []
  const seconds = pageTimeoutMs / 1000
  const cookies = new Map<string, string>()
  let page: Page = { protocol: 'http', path: '/' }
  for (;;) {
    // A page may redirect to itself once, to set a cookie.
    const key = urlOf(hostname, page)
    const isLoop = urls.length > maxRedirects || urls.filter((url) => url === key).length > 1
    if (isLoop) return { urls: loopOf(urls), isLoop, elsewhere: null, status: null, failure: null, seconds }
    urls.push(key)
    const {
      failure,
      status,
      location,
      cookies: set
    } = await probeFrontDoor({
      address: '127.0.0.1',
      port: page.protocol === 'https' ? config.PROXY_HTTPS_PORT : config.PROXY_HTTP_PORT,
      protocol: page.protocol,
      hostname,
      path: page.path,
      method: 'GET',
      userAgent,
      maxBytes: 0,
      timeoutMs: pageTimeoutMs,
      cookies: [...cookies.values()]
    })
    if (failure === 'PROXY_AWAY' || failure === 'CHECKER_DELAYED') return null
    const seen = { urls, isLoop: false, elsewhere: null, status, seconds }
    if (failure !== null) return { ...seen, failure: failure === 'TIMEOUT' ? 'TIMEOUT' : 'LOST' }
    const isRedirect = status !== null && status >= 300 && status < 400 && location !== null
    const next = isRedirect ? nextPage(hostname, page, location) : undefined
    if (next?.kind !== 'page') return { ...seen, elsewhere: next?.url ?? null, failure: null }
    for (const cookie of set) cookies.set(cookie.split('=')[0]!, cookie)
    page = next.page
  }
}

const loopOf = (urls: readonly string[]): string[] => [...new Set(urls)].slice(-4)

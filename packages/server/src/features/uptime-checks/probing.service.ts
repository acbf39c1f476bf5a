import type { Dependencies } from '../../dependencies.ts'
import { probeFrontDoor, type FrontDoorAnswer } from '../../infra/front-door/front-door.ts'
import { uptimeAgent } from '../../net/uptime-agent.ts'
import { type Judgement, judge } from './judgement.policy.ts'
import type { TakenRun } from './runs.repository.ts'

type Deps = Pick<Dependencies, 'config' | 'now'>

const maxTextBytes = 64 * 1024
// Reserved name (RFC 6761), so no site has it and the proxy responds itself.
const unusedHostname = 'uptime-check.invalid'
const proxyTimeoutMs = 3_000
const proxyKnownMs = 2_000

/**
 * Sends requests for sites to this machine's proxy, not to the address of their names. If a site does not respond, the
 * proxy is probed: if it does not respond either, the state of the site is unknown.
 */
export function createProber({ config, now }: Deps) {
  let proxy: { since: number; answers: Promise<boolean> } | undefined
  const isProxyThere = (): Promise<boolean> => {
    if (!proxy || performance.now() - proxy.since > proxyKnownMs)
      proxy = { since: performance.now(), answers: isProxyResponding(config.PROXY_HTTP_PORT) }
    return proxy.answers
  }
  return async function ask(check: TakenRun): Promise<Judgement> {
    const { protocol, hostname, path, method, text, timeoutSeconds } = check
    const answer = await probeFrontDoor({
      address: '127.0.0.1',
      port: protocol === 'https' ? config.PROXY_HTTPS_PORT : config.PROXY_HTTP_PORT,
      protocol,
      hostname,
      path,
      method,
      userAgent: uptimeAgent,
      maxBytes: text === null ? 0 : maxTextBytes,
      timeoutMs: timeoutSeconds * 1000
    })
    return judge(
      check,
      isSilence(answer) && !(await isProxyThere()) ? { ...answer, failure: 'PROXY_AWAY' } : answer,
      now()
    )
  }
}

const isSilence = ({ failure }: FrontDoorAnswer): boolean => failure !== null && failure !== 'CHECKER_DELAYED'

export async function isProxyResponding(port: number): Promise<boolean> {
  const { failure } = await probeFrontDoor({
    address: '127.0.0.1',
    port,
    protocol: 'http',
    hostname: unusedHostname,
    path: '/',
    method: 'HEAD',
    userAgent: uptimeAgent,
    maxBytes: 0,
    timeoutMs: proxyTimeoutMs
  })
  return failure === null
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { Dependencies } from '../dependencies.ts'
import { messageOf } from '../text/message-of.ts'
import type { RunningPanel } from '../server.ts'
import { step } from './command.ts'

const loopback = '127.0.0.1'
const everywhere: readonly string[] = ['0.0.0.0', '::']

/**
 * Where the API listens beside a proxy of this machine: everywhere until HTTPS is served for PANEL_DOMAIN, so that there is a way in to
 * set that up; then on loopback, where only the proxy is. An address that was chosen is kept.
 */
export const listenAddressOf = async (deps: Pick<Dependencies, 'config' | 'db'>): Promise<string> =>
  everywhere.includes(deps.config.HOST) && (await isCertified(deps)) ? loopback : deps.config.HOST

/** Moves the API to loopback once the certificate is there and the proxy answers. */
export function followCertificate(
  { deps, address, listenOn }: Pick<RunningPanel, 'address' | 'deps' | 'listenOn'>,
  signal: AbortSignal
): void {
  // Where another process listens, that one does it.
  if (!listenOn) return
  if (!everywhere.includes(address.address) || deps.config.PANEL_DOMAIN === undefined) return
  void (async () => {
    while (!(await isServed(deps))) await sleep(deps.config.RECONCILE_SECONDS * 1000, undefined, { signal })
    await listenOn(loopback)
    step(`${deps.config.API_BASE_URL} is served by HTTPS: the API listens on ${loopback} alone from now on`)
  })().catch((error: unknown) => {
    if (!signal.aborted) deps.logger.error({ error: messageOf(error) }, 'the API did not move to loopback')
  })
}

async function isServed(deps: Dependencies): Promise<boolean> {
  try {
    if (!(await isCertified(deps))) return false
    const { pingProxy } = await import('../features/domains/panel-name.service.ts')
    await pingProxy(deps)
    return true
  } catch (error) {
    deps.logger.debug({ error: messageOf(error) }, 'store or proxy is away') // The next look is soon.
    return false
  }
}

/** Loaded with the rest of the panel, which `up` does not wait for before the store starts. */
async function isCertified(deps: Pick<Dependencies, 'config' | 'db'>): Promise<boolean> {
  const { isPanelCertified } = await import('../features/domains/panel-name.service.ts')
  return isPanelCertified(deps)
}

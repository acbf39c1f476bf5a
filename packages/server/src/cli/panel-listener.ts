import { setTimeout as sleep } from 'node:timers/promises'
import type { Dependencies } from '../dependencies.ts'
import { messageOf } from '../text/message-of.ts'
import type { RunningPanel } from '../server.ts'
import { step } from './command.ts'

const loopback = '127.0.0.1'
const everywhere: readonly string[] = ['0.0.0.0', '::']

/** Listens on all addresses until PANEL_DOMAIN has a certificate, so that the panel can be set up; then on loopback. */
export const listenAddressOf = async (deps: Pick<Dependencies, 'config' | 'db'>): Promise<string> =>
  everywhere.includes(deps.config.HOST) && (await isCertified(deps)) ? loopback : deps.config.HOST

/** Moves the API to loopback once the certificate exists and the proxy responds. */
export function followCertificate(
  { deps, address, listenOn }: Pick<RunningPanel, 'address' | 'deps' | 'listenOn'>,
  signal: AbortSignal
): void {
  // With a separate web process, that process does it.
  if (!listenOn) return
  if (!everywhere.includes(deps.config.HOST)) return
  let isOnLoopback = address.address === loopback
  const poll = () => sleep(deps.config.RECONCILE_SECONDS * 1000, undefined, { signal })
  const move = async (host: string) => {
    await listenOn(host)
    isOnLoopback = host === loopback
  }
  void (async () => {
    while (!(await isServed(deps))) await sleep(deps.config.RECONCILE_SECONDS * 1000, undefined, { signal })
    await listenOn(loopback)
    step(`${deps.config.API_BASE_URL} is available over HTTPS. The API now listens on ${loopback} only.`)
  })().catch((error: unknown) => {
    if (!signal.aborted) deps.logger.error({ error: messageOf(error) }, 'could not move the API to loopback')
  })
}

const settingsChange = ({ settings }: Pick<Dependencies, 'settings'>, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = settings.onChange(() => {
      end()
      resolve()
    })
    signal.addEventListener('abort', () => (end(), reject(new Error('aborted'))), { once: true })
  })

async function isServed(deps: Dependencies): Promise<boolean> {
  try {
    if (!(await isCertified(deps))) return false
    const { pingProxy } = await import('../features/domains/panel-name.service.ts')
    await pingProxy(deps)
    return true
  } catch (error) {
    deps.logger.debug({ error: messageOf(error) }, 'database or proxy unavailable') // Retried soon.
    return false
  }
}

async function isCertified(deps: Pick<Dependencies, 'config' | 'db'>): Promise<boolean> {
  const { isPanelCertified } = await import('../features/domains/panel-name.service.ts')
  return isPanelCertified(deps)
}

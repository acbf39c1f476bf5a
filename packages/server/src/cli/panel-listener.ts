import { setTimeout as sleep } from 'node:timers/promises'
import type { Dependencies } from '../dependencies.ts'
import { messageOf } from '../text/message-of.ts'
import type { RunningPanel } from '../server.ts'
import { step } from './command.ts'

const loopback = '127.0.0.1'
const everywhere: readonly string[] = ['0.0.0.0', '::']

/**
 * Listen address of the API behind a proxy on this machine: all addresses until HTTPS works for PANEL_DOMAIN, so that
 * it can be set up; then loopback only. A configured HOST is kept.
 */
export const listenAddressOf = async (deps: Pick<Dependencies, 'config' | 'db'>): Promise<string> =>
  everywhere.includes(deps.config.HOST) && (await isCertified(deps)) ? loopback : deps.config.HOST

/**
 * Moves the API to loopback once PANEL_DOMAIN has a certificate and the proxy responds, and back if a new PANEL_DOMAIN
 * has none yet, so that the panel stays reachable.
 */
export function followCertificate(
  { deps, address, listenOn }: Pick<RunningPanel, 'address' | 'deps' | 'listenOn'>,
  signal: AbortSignal
): void {
  // The process that listens does this.
  if (!listenOn) return
  if (!everywhere.includes(deps.config.HOST)) return
  let isOnLoopback = address.address === loopback
  const poll = () => sleep(deps.config.RECONCILE_SECONDS * 1000, undefined, { signal })
  const move = async (host: string) => {
    await listenOn(host)
    isOnLoopback = host === loopback
  }
  void (async () => {
    for (;;) {
      if (isOnLoopback) await settingsChange(deps, signal)
      else await poll()
      if (!isOnLoopback && deps.config.PANEL_DOMAIN !== undefined && (await isServed(deps))) {
        await move(loopback)
        step(`${deps.config.API_BASE_URL} is served over HTTPS: the API now listens on ${loopback} only`)
      } else if (isOnLoopback && !(await isCertified(deps).catch(() => true))) {
        await move(deps.config.HOST)
        step(
          `${deps.config.API_BASE_URL} has no certificate yet: the API listens on ${deps.config.HOST} until it has one`
        )
      }
    }
  })().catch((error: unknown) => {
    if (!signal.aborted) deps.logger.error({ error: messageOf(error) }, 'the API did not move to another address')
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
    deps.logger.debug({ error: messageOf(error) }, 'database or proxy is unavailable') // Retried soon.
    return false
  }
}

/** Lazy import: `up` starts the database before the rest of the panel is loaded. */
async function isCertified(deps: Pick<Dependencies, 'config' | 'db'>): Promise<boolean> {
  const { isPanelCertified } = await import('../features/domains/panel-name.service.ts')
  return isPanelCertified(deps)
}

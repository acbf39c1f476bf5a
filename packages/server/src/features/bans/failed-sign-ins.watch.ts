import type { Dependencies } from '../../dependencies.ts'
import { limitKey } from '../../http/client-ip.ts'
import { networkFamily, plainAddress } from '../../net/plain-address.ts'
import { messageOf } from '../../text/message-of.ts'
import { banGuessers, type BanningDeps, type Guesser } from './banning.service.ts'
import { createGuessCount, type Guess, wordpressWeights } from './guess-count.policy.ts'

type Deps = BanningDeps & Pick<Dependencies, 'failedLogIns' | 'logger' | 'siteTraffic'>

const wordpressEveryMs = 5_000
/** Bans of one moment share a transaction. */
const gatherMs = 250
const perTransaction = 1_000

/** Counts failed sign-ins at all services, and bans. In every privileged process, as each machine has its own services. */
export function watchFailedSignIns(deps: Deps) {
  const count = createGuessCount()
  const waiting = new Map<string, Guesser>()
  let banning: Promise<void> | undefined
  const ending = new AbortController()
  let isStarted = false

  const take = ({ address: given, ...guess }: Guess): void => {
    const plain = plainAddress(given)
    if (!deps.config.BANS || networkFamily(plain) === undefined) return
    const address = limitKey(plain)
    const attempts = count.add({ ...guess, address }, deps.now().getTime())
    if (attempts === undefined) return
    waiting.set(address, { address, service: guess.service, attempts })
    start()
  }
  const start = (): void => {
    banning ??= gather().finally(() => {
      banning = undefined
      if (waiting.size > 0) start()
    })
  }
  const gather = async (): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, gatherMs))
    while (waiting.size > 0) {
      const batch = [...waiting.values()].slice(0, perTransaction)
      for (const { address } of batch) waiting.delete(address)
      await banGuessers(deps, batch).catch((error: unknown) =>
        deps.logger.warn({ error: messageOf(error), addresses: batch.length }, 'could not ban after failed sign-ins')
      )
    }
  }
  const takeWordpress = async (): Promise<void> => {
    if (!deps.config.BANS) return
    for (const { address, failed, xmlrpc } of await deps.siteTraffic.takeLogIns()) {
      const weight = failed * wordpressWeights.failed + xmlrpc * wordpressWeights.xmlrpc
      if (weight > 0) take({ service: 'WORDPRESS', address, weight })
    }
  }

  return {
    /** Watches until `signal` aborts or it is closed. */
    begin(signal: AbortSignal): void {
      if (isStarted) return
      isStarted = true
      const stop = ending
      signal.addEventListener('abort', () => stop.abort(), { once: true })
      deps.failedLogIns.follow(take, stop.signal)
      const endEvents = deps.events.subscribe({
        onEvent(event) {
          if (event.to === 'processes' && event.name === 'sign-in:failed')
            take({ service: 'PANEL', address: event.data.address })
        }
      })
      let isReading = false
      const timer = setInterval(() => {
        if (isReading) return
        isReading = true
        takeWordpress()
          .catch((error: unknown) => deps.logger.warn({ error: messageOf(error) }, 'could not read sign-ins to sites'))
          .finally(() => (isReading = false))
      }, wordpressEveryMs).unref()
      stop.signal.addEventListener('abort', () => {
        endEvents()
        clearInterval(timer)
      })
    },
    async close(): Promise<void> {
      ending.abort()
      await banning
    }
  }
}

import type { LiveAnswer } from '@panel/contract/live'
import type { TokenScope } from '@panel/contract/api-tokens'
import type { Socket } from 'socket.io'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import type { LiveSubscription } from '../../features/live-subscription.ts'
import { newId } from '../../security/ids.ts'
import { scopeSuffices } from '../token-scope.policy.ts'
import { toLiveError } from './live-error.ts'
import type { LiveClient } from './live-clients.ts'
import type { SendLatest } from './latest-sender.ts'
import { createFollower } from './follower.ts'
import type { LiveLimits } from './live-limits.ts'

interface Subscription {
  id: string
  name: string
  /** Distinguishes subscriptions of the same name: the input as JSON. */
  about: string
  input: never
  declared: LiveSubscription
  stop: AbortController
}

interface Options {
  deps: Dependencies
  declared: Readonly<Record<string, LiveSubscription>>
  socket: Socket
  client: Pick<LiveClient, 'caller'>
  scope: TokenScope | undefined
  sendLatest: SendLatest
  limits: LiveLimits
}

/** Subscriptions of one client. */
export function createSubscriptions(options: Options) {
  const { deps, declared, socket, client, scope, sendLatest, limits } = options
  const all = new Map<string, Subscription>()
  let timer: NodeJS.Timeout | undefined

  const drop = (subscription: Subscription) => {
    all.delete(subscription.id)
    subscription.stop.abort()
    if (all.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
  const end = (subscription: Subscription, error?: unknown) => {
    if (!all.has(subscription.id)) return
    drop(subscription)
    const liveError = error === undefined ? undefined : toLiveError(deps, error)
    socket.emit(`ended:${subscription.name}`, {
      id: subscription.id,
      ...(liveError ? { error: { code: liveError.code, message: liveError.message } } : {})
    })
  }
  const authorize = async (subscription: Subscription) => {
    const { name, input, declared } = subscription
    if (scope !== undefined && !scopeSuffices(scope, declared.scope))
      throw new AppError('FORBIDDEN', `${name} requires a token with the scope ${declared.scope}`)
    await declared.authorize(deps, client.caller, input)
  }
  const recheck = () => {
    for (const subscription of all.values())
      void authorize(subscription).catch((error: unknown) => {
        // Permissions could not be checked: keep the subscription and check again.
        if (toLiveError(deps, error).status < 500) end(subscription, error)
      })
  }
  const follow = async (subscription: Subscription) => {
    const { input, declared, stop } = subscription
    const follower = createFollower({
      socket,
      caller: client.caller,
      signal: stop.signal,
      sendLatest,
      acknowledgeMs: limits.acknowledgeMs,
      end: (error) => end(subscription, error)
    })
    try {
      await declared.follow(deps, follower, input)
      end(subscription)
    } catch (error) {
      end(subscription, error)
    }
  }
  const prepare = (name: string, data: unknown): Subscription => {
    if (!Object.hasOwn(declared, name)) throw new AppError('NOT_FOUND', 'Unknown subscription')
    const input = declared[name]!.input.parse(data) as never
    const about = JSON.stringify(input) ?? ''
    const known = [...all.values()].find((each) => each.name === name && each.about === about)
    if (known) return known
    if (all.size >= limits.perClient)
      throw new AppError('RATE_LIMITED', `A connection can have at most ${limits.perClient} subscriptions`)
    return { id: newId(Date.now()), name, about, input, declared: declared[name]!, stop: new AbortController() }
  }

  return {
    /** Idempotent: subscribing twice to the same returns the same id. */
    async subscribe(name: string, data: unknown): Promise<{ answer: LiveAnswer; start?: () => void }> {
      let subscription: Subscription | undefined
      try {
        subscription = prepare(name, data)
        const { id } = subscription
        if (all.has(id)) return { answer: { ok: true, id } }
        all.set(id, subscription)
        await authorize(subscription)
        if (!all.has(id)) throw new AppError('CONFLICT', 'The subscription was ended in the meantime')
        timer ??= setInterval(recheck, limits.authorizeEveryMs).unref()
        return { answer: { ok: true, id }, start: () => void follow(subscription!) }
      } catch (error) {
        if (subscription) drop(subscription)
        const { code, message, details } = toLiveError(deps, error)
        return { answer: { ok: false, error: { code, message, ...(details ? { details } : {}) } } }
      }
    },
    /** By id, by input, or without data all of this name. */
    unsubscribe(name: string, data: unknown): void {
      const about = Object.hasOwn(declared, name) ? aboutOf(declared[name]!, data) : undefined
      const id = typeof data === 'object' && data !== null && 'id' in data ? data.id : undefined
      for (const each of [...all.values()])
        if (each.name === name && (data === undefined || data === null || each.id === id || each.about === about))
          drop(each)
    },
    recheck,
    close(): void {
      for (const each of [...all.values()]) drop(each)
    }
  }
}

function aboutOf({ input }: LiveSubscription, data: unknown): string | undefined {
  try {
    return JSON.stringify(input.parse(data)) ?? ''
  } catch {
    return undefined // Invalid input matches no subscription.
  }
}

import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest, RouteHandlerMethod } from 'fastify'
import type { Dependencies } from '../dependencies.ts'
import { AppError } from '../errors.ts'
import { createFairQueue, type FairQueue, type FairQueueLimits } from '../concurrency/fair-queue.ts'
import { bearerOf } from './bearer.ts'
import { addressKey } from './client-ip.ts'
import { sessionTokensOf } from './session.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * `apart`: takes as long as a client, program or password hash, which have their own queues or limits. `free`: served
     * from memory. `large`: an expensive read; one at a time per account. Default: GET is a read, all else a write.
     */
    admission?: 'apart' | 'free' | 'large'
  }
}

export interface AdmissionLimits {
  /** Requests in progress per account, from first byte to response: all but `apart`, and `apart`. */
  inHand: number
  apart: number
  /** Running handlers. */
  reads: FairQueueLimits
  writes: FairQueueLimits
  /** Bodies above `largeBodyBytes` that are read at the same time, per account. */
  largeBodies: number
  largeBodyBytes: number
  /** A handler that runs longer is waiting for something and frees its slot; the number of such handlers per account. */
  placeMs: number
  readsInWorker: number
  writesInWorker: number
}

/**
 * Browsers opening the dashboard (30 requests, 6 in parallel over HTTP/1, all over HTTP/2) and scripts (300 requests,
 * sequential or 20 in parallel) stay below the limits. The database pool has ten connections for requests: reads use
 * one briefly, four are for writes, which may wait for row locks, five for zones and databases (accountTransaction).
 */
const admissionLimits: AdmissionLimits = {
  inHand: 40,
  // Twenty uploads and forty downloads (features/files) are the maximum.
  apart: 100,
  reads: { total: 16, perKey: 4, waiting: 40 },
  writes: { total: 4, perKey: 2, waiting: 40 },
  largeBodies: 2,
  largeBodyBytes: 256 * 1024,
  placeMs: 1_000,
  readsInWorker: 4,
  writesInWorker: 8
}

/**
 * Limits concurrent work per account, with round-robin between accounts, so that a burst of one account delays others
 * by a few requests only. Unauthenticated requests count per address. The limits apply per process.
 */
export function addAdmission(
  app: FastifyInstance,
  deps: Pick<Dependencies, 'config'>,
  limits: AdmissionLimits = admissionLimits
): void {
  const known = createKnownCallers()
  const inHand = createCounter(limits.inHand)
  const apart = createCounter(limits.apart)
  const reads = createPlaces(createFairQueue(limits.reads, 'requests'), limits.placeMs, limits.readsInWorker)
  const writes = createPlaces(createFairQueue(limits.writes, 'changes'), limits.placeMs, limits.writesInWorker)
  const largeBodies = createFairQueue(
    { total: Number.POSITIVE_INFINITY, perKey: limits.largeBodies, waiting: limits.inHand },
    'large requests'
  )
  /** Slots are released when both the response and the handler have finished, also if the client disconnected. */
  const holds = new WeakMap<FastifyRequest, Hold>()
  const release = (request: FastifyRequest) => {
    const hold = holds.get(request)
    if (hold?.isClosed && !hold.isWorking) for (const give of hold.release.splice(0)) give()
  }

  // Before the route policy, which queries the database: callers are known from earlier requests.
  app.addHook('onRequest', async (request, reply) => {
    const { access, admission, slowBody } = request.routeOptions.config
    if (!access || admission === 'free') return
    const credential = digestOf(deps, request)
    const key = known.get(credential) ?? addressKey(request.ip)
    const taken = (admission === 'apart' ? apart : inHand).take(key)
    if (!taken) throw tooMany()
    const hold: Hold = { credential, isWorking: false, isClosed: false, release: [taken] }
    holds.set(request, hold)
    reply.raw.once('close', () => {
      hold.isClosed = true
      hold.leave?.()
      release(request)
    })
    if (admission !== 'apart' && isRead(request.method)) {
      hold.leave = await reads(key, admission === 'large' ? limits.reads.perKey : 1)
      if (!hold.isClosed) return
      hold.leave()
      throw new AppError('VALIDATION_ERROR', 'The request was interrupted')
    }
    if (slowBody || admission === 'apart' || !isLarge(request, limits.largeBodyBytes)) return
    const leave = await largeBodies.enter(key)
    hold.release.push(leave)
    release(request)
  })

  const isGated = new WeakSet<RouteHandlerMethod>()
  app.addHook('onRoute', (route) => {
    const { access, admission } = route.config ?? {}
    // Fastify derives HEAD routes from the wrapped GET handler, which waits already.
    if (!access || admission === 'free' || isGated.has(route.handler)) return
    const handler = route.handler
    route.handler = async function (request, reply) {
      const hold = holds.get(request)!
      hold.isWorking = true
      if (request.session) known.remember(hold.credential, request.session.userId)
      if (admission !== 'apart' && !isRead(request.method)) hold.leave = await writes(callerKey(request))
      try {
        return (await handler.call(this, request, reply)) as unknown
      } finally {
        hold.leave?.()
        hold.isWorking = false
        release(request)
      }
    }
    isGated.add(route.handler)
  })
}

interface Hold {
  credential: string | undefined
  isWorking: boolean
  isClosed: boolean
  release: (() => void)[]
  /** Slot of the handler. A read takes it before authentication, a write once its body is read. */
  leave?: () => void
}

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD'

const tooMany = () =>
  new AppError('RATE_LIMITED', 'Too many concurrent requests. Wait for some to finish.', { retryAfterSeconds: 1 })

/** Work that exceeds `placeMs` frees its slot while fewer than `unavailable` of its key have done so. */
function createPlaces(
  queue: FairQueue,
  placeMs: number,
  unavailable: number
): (key: string, share?: number) => Promise<() => void> {
  const outside = createFairQueue(
    { total: Number.POSITIVE_INFINITY, perKey: unavailable, waiting: Number.POSITIVE_INFINITY },
    'requests'
  )
  return async (key, share) => {
    let back = await queue.enter(key, share)
    let isOver = false
    const leave = async () => {
      const comeBack = await outside.enter(key, share)
      if (isOver) return comeBack()
      back()
      back = comeBack
    }
    const timer = setTimeout(() => void leave(), placeMs)
    return () => {
      isOver = true
      clearTimeout(timer)
      back()
    }
  }
}

/** Key for fair queueing, after the route policy has set the session. */
export const callerKey = (request: FastifyRequest): string => request.session?.userId ?? addressKey(request.ip)

/** Chunked bodies count as large, because their size is unknown. */
function isLarge({ headers }: FastifyRequest, bytes: number): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > bytes
}

function createCounter(most: number) {
  const counts = new Map<string, number>()
  return {
    take(key: string): (() => void) | undefined {
      const count = counts.get(key) ?? 0
      if (count >= most) return undefined
      counts.set(key, count + 1)
      return () => {
        const left = counts.get(key)! - 1
        if (left === 0) counts.delete(key)
        else counts.set(key, left)
      }
    }
  }
}

/** Evicted callers count as unauthenticated for one request. */
const maxKnown = 10_000

/** Account of recently seen credentials, for queueing only: the route policy verifies them on every request. */
function createKnownCallers() {
  const accounts = new Map<string, string>()
  return {
    get: (credential: string | undefined) => (credential === undefined ? undefined : accounts.get(credential)),
    remember(credential: string | undefined, userId: string): void {
      if (credential === undefined || accounts.get(credential) === userId) return
      accounts.set(credential, userId)
      if (accounts.size > maxKnown) accounts.delete(accounts.keys().next().value!)
    }
  }
}

/** Hash of the request's token or cookies, so that no usable credential is kept. */
function digestOf(deps: Pick<Dependencies, 'config'>, request: FastifyRequest): string | undefined {
  const credentials = [bearerOf(request) ?? sessionTokensOf(deps, request)].flat()
  return credentials.length === 0 ? undefined : createHash('sha256').update(credentials.join(' ')).digest('base64')
}

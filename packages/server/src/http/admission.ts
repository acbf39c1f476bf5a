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
     * `apart`: it goes on for as long as a client, a program or a password takes, which have queues or limits of their own. `free`: it is
     * answered from memory. `large`: a read that takes as long as many, of which an account has one at a time. Without it a GET is a read,
     * and all else a write.
     */
    admission?: 'apart' | 'free' | 'large'
  }
}

export interface AdmissionLimits {
  /** Of one account, from their first byte to their answer: without those apart, and of those apart. */
  inHand: number
  apart: number
  /** At work. */
  reads: FairQueueLimits
  writes: FairQueueLimits
  /** Of one account, bodies that are read at the same time and are larger than `largeBodyBytes`. */
  largeBodies: number
  largeBodyBytes: number
  /** A request that has worked for so long waits for something, and others come in meanwhile: so many of one account. */
  placeMs: number
  readsInWorker: number
  writesInWorker: number
}

/**
 * A browser that opens a dashboard sends some thirty requests at once, six of which it has under way (HTTP/1), or all (HTTP/2); a script of
 * an agency works its three hundred sites off in a row, or twenty at once. Both never see a limit. The store has ten connections for
 * requests: reads have one for a moment, and changes, which may wait for each other's rows, four; five are for those of zones and
 * databases (accountTransaction).
 */
const admissionLimits: AdmissionLimits = {
  inHand: 40,
  // Twenty uploads and forty downloads (features/files) are the most of what there is.
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
 * Lets so much of an account be at work at once, whatever it sends, and has accounts take turns: one that sends two hundred requests keeps
 * another waiting for a few of them. Where nobody is signed in, an address counts as an account. Per process, whose time and connections
 * it is that are shared out.
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
  /** Ends of requests: what they hold is given back when both the answer and the work are over, also where the client has gone. */
  const holds = new WeakMap<FastifyRequest, Hold>()
  const release = (request: FastifyRequest) => {
    const hold = holds.get(request)
    if (hold?.isClosed && !hold.isWorking) for (const give of hold.release.splice(0)) give()
  }

  // Before the route policy, which asks the store: who calls is known from the requests before.
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
      throw new AppError('VALIDATION_ERROR', 'The request was cut off')
    }
    if (slowBody || admission === 'apart' || !isLarge(request, limits.largeBodyBytes)) return
    const leave = await largeBodies.enter(key)
    hold.release.push(leave)
    release(request)
  })

  const isGated = new WeakSet<RouteHandlerMethod>()
  app.addHook('onRoute', (route) => {
    const { access, admission } = route.config ?? {}
    // A HEAD route is made of the handler of its GET, which waits for its turn already.
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
  /** Its place at work. A read has one before anybody is asked who it is, a change when its body is there. */
  leave?: () => void
}

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD'

const tooMany = () =>
  new AppError('RATE_LIMITED', 'Too many requests at once: wait for some to be answered', { retryAfterSeconds: 1 })

/** What has a place for longer than `placeMs` leaves it to others, as soon as fewer than `away` of its key have done so. */
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

/** Whose share it is that a request has; once the route policy has seen who calls. */
export const callerKey = (request: FastifyRequest): string => request.session?.userId ?? addressKey(request.ip)

/** Also where nobody says how large it is. */
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

/** Of more, the ones that were seen longest ago are strangers again for one request. */
const maxKnown = 10_000

/** Whose credentials they were when they were last looked up. It opens nothing: the route policy looks them up each time. */
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

/** Of the token or cookies that a request brings: nothing that is kept opens anything. */
function digestOf(deps: Pick<Dependencies, 'config'>, request: FastifyRequest): string | undefined {
  const credentials = [bearerOf(request) ?? sessionTokensOf(deps, request)].flat()
  return credentials.length === 0 ? undefined : createHash('sha256').update(credentials.join(' ')).digest('base64')
}

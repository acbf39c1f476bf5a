import { createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { PushAccepted, PushIgnored, PushPong } from '@panel/contract/git'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { publicAccess } from '../../http/access.ts'
import { addressKey, limitKey } from '../../http/client-ip.ts'
import { type BodyBytes, createByteBudget } from './byte-budget.limits.ts'
import { mayBeSigned } from './push-event.policy.ts'
import { findReceiver, receivePush } from './push-receiver.service.ts'
import { createUnsignedCounter } from './unsigned-counter.ts'

// GitHub sends up to 25 MB; a smaller limit silently loses pushes (caprover#1393).
const bodyLimit = 26 * 1024 * 1024

const response = { 200: z.union([PushPong, PushIgnored]), 202: PushAccepted }
const description =
  'Git providers call this after a push. Queues a build if the push is to the project’s branch and answers 202 with the deployment. Pushes to other ' +
  'branches, tags and deleted branches are answered with 200 and the reason. Authenticated with an HMAC-SHA256 of the raw body, keyed with the webhook ' +
  'secret; the native headers of GitHub, GitLab and Bitbucket are accepted too. An unknown project is answered like a wrong signature.'

const security: Record<string, string[]>[] = [{ pushSignature: [] }, { pushToken: [] }]
const receives = {
  headers: {
    'X-GitProvider-Event': {
      description: '`push` or `ping`. GitHub sends X-GitHub-Event, GitLab X-Gitlab-Event, Bitbucket X-Event-Key.',
      example: 'push'
    },
    'X-GitProvider-Delivery': {
      description: 'Identifies the event: repeated deliveries of one event trigger one deployment.',
      example: '72d3162e-cc78-11e3-81ab-4c9367dc0958'
    }
  },
  body: {
    schema: {
      type: 'object',
      description: 'The provider’s payload, up to 25 MB; these members are used.',
      properties: {
        ref: { type: 'string', description: 'The branch, as `refs/heads/<branch>`.' },
        after: { type: 'string', description: 'The new head of the branch.' },
        head_commit: {
          type: 'object',
          properties: { id: { type: 'string' }, message: { type: 'string' } }
        }
      }
    },
    example: {
      ref: 'refs/heads/main',
      after: '0123456789abcdef0123456789abcdef01234567',
      head_commit: { id: '0123456789abcdef0123456789abcdef01234567', message: 'Say hello' }
    }
  }
}

const exampleId = 'V1StGXR8_Z5jdHi6B-myT'

const mebibyte = 1024 * 1024
/** Bodies in memory: a signature can only be verified at the end. Each address or account has room for two. */
const limits = { total: 128 * mebibyte, perKey: 2 * bodyLimit, reserve: 32 * mebibyte, firstBytes: mebibyte }
/** Providers send from data centers; even 1 Mbit/s delivers a usual push within a second. */
const bodyPace = { spanMs: 10_000, bytesInSpan: mebibyte }
// Memory overhead of each chunk.
const minPieceBytes = 256

export function pushReceiverRoutes(app: App, deps: Dependencies): void {
  const budget = createByteBudget(limits)
  const unsigned = createUnsignedCounter(deps)
  const arriving = new WeakMap<FastifyRequest, { bytes: BodyBytes; isKept: boolean }>()
  // The signature covers the exact bytes, so nothing may parse them first. Scoped to these two routes.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) => {
    const { bytes, isKept } = arriving.get(request)!
    if (Number(request.headers['content-length'] ?? 0) > bodyLimit) throw tooLarge()
    const pieces: Buffer[] = []
    // The same work as verifying a signature, against timing attacks.
    const discarded = createHmac('sha256', 'no secret')
    let length = 0
    // Destroying the stream would close the connection before the answer is sent.
    for await (const piece of payload.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += piece.length
      if (length > bodyLimit) throw tooLarge()
      if (!bytes.take(Math.max(piece.length, minPieceBytes))) throw busy()
      if (isKept) pieces.push(piece)
      else discarded.update(piece)
    }
    return Buffer.concat(pieces)
  })

  const receive = async (request: FastifyRequest, reply: FastifyReply, projectId: string) => {
    // Providers show these answers in their UI: one message for everything that is wrong with the address.
    if (!Id.safeParse(projectId).success) throw new AppError('SIGNATURE_INVALID', 'Missing or invalid signature')
    const rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    const delivery = { headers: request.headers, rawBody, from: addressKey(request.ip), unsigned }
    const outcome = await receivePush(deps, request, projectId, delivery)
    if (outcome.kind === 'pong') return reply.code(200).send({ message: 'pong' })
    if (outcome.kind === 'ignored') return reply.code(200).send({ ignored: true, reason: outcome.reason })
    return reply.code(202).send({ deploymentId: outcome.deployment.id, status: outcome.deployment.status })
  }
  // Before the body is read: a delivery that cannot be valid must not use memory. Same answer as for a wrong signature.
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    if (!mayBeSigned(request.headers)) throw new AppError('SIGNATURE_INVALID', 'Missing or invalid signature')
    const { projectId = '' } = { ...(request.query as object), ...(request.params as object) } as {
      projectId?: unknown
    }
    const owner = await findReceiver(deps, String(projectId))
    const isKept = owner !== undefined
    const bytes = budget.open([`from ${limitKey(request.ip)}`, `to ${owner ?? String(projectId)}`], { isHeld: isKept })
    arriving.set(request, { bytes, isKept })
    reply.raw.once('close', () => bytes.release())
  }
  const route = { config: { access: publicAccess, bodyPace, admission: 'apart' } as const, bodyLimit, onRequest }
  const schema = {
    tags: ['Push notification receiver'],
    description,
    security,
    receives,
    errors: ['SIGNATURE_INVALID', 'DEPLOYMENT_IN_PROGRESS'] as const,
    response
  }
  app.post(
    '/api/webhooks/gitprovider',
    {
      ...route,
      schema: {
        ...schema,
        operationId: 'receivePush',
        summary: 'Receive a push (project in the query)',
        receives: {
          ...receives,
          query: { projectId: { description: 'The project id.', example: exampleId } }
        },
        // A missing id is answered like a wrong signature.
        querystring: z.object({ projectId: z.string().default('') })
      }
    },
    async (request, reply) => receive(request, reply, request.query.projectId)
  )
  app.post(
    '/api/webhooks/gitprovider/:projectId',
    {
      ...route,
      schema: {
        ...schema,
        operationId: 'receiveProjectPush',
        summary: 'Receive a push (project in the path)',
        params: z.object({ projectId: z.string() })
      }
    },
    async (request, reply) => receive(request, reply, request.params.projectId)
  )
}

const tooLarge = () => new AppError('PAYLOAD_TOO_LARGE', 'Request body too large')

const busy = () =>
  new AppError('BUSY', 'Too many concurrent deliveries. Try again in a moment.', { retryAfterSeconds: 5 })

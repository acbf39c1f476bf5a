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

// GitHub cuts at 25 MB; a smaller limit silently loses pushes (caprover#1393).
const bodyLimit = 26 * 1024 * 1024

const response = { 200: z.union([PushPong, PushIgnored]), 202: PushAccepted }
const description =
  'What a git host calls after a push: it queues a build of the branch that the project follows, and answers 202 with the deployment. Pushes to other ' +
  'branches, tags and deliveries that came before are 200 with the reason. Authenticated by the HMAC-SHA256 of the raw body under the webhook ' +
  'secret; the native headers of GitHub, GitLab and Bitbucket are taken as well. A project that is missing is told as a wrong signature.'

const security: Record<string, string[]>[] = [{ pushSignature: [] }, { pushToken: [] }]
const receives = {
  headers: {
    'X-GitProvider-Event': {
      description: '`push` or `ping`. GitHub sends X-GitHub-Event, GitLab X-Gitlab-Event, Bitbucket X-Event-Key.',
      example: 'push'
    },
    'X-GitProvider-Delivery': {
      description: 'The same for each attempt to deliver one event, which then counts once.',
      example: '72d3162e-cc78-11e3-81ab-4c9367dc0958'
    }
  },
  body: {
    schema: {
      type: 'object',
      description: 'What the provider sends, 25 MB at most; these members are read.',
      properties: {
        ref: { type: 'string', description: 'The branch, as `refs/heads/<branch>`.' },
        after: { type: 'string', description: 'The commit that the branch is at now.' },
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
/**
 * Bodies that are held in memory at once by this process, for want of a way to know before their last byte whether they are signed. An address or an account,
 * whatever number of projects it has, has two of the largest; 50 pushes of a usual size, some 100 KB, take 5 MiB.
 */
const limits = { total: 128 * mebibyte, perKey: 2 * bodyLimit, reserve: 32 * mebibyte, firstBytes: mebibyte }
/** Providers send from data centres; a line of 1 Mbit/s brings a usual push in a second. */
const bodyPace = { spanMs: 10_000, bytesInSpan: mebibyte }
// Each piece of a body costs this much beside its bytes.
const minPieceBytes = 256

export function pushReceiverRoutes(app: App, deps: Dependencies): void {
  const budget = createByteBudget(limits)
  const arriving = new WeakMap<FastifyRequest, { bytes: BodyBytes; isKept: boolean }>()
  // The signature covers the exact bytes, so nothing may parse them first. Scoped to these two routes.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) => {
    const { bytes, isKept } = arriving.get(request)!
    if (Number(request.headers['content-length'] ?? 0) > bodyLimit) throw tooLarge()
    const pieces: Buffer[] = []
    // In the place of what the verification of the signature does.
    const discarded = createHmac('sha256', 'no secret')
    let length = 0
    // A stream that is destroyed takes the connection along, and with it the answer.
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
    // Hook forms show these answers to people: the sentence stays the same for whatever is wrong with the address.
    if (!Id.safeParse(projectId).success) throw new AppError('SIGNATURE_INVALID', 'The signature is missing or wrong')
    const rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    const delivery = { headers: request.headers, rawBody, from: addressKey(request.ip) }
    const outcome = await receivePush(deps, request, projectId, delivery)
    if (outcome.kind === 'pong') return reply.code(200).send({ message: 'pong' })
    if (outcome.kind === 'ignored') return reply.code(200).send({ ignored: true, reason: outcome.reason })
    return reply.code(202).send({ deploymentId: outcome.deployment.id, status: outcome.deployment.status })
  }
  // Before the body is read: what no project waits for is not worth the memory. It is answered as everything else that is not rightly signed.
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    if (!mayBeSigned(request.headers)) throw new AppError('SIGNATURE_INVALID', 'The signature is missing or wrong')
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
          query: { projectId: { description: 'The project that it is for.', example: exampleId } }
        },
        // What is missing is refused as a wrong signature is.
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

const tooLarge = () => new AppError('PAYLOAD_TOO_LARGE', 'The body is larger than this route takes')

const busy = () =>
  new AppError('BUSY', 'Too many deliveries at once; this one is welcome again in a moment', { retryAfterSeconds: 5 })

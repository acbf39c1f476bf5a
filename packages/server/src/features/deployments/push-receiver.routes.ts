import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { PushAccepted, PushIgnored, PushPong } from '@panel/contract/git'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { publicAccess } from '../../http/access.ts'
import { addressKey } from '../../http/client-ip.ts'
import { errorResponses } from '../../http/openapi.ts'
import { createByteBudget } from './byte-budget.limits.ts'
import { mayBeSigned } from './push-event.policy.ts'
import { receivePush } from './push-receiver.service.ts'

// GitHub cuts at 25 MB; a smaller limit silently loses pushes (caprover#1393).
const bodyLimit = 26 * 1024 * 1024

const response = { 200: z.union([PushPong, PushIgnored]), 202: PushAccepted, ...errorResponses }
const description =
  'Authenticated by the HMAC-SHA256 of the raw body under the webhook secret. The native headers of GitHub, GitLab and Bitbucket are taken as well.'

/** Bytes of bodies that are held in memory at once: per process, whose memory it is. */
const budgetBytes = 128 * 1024 * 1024

export function pushReceiverRoutes(app: App, deps: Dependencies): void {
  const budget = createByteBudget(budgetBytes)
  // The signature covers the exact bytes, so nothing may parse them first. Scoped to these two routes.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  const receive = async (request: FastifyRequest, reply: FastifyReply, projectId: string) => {
    // Hook forms show these answers to people: the sentence stays the same for whatever is wrong with the address.
    if (!Id.safeParse(projectId).success) throw new AppError('SIGNATURE_INVALID', 'The signature is missing or wrong')
    const rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    const delivery = { headers: request.headers, rawBody, from: addressKey(request.ip) }
    const outcome = await receivePush(deps, projectId, delivery)
    if (outcome.kind === 'pong') return reply.code(200).send({ message: 'pong' })
    if (outcome.kind === 'ignored') return reply.code(200).send({ ignored: true, reason: outcome.reason })
    return reply.code(202).send({ deploymentId: outcome.deployment.id, status: outcome.deployment.status })
  }
  // Before the body is read: a stranger's is not worth the memory, and what is read at the same time has a limit of its own.
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    if (!mayBeSigned(request.headers)) throw new AppError('SIGNATURE_INVALID', 'The signature is missing or wrong')
    const bytes = Math.min(Number(request.headers['content-length'] ?? bodyLimit), bodyLimit)
    const release = budget.take(bytes)
    if (!release) {
      void reply.header('Retry-After', 5)
      throw new AppError('BUSY', 'Too many deliveries at once; this one is welcome again in a moment')
    }
    reply.raw.once('close', release)
  }
  const route = { config: { access: publicAccess, admission: 'apart' } as const, bodyLimit, onRequest }
  const schema = { tags: ['Push notification receiver'], description, response }
  app.post(
    '/api/webhooks/gitprovider',
    {
      ...route,
      schema: {
        ...schema,
        summary: 'Receive a push (project in the query)',
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
        summary: 'Receive a push (project in the path)',
        params: z.object({ projectId: z.string() })
      }
    },
    async (request, reply) => receive(request, reply, request.params.projectId)
  )
}

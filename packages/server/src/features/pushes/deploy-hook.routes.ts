import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { DeployHook, NewDeployHook, PushAccepted } from '@panel/contract/git'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { publicAccess, sessionAccess, sessionOf } from '../../http/access.ts'
import { addressKey } from '../../http/client-ip.ts'
import { callDeployHook, createDeployHook, getDeployHook, removeDeployHook } from './deploy-hook.service.ts'
import { createUnsignedCounter } from './unsigned-counter.ts'

const tags = ['Git']
const params = z.object({ id: Id })
const config = { access: sessionAccess }

export function deployHookRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/projects/:id/git/deploy-hook',
    {
      config,
      schema: {
        tags,
        operationId: 'getDeployHook',
        summary: 'Get whether a project has a deploy hook',
        description: 'Without its secret, of which the server only keeps a hash.',
        params,
        response: { 200: DeployHook }
      }
    },
    async (request) => getDeployHook(deps, sessionOf(request).userId, request.params.id)
  )
  app.post(
    '/api/projects/:id/git/deploy-hook',
    {
      config,
      schema: {
        tags,
        operationId: 'createDeployHook',
        summary: 'Create the deploy hook of a project, or replace its secret; audited',
        description:
          'Returns a URL for CI systems: a POST to it deploys the head of the branch (`callDeployHook`). Shown once. A previous URL stops working.',
        params,
        response: { 201: NewDeployHook }
      }
    },
    async (request, reply) =>
      reply.code(201).send(await createDeployHook(deps, request, sessionOf(request).userId, request.params.id))
  )
  app.delete(
    '/api/projects/:id/git/deploy-hook',
    {
      config,
      schema: {
        tags,
        operationId: 'removeDeployHook',
        summary: 'Remove the deploy hook of a project; audited',
        description: 'Its URL stops working. Also succeeds if there is none.',
        params,
        response: { 204: z.null() }
      }
    },
    async (request, reply) => {
      await removeDeployHook(deps, request, sessionOf(request).userId, request.params.id)
      return reply.code(204).send(null)
    }
  )
}

const maxBodyBytes = 64 * 1024

export function deployHookCallRoutes(app: App, deps: Dependencies): void {
  const unsigned = createUnsignedCounter(deps)
  // CI systems may send a body of any type. It is not used.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBodyBytes }, async () => undefined)
  app.post(
    '/api/webhooks/deploy/:projectId',
    {
      config: { access: publicAccess, admission: 'apart' },
      bodyLimit: maxBodyBytes,
      schema: {
        tags: ['Push notification receiver'],
        operationId: 'callDeployHook',
        summary: 'Deploy the head of the branch with the secret of the deploy hook',
        description:
          'For CI systems, for example after the tests passed. Queues a build whatever the rules for automatic deployment say. An unknown project is ' +
          'answered like a wrong secret.',
        security: [{ deployHookSecret: [] }],
        params: z.object({ projectId: z.string() }),
        // A missing secret is answered like a wrong one. Not in the path, which is logged.
        querystring: z.object({ secret: z.string().max(200).default('') }),
        errors: ['SIGNATURE_INVALID', 'ACCOUNT_SUSPENDED', 'DEPLOYMENT_IN_PROGRESS', 'GIT_NOT_CONNECTED'],
        response: { 202: PushAccepted }
      }
    },
    async (request, reply) => {
      const { projectId } = request.params
      if (!Id.safeParse(projectId).success) throw new AppError('SIGNATURE_INVALID', 'Missing or invalid secret')
      const call = { projectId, secret: request.query.secret, from: addressKey(request.ip), unsigned }
      const { id, status } = await callDeployHook(deps, request, call)
      return reply.code(202).send({ deploymentId: id, status })
    }
  )
}

import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { GitConnect, GitInfo, SshKey, WebhookSecret } from '@panel/contract/git'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { signalOfClient } from '../../http/client-gone.ts'
import { errorResponses } from '../../http/openapi.ts'
import { recordAuditAlone } from '../audit/recording.service.ts'
import { connectGit, createSshKey, getGitInfo, rotateWebhookSecret } from './git.service.ts'

const config = { access: sessionAccess }
const tags = ['Git']
const params = z.object({ id: Id })

export function gitRoutes(app: App, deps: Dependencies): void {
  const auditSecret = (request: FastifyRequest, what: 'shown' | 'rotated', targetId: string) =>
    recordAuditAlone(deps, request, {
      action: `git.webhook_secret_${what}`,
      actorId: sessionOf(request).userId,
      targetId
    })

  app.get(
    '/api/projects/:id/git',
    {
      config,
      schema: {
        tags,
        summary: 'Repository, deploy key and webhook of a project; audited, as it shows the webhook secret',
        params,
        response: { 200: GitInfo, ...errorResponses }
      }
    },
    async (request) => {
      const info = await getGitInfo(deps, sessionOf(request).userId, request.params.id)
      if (info.webhookSecret !== null) await auditSecret(request, 'shown', request.params.id)
      return info
    }
  )
  app.post(
    '/api/projects/:id/git/connect',
    {
      config: { ...config, admission: 'apart' },
      schema: {
        tags,
        summary: 'Connect a repository: fetches its branch; audited, as it shows the webhook secret',
        params,
        body: GitConnect,
        response: { 200: GitInfo, ...errorResponses }
      }
    },
    async (request, reply) => {
      const { signal, done } = signalOfClient(reply)
      const { userId } = sessionOf(request)
      const info = await connectGit(deps, userId, request.params.id, request.body, signal).finally(done)
      await auditSecret(request, 'shown', request.params.id)
      return info
    }
  )
  app.post(
    '/api/projects/:id/git/ssh-key',
    {
      config,
      schema: { tags, summary: 'Make a new Ed25519 deploy key', params, response: { 200: SshKey, ...errorResponses } }
    },
    async (request) => ({ publicKey: await createSshKey(deps, sessionOf(request).userId, request.params.id) })
  )
  app.post(
    '/api/projects/:id/git/webhook-secret/rotate',
    {
      config,
      schema: {
        tags,
        summary: 'Make a new webhook secret; audited',
        params,
        response: { 200: WebhookSecret, ...errorResponses }
      }
    },
    async (request) => {
      const webhookSecret = await rotateWebhookSecret(deps, sessionOf(request).userId, request.params.id)
      await auditSecret(request, 'rotated', request.params.id)
      return { webhookSecret }
    }
  )
}

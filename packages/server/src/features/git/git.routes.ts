import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { GitConnect, GitInfo, SshKey, WebhookSecret } from '@panel/contract/git'
import { SecretsQuery } from '@panel/contract/projects'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { signalOfClient } from '../../http/client-gone.ts'
import { recordSecretShown } from '../projects/secret-shown.service.ts'
import { connectGit, createSshKey, getGitInfo, rotateWebhookSecret } from './git.service.ts'

const config = { access: sessionAccess }
const tags = ['Git']
const params = z.object({ id: Id })

export function gitRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/projects/:id/git',
    {
      config,
      schema: {
        tags,
        operationId: 'getGit',
        summary: 'Repository, deploy key and webhook of a project; audited where it shows the webhook secret',
        description:
          'Where to send pushes, the secret that signs them, and the public half of the deploy key, to be added at the provider.',
        params,
        querystring: SecretsQuery,
        response: { 200: GitInfo }
      }
    },
    async (request) => {
      const info = await getGitInfo(deps, sessionOf(request).userId, request.params.id, request.query)
      await recordSecretShown(deps, request, request.params.id, info)
      return info
    }
  )
  app.post(
    '/api/projects/:id/git/connect',
    {
      config: { ...config, admission: 'apart' },
      schema: {
        tags,
        operationId: 'connectGit',
        summary: 'Connect a repository: fetches its branch; audited, as it shows the webhook secret',
        description:
          'Fetches the branch first, and stores nothing of a repository that is not available. An https:// address is for a public repository, and has ' +
          'no user or token in it; `git@host:owner/repository` takes a deploy key (`createDeployKey`) that was added at the provider. The first ' +
          'connection makes the secret of the webhook.',
        params,
        body: GitConnect,
        errors: ['CONFLICT', 'GIT_NOT_CONNECTED', 'GIT_URL_UNSUPPORTED', 'GIT_UNREACHABLE'],
        response: { 200: GitInfo }
      }
    },
    async (request, reply) => {
      const { signal, done } = signalOfClient(reply)
      const { userId } = sessionOf(request)
      return connectGit(deps, request, userId, request.params.id, request.body, { signal }).finally(done)
    }
  )
  app.post(
    '/api/projects/:id/git/ssh-key',
    {
      config,
      schema: {
        tags,
        operationId: 'createDeployKey',
        summary: 'Make a new Ed25519 deploy key',
        description:
          'The private half stays on the server. A key of before opens nothing any more: add the new one at the provider, for reading.',
        params,
        errors: ['GIT_UNREACHABLE'],
        response: { 200: SshKey }
      }
    },
    async (request) => ({
      publicKey: await createSshKey(deps, request, sessionOf(request).userId, request.params.id)
    })
  )
  app.post(
    '/api/projects/:id/git/webhook-secret/rotate',
    {
      config,
      schema: {
        tags,
        operationId: 'rotateWebhookSecret',
        summary: 'Make a new webhook secret; audited',
        description:
          'Pushes that are signed with the one of before are refused from now on: put the new one in at the provider.',
        params,
        response: { 200: WebhookSecret }
      }
    },
    async (request) => ({
      webhookSecret: await rotateWebhookSecret(deps, request, sessionOf(request).userId, request.params.id)
    })
  )
}

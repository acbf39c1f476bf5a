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
        summary: 'Get the repository, deploy key and webhook of a project; audited if it reveals the webhook secret',
        description: 'Add the webhook URL, its secret and the public deploy key at your Git provider.',
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
        summary: 'Connect a repository; audited, because it reveals the webhook secret',
        description:
          'Fetches the branch first and stores nothing if that fails. Use an https:// URL without user or token for a public repository, ' +
          'or `git@host:owner/repository` with a deploy key (`createDeployKey`) that you added at the provider. The first ' +
          'connection generates the webhook secret. The source of the project becomes GIT.',
        params,
        body: GitConnect,
        errors: ['CONFLICT', 'GIT_NOT_CONNECTED', 'GIT_URL_UNSUPPORTED', 'GIT_UNREACHABLE', 'INVALID_TARGET'],
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
        summary: 'Create a new Ed25519 deploy key',
        description:
          'The private key stays on the server. The previous key stops working: add the new public key at your provider, read-only.',
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
        summary: 'Rotate the webhook secret; audited',
        description:
          'Pushes signed with the previous secret are rejected from now on: update the secret at your provider.',
        params,
        response: { 200: WebhookSecret }
      }
    },
    async (request) => ({
      webhookSecret: await rotateWebhookSecret(deps, request, sessionOf(request).userId, request.params.id)
    })
  )
}

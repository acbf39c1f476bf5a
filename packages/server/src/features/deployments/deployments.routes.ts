import { z } from 'zod'
import { Id } from '@panel/contract/common'
import {
  BuildRequest,
  Deployment,
  DeploymentChanges,
  DeploymentList,
  DeploymentLogPiece,
  DeploymentLogQuery,
  DeploymentQuery,
  DeployRequest,
  OneDeploymentQuery,
  DeployResult
} from '@panel/contract/deployments'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { signalOfClient } from '../../http/client-gone.ts'
import { listChanges } from './changes.service.ts'
import { readDeploymentLog } from './deployment-log-reading.service.ts'
import {
  cancelDeployment,
  getDeployment,
  listProjectDeployments,
  requestBuild,
  requestRollback
} from './deployments.service.ts'
import { deployLatestImage } from './deploy-latest.service.ts'

const config = { access: sessionAccess }
const deployConfig = { ...config, scope: 'deploy' } as const
const tags = ['Builds and deployments']
const params = z.object({ id: Id })
const deploymentParams = z.object({ id: Id, deploymentId: Id })

export function deploymentRoutes(app: App, deps: Dependencies): void {
  app.post(
    '/api/projects/:id/build',
    {
      config: deployConfig,
      schema: {
        tags,
        operationId: 'buildProject',
        summary: 'Build and deploy the head of the branch',
        description:
          'Queues a deployment and answers at once: fetch the branch, make an image, start a container of it, and move the route when it answers ' +
          'HTTP. Until then what serves goes on serving, and so it does where any of it fails. One deployment of a project runs at a time, and 20 may ' +
          'wait. `buildCmd` counts for this build alone; a token of the scope `deploy` may not send one. The result is at `getDeployment`, or on the ' +
          'live channel.',
        params,
        body: BuildRequest,
        errors: ['ACCOUNT_SUSPENDED', 'GIT_NOT_CONNECTED', 'DEPLOYMENT_IN_PROGRESS'],
        response: { 202: Deployment }
      }
    },
    async (request, reply) =>
      reply
        .code(202)
        .send(
          await requestBuild(
            deps,
            request,
            sessionOf(request).userId,
            request.params.id,
            request.body?.buildCmd ?? null
          )
        )
  )
  app.get(
    '/api/projects/:id/deployments',
    {
      config,
      schema: {
        tags,
        operationId: 'listDeployments',
        summary: 'List deployments, newest first',
        description: 'Each with the end of its log, unless `logs=false`. `active` marks the one that serves.',
        params,
        querystring: DeploymentQuery,
        response: { 200: DeploymentList }
      }
    },
    async (request) => listProjectDeployments(deps, sessionOf(request).userId, request.params.id, request.query)
  )
  app.get(
    '/api/projects/:id/deployments/:deploymentId',
    {
      config,
      schema: {
        tags,
        operationId: 'getDeployment',
        summary: 'Get one deployment with its log',
        description:
          'Over with RUNNING, FAILED or CANCELLED. `failure` says in which phase and why; the log comes with it, unless `logs=false`, and from an ' +
          'offset by `readDeploymentLog`.',
        params: deploymentParams,
        querystring: OneDeploymentQuery,
        response: { 200: Deployment }
      }
    },
    async (request) => {
      const { id, deploymentId } = request.params
      return getDeployment(deps, sessionOf(request).userId, { projectId: id, deploymentId, ...request.query })
    }
  )
  app.get(
    '/api/projects/:id/deployments/:deploymentId/log',
    {
      config,
      schema: {
        tags,
        operationId: 'readDeploymentLog',
        summary: 'Read the log of a deployment from an offset',
        description:
          'Pieces follow each other without a gap: ask again with `after` = `next`; `tail` gives the last lines in place of the first piece. To be sent lines as they come, say `subscribe:deployment-log` ' +
          '`{deploymentId, after}` on the live channel: `deployment:log` has `{deploymentId, offset, text, next}`, acknowledged each, until the deployment ends.',
        params: deploymentParams,
        querystring: DeploymentLogQuery,
        response: { 200: DeploymentLogPiece }
      }
    },
    async (request) => {
      const { id: projectId, deploymentId } = request.params
      return readDeploymentLog(deps, sessionOf(request).userId, { projectId, deploymentId, ...request.query })
    }
  )
  app.get(
    '/api/projects/:id/deployments/:deploymentId/changes',
    {
      // It fetches: for who may deploy.
      config: { ...deployConfig, rateLimited: 'discovery', admission: 'apart' },
      schema: {
        tags,
        operationId: 'listDeploymentChanges',
        summary: 'Commits since the deployment that served before',
        description: 'The git server is asked for them: it takes as long as that does, at most GIT_TIMEOUT.',
        params: deploymentParams,
        errors: ['CONFLICT', 'GIT_URL_UNSUPPORTED', 'GIT_UNREACHABLE', 'RATE_LIMITED'],
        response: { 200: DeploymentChanges }
      }
    },
    async (request, reply) => {
      const { id, deploymentId } = request.params
      const { signal, done } = signalOfClient(reply)
      return listChanges(deps, sessionOf(request).userId, id, deploymentId, { signal }).finally(done)
    }
  )
  app.post(
    '/api/projects/:id/deployments/:deploymentId/cancel',
    {
      config: deployConfig,
      schema: {
        tags,
        operationId: 'cancelDeployment',
        summary: 'Cancel an open deployment; what serves goes on serving',
        description:
          'What waits does not begin, and what is under way is ended with what it has started. One that has ended already is 409 DEPLOYMENT_FINISHED.',
        params: deploymentParams,
        errors: ['DEPLOYMENT_FINISHED'],
        response: { 200: Deployment }
      }
    },
    async (request) => {
      const { id, deploymentId } = request.params
      return cancelDeployment(deps, request, sessionOf(request).userId, id, deploymentId)
    }
  )
  app.post(
    '/api/projects/:id/deployments/:deploymentId/rollback',
    {
      config: deployConfig,
      schema: {
        tags,
        operationId: 'rollBackDeployment',
        summary: 'Deploy the kept image of this deployment again',
        description:
          'Without a build, and without waiting behind builds. Variables are today’s; the start command is the image’s. `canRollback` says whether ' +
          'its image is still kept (409 IMAGE_NOT_KEPT otherwise).',
        params: deploymentParams,
        errors: ['ACCOUNT_SUSPENDED', 'IMAGE_NOT_KEPT', 'DEPLOYMENT_IN_PROGRESS'],
        response: { 202: Deployment }
      }
    },
    async (request, reply) => {
      const { id, deploymentId } = request.params
      return reply.code(202).send(await requestRollback(deps, request, sessionOf(request).userId, id, deploymentId))
    }
  )
  app.post(
    '/api/projects/:id/deploy',
    {
      config: { ...deployConfig, admission: 'apart' },
      schema: {
        tags,
        operationId: 'deployProject',
        summary: 'Run the newest image again with the current variables, and wait for it',
        description:
          'With `domain`, a verified domain of yours points at the project from then on, and is its `deployedDomain` until it is pointed elsewhere or the ' +
          'next deployment has none.',
        params,
        body: DeployRequest,
        errors: [
          'ACCOUNT_SUSPENDED',
          'DOMAIN_NOT_VERIFIED',
          'CONFLICT',
          'NOT_BUILT',
          'IMAGE_NOT_KEPT',
          'CONTAINER_MISSING',
          'DEPLOYMENT_IN_PROGRESS',
          'DEPLOYMENT_FAILED'
        ],
        response: { 200: DeployResult }
      }
    },
    async (request) => {
      const { userId, scope } = sessionOf(request)
      // A token that may deploy must not point a domain elsewhere.
      const mayMoveDomain = scope === undefined || scope === 'full'
      return deployLatestImage(deps, request, userId, request.params.id, {
        domain: request.body?.domain,
        mayMoveDomain
      })
    }
  )
}

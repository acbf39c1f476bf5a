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
          'If the source of the project is FILES: takes a snapshot of its files and serves them, with what `_redirects` and `_headers` say now. ' +
          'Queues a deployment and returns immediately. It fetches the branch, builds an image, starts a container and switches the route once it ' +
          'answers HTTP. Until then, and if any step fails, the previous release stays live. A project runs one deployment at a time; up to 20 can ' +
          'be queued. `retryOf` repeats a deployment of an uploaded folder; 409 UPLOAD_NOT_KEPT if the folder is no longer kept. `buildCmd` applies to this build only; a token with the scope `deploy` cannot send it. Follow the result with `getDeployment` or on the ' +
          'live channel.',
        params,
        body: BuildRequest,
        errors: ['ACCOUNT_SUSPENDED', 'GIT_NOT_CONNECTED', 'UPLOAD_NOT_KEPT', 'DEPLOYMENT_IN_PROGRESS'],
        response: { 202: Deployment }
      }
    },
    async (request, reply) =>
      reply
        .code(202)
        .send(await requestBuild(deps, request, sessionOf(request).userId, request.params.id, request.body ?? {}))
  )
  app.get(
    '/api/projects/:id/deployments',
    {
      config,
      schema: {
        tags,
        operationId: 'listDeployments',
        summary: 'List deployments, newest first',
        description: 'Each with the end of its log, unless `logs=false`. `active` marks the live one.',
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
          'It has ended once `status` is RUNNING, FAILED or CANCELLED. `failure` has the phase and the reason. Includes the log unless `logs=false`; to read ' +
          'it from an offset, use `readDeploymentLog`.',
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
          'To read on, pass the last `next` as `after`; `tail` returns the last lines instead. To stream the log, send `subscribe:deployment-log` ' +
          '`{deploymentId, after}` on the live channel and acknowledge each `deployment:log` `{deploymentId, offset, text, next}`, until the deployment ends.',
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
      // Requires the deploy scope because it fetches from the Git server.
      config: { ...deployConfig, rateLimited: 'discovery', admission: 'apart' },
      schema: {
        tags,
        operationId: 'listDeploymentChanges',
        summary: 'List the commits since the previous release',
        description: 'Queries the Git server, so it can take up to GIT_TIMEOUT.',
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
        summary: 'Cancel a queued or running deployment; the live release is not affected',
        description:
          'A queued deployment does not start; a running one is stopped and its container removed. Returns 409 DEPLOYMENT_FINISHED if it has already ended.',
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
        summary: 'Roll back to the image of this deployment',
        description:
          'Does not build and does not wait behind builds. Uses the current variables and the start command of the image. `canRollback` says whether ' +
          'the image is still kept (otherwise 409 IMAGE_NOT_KEPT).',
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
        summary: 'Deploy the latest image with the current variables, and wait for the result',
        description:
          '`domain` points one of your verified domains at the project; it is the `deployedDomain` until you point it elsewhere or the ' +
          'next deployment omits it.',
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
      // The deploy scope does not include moving domains.
      const mayMoveDomain = scope === undefined || scope === 'full'
      return deployLatestImage(deps, request, userId, request.params.id, {
        domain: request.body?.domain,
        mayMoveDomain
      })
    }
  )
}

import { z } from 'zod'
import { Id } from '@panel/contract/common'
import {
  CreateProject,
  Project,
  ProjectList,
  ProjectQuery,
  SecretsQuery,
  UpdateProject
} from '@panel/contract/projects'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { changeProject, createProject, deleteProject, getProject, listOwnProjects } from './projects.service.ts'
import { recordSecretShown } from './secret-shown.service.ts'

const config = { access: sessionAccess }
const tags = ['Projects']
const params = z.object({ id: Id })

export function projectRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/projects',
    {
      config: { ...config, compressed: true },
      schema: {
        tags,
        operationId: 'listProjects',
        summary: 'List your projects, newest first',
        description: 'Does not return webhook secrets. `status=DELETED` lists deleted projects.',
        querystring: ProjectQuery,
        response: { 200: ProjectList }
      },
      // Hot path: rows are read in the shape of the schema, so they need no second validation.
      serializerCompiler: () => JSON.stringify
    },
    async (request) => listOwnProjects(deps, sessionOf(request).userId, request.query)
  )
  app.post(
    '/api/projects',
    {
      config,
      schema: {
        tags,
        operationId: 'createProject',
        summary: 'Create a project',
        description:
          'Creates the project, its file directory and its hostname `{name}.{BASE_DOMAIN}`, but does not build it. `gitUrl` and `branch` set ' +
          'the repository; `connectGit` fetches it. Commands and port that you omit are detected from the repository (`getDetection`).',
        body: CreateProject,
        errors: [
          'ACCOUNT_SUSPENDED',
          'QUOTA_EXCEEDED',
          'PROJECT_NAME_EXISTS',
          'GIT_URL_UNSUPPORTED',
          'INVALID_TARGET',
          'NODE_UNAVAILABLE',
          'RUNTIME_VERSION_UNSUPPORTED'
        ],
        response: { 201: Project }
      }
    },
    async (request, reply) =>
      reply.code(201).send(await createProject(deps, request, sessionOf(request).userId, request.body))
  )
  app.get(
    '/api/projects/:id',
    {
      config,
      schema: {
        tags,
        operationId: 'getProject',
        summary: 'Get a project; audited if it reveals the webhook secret',
        description: 'Includes `webhookSecret` if the session or token may see it; each time is audited.',
        params,
        querystring: SecretsQuery,
        response: { 200: Project }
      }
    },
    async (request) => {
      const project = await getProject(deps, sessionOf(request).userId, request.params.id, request.query)
      await recordSecretShown(deps, request, project.id, project)
      return project
    }
  )
  app.put(
    '/api/projects/:id',
    {
      config,
      schema: {
        tags,
        operationId: 'updateProject',
        summary: 'Update a project',
        description:
          'Omitted members stay unchanged; null removes a command, the port or the repository. Commands, port and name take effect on the next ' +
          'build or deployment. A change of `size`, `instances`, `stickySessions` or `pageCache` starts a deployment of the running image, without a build.',
        params,
        body: UpdateProject,
        errors: [
          'ACCOUNT_SUSPENDED',
          'CONFLICT',
          'DEPLOYMENT_IN_PROGRESS',
          'GIT_URL_UNSUPPORTED',
          'INVALID_TARGET',
          'PROJECT_NAME_EXISTS',
          'QUOTA_EXCEEDED',
          'RUNTIME_VERSION_UNSUPPORTED'
        ],
        response: { 200: Project }
      }
    },
    async (request) => changeProject(deps, request, sessionOf(request).userId, request.params.id, request.body)
  )
  app.delete(
    '/api/projects/:id',
    {
      config,
      schema: {
        tags,
        operationId: 'deleteProject',
        summary: 'Delete a project, its container, volumes, images, routes and files',
        description:
          'Databases and domains stay in the account, detached from the project: a domain keeps its verification, certificate and zone, and serves the default page.',
        params,
        response: { 204: z.null() }
      }
    },
    async (request, reply) => {
      await deleteProject(deps, request, sessionOf(request).userId, request.params.id)
      return reply.code(204).send(null)
    }
  )
}

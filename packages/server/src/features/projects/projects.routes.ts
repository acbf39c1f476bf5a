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
        description: 'Without their webhook secrets. `status=DELETED` lists those that were deleted.',
        querystring: ProjectQuery,
        response: { 200: ProjectList }
      },
      // The hottest answer: its rows are read member by member as the schema has them, and need no second look.
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
          'Makes the project, its folder for files and its host name `{name}.{BASE_DOMAIN}`; nothing is built yet. With `gitUrl` and `branch` it ' +
          'knows its repository; `connectGit` fetches it. What is left out of commands and port is found in the repository (`getDetection`).',
        body: CreateProject,
        errors: ['ACCOUNT_SUSPENDED', 'QUOTA_EXCEEDED', 'PROJECT_NAME_EXISTS', 'GIT_URL_UNSUPPORTED'],
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
        summary: 'Get a project; audited where it shows the webhook secret',
        description: 'With `webhookSecret`, where the token or session may see it; each showing is audited.',
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
        summary: 'Change a project',
        description:
          'Members that are left out stay; null takes a command, a port or the repository away. Commands, port and a new name count with the next ' +
          'build or deployment, whose container replaces the one that runs.',
        params,
        body: UpdateProject,
        errors: ['PROJECT_NAME_EXISTS', 'GIT_URL_UNSUPPORTED'],
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
          'Its databases and domains stay with the account, linked to no project: a domain keeps its verification, certificate and zone, and answers with the plain page.',
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

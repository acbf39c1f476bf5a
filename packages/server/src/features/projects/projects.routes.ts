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
      config,
      schema: {
        tags,
        operationId: 'listProjects',
        summary: 'List your projects, newest first',
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

import fastJson from 'fast-json-stringify'
import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { CreateProject, Project, ProjectList, ProjectQuery, UpdateProject } from '@panel/contract/projects'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { errorResponses } from '../../http/openapi.ts'
import { changeProject, createProject, createProjectList, deleteProject, getProject } from './projects.service.ts'

const config = { access: sessionAccess }
const tags = ['Projects']
const params = z.object({ id: Id })

export function projectRoutes(app: App, deps: Dependencies): void {
  const listProjects = createProjectList(deps)
  // The hottest answer is written by a compiled serializer, which strips what the schema does not name just as zod would.
  const stringifyList = fastJson(z.toJSONSchema(ProjectList, { target: 'draft-7', io: 'output' }) as fastJson.Schema)

  app.get(
    '/api/projects',
    {
      config,
      schema: {
        tags,
        summary: 'List your projects, newest first',
        querystring: ProjectQuery,
        response: { 200: ProjectList, ...errorResponses }
      },
      serializerCompiler: () => stringifyList
    },
    async (request) => listProjects(sessionOf(request).userId, request.query)
  )
  app.post(
    '/api/projects',
    {
      config,
      schema: { tags, summary: 'Create a project', body: CreateProject, response: { 201: Project, ...errorResponses } }
    },
    async (request, reply) => reply.code(201).send(await createProject(deps, sessionOf(request).userId, request.body))
  )
  app.get(
    '/api/projects/:id',
    { config, schema: { tags, summary: 'Get a project', params, response: { 200: Project, ...errorResponses } } },
    async (request) => getProject(deps, sessionOf(request).userId, request.params.id)
  )
  app.put(
    '/api/projects/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Change a project',
        params,
        body: UpdateProject,
        response: { 200: Project, ...errorResponses }
      }
    },
    async (request) => changeProject(deps, sessionOf(request).userId, request.params.id, request.body)
  )
  app.delete(
    '/api/projects/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Delete a project, its container, volumes, images, routes and files',
        description: 'Its databases stay with the account, linked to no project.',
        params,
        response: { 204: z.null(), ...errorResponses }
      }
    },
    async (request, reply) => {
      await deleteProject(deps, request, sessionOf(request).userId, request.params.id)
      return reply.code(204).send(null)
    }
  )
}

import { z } from 'zod'
import { Id, Message } from '@panel/contract/common'
import { CreateEnvGroup, EnvGroup, EnvGroupList, ProjectEnvGroups, SetProjectEnvGroups } from '@panel/contract/env-vars'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import {
  createEnvGroup,
  listOwnGroups,
  listProjectGroups,
  removeEnvGroup,
  setProjectGroups
} from './env-groups.service.ts'

const config = { access: sessionAccess }
const tags = ['Environment variables']
const params = z.object({ id: Id })

export function envGroupRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/env-groups',
    {
      config,
      schema: {
        tags,
        operationId: 'listEnvGroups',
        summary: 'List groups of variables',
        description: 'With the number of variables and the projects that get them, by name.',
        response: { 200: EnvGroupList }
      }
    },
    async (request) => ({ groups: await listOwnGroups(deps, sessionOf(request).userId) })
  )
  app.post(
    '/api/env-groups',
    {
      config,
      schema: {
        tags,
        operationId: 'createEnvGroup',
        summary: 'Create a group of variables',
        description:
          'Several projects can share its variables (`setProjectEnvGroups`). The name is fixed, because references contain it.',
        body: CreateEnvGroup,
        errors: ['ENV_GROUP_EXISTS'],
        response: { 201: EnvGroup }
      }
    },
    async (request, reply) =>
      reply.status(201).send(await createEnvGroup(deps, request, sessionOf(request).userId, request.body.name))
  )
  app.delete(
    '/api/env-groups/:id',
    {
      config,
      schema: {
        tags,
        operationId: 'deleteEnvGroup',
        summary: 'Delete a group with its variables',
        description: 'Running containers keep them until the next deployment.',
        params,
        response: { 200: Message }
      }
    },
    async (request) => {
      await removeEnvGroup(deps, request, sessionOf(request).userId, request.params.id)
      return { message: 'Group deleted' }
    }
  )
  app.get(
    '/api/projects/:id/env-groups',
    {
      config,
      schema: {
        tags,
        operationId: 'listProjectEnvGroups',
        summary: 'List the groups whose variables a project gets',
        description: 'By precedence: of several groups with a key, the first counts.',
        params,
        response: { 200: ProjectEnvGroups }
      }
    },
    (request) => listProjectGroups(deps, sessionOf(request).userId, request.params.id)
  )
  app.put(
    '/api/projects/:id/env-groups',
    {
      config,
      schema: {
        tags,
        operationId: 'setProjectEnvGroups',
        summary: 'Set the groups of a project, by precedence',
        description:
          'Replaces the list. Variables of the project beat those of groups, and earlier groups beat later ones. Takes effect on the next ' +
          'deployment.',
        params,
        body: SetProjectEnvGroups,
        response: { 200: ProjectEnvGroups }
      }
    },
    (request) => setProjectGroups(deps, request, sessionOf(request).userId, request.params.id, request.body.groupIds)
  )
}

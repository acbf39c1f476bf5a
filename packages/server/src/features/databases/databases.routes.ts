import { z } from 'zod'
import { Id, Message } from '@panel/contract/common'
import {
  CreateDatabase,
  Database,
  DatabaseList,
  DatabaseQuery,
  DatabaseTest,
  OneDatabaseQuery,
  UpdateDatabase
} from '@panel/contract/databases'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { hasFullScope } from '../../http/field-scope.ts'
import {
  addDatabase,
  changeDatabase,
  changePassword,
  listDatabases,
  showDatabase,
  testDatabase,
  viewDatabase
} from './databases.service.ts'
import { deleteDatabase } from './removal.service.ts'

const config = { access: sessionAccess }
const tags = ['Databases']
const params = z.object({ id: Id })

export function databaseRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/databases',
    {
      config,
      schema: {
        tags,
        operationId: 'listDatabases',
        summary: 'List your databases',
        description: 'Newest first, with passwords masked. Use `getDatabase` for the password.',
        querystring: DatabaseQuery,
        errors: [
          'NOT_FOUND',
          'CONFLICT',
          'NETWORKS_EXHAUSTED',
          'CONTAINER_ENGINE_UNAVAILABLE',
          'DATABASE_SERVER_UNAVAILABLE'
        ],
        response: { 200: DatabaseList }
      }
    },
    async (request) => listDatabases(deps, sessionOf(request).userId, request.query)
  )
  app.post(
    '/api/databases',
    {
      config,
      schema: {
        tags,
        operationId: 'createDatabase',
        summary: 'Create a database and its user',
        description:
          'Names are unique per engine on this server, case-insensitive. `autoInjectEnv` adds the seven connection variables to the project; ' +
          '409 DATABASE_VARIABLES_EXIST if one of them is already set. They take effect on the next deployment.',
        body: CreateDatabase,
        errors: [
          'ACCOUNT_SUSPENDED',
          'QUOTA_EXCEEDED',
          'NOT_FOUND',
          'CONFLICT',
          'IMAGE_NOT_KEPT',
          'DEPLOYMENT_IN_PROGRESS',
          'DATABASE_NAME_EXISTS',
          'DATABASE_VARIABLES_EXIST',
          'DATABASE_CHANGING',
          'NETWORKS_EXHAUSTED',
          'CONTAINER_ENGINE_UNAVAILABLE',
          'DATABASE_SERVER_UNAVAILABLE'
        ],
        response: { 201: Database }
      }
    },
    async (request, reply) =>
      reply.code(201).send(await addDatabase(deps, request, sessionOf(request).userId, request.body))
  )
  app.get(
    '/api/databases/:id',
    {
      config,
      schema: {
        tags,
        operationId: 'getDatabase',
        summary: 'Get a database',
        description:
          'Includes the address for containers and the one for the server itself. Showing the password is audited. Tokens without the scope ' +
          '`full` get the response of `secrets=false`.',
        params,
        querystring: OneDatabaseQuery,
        errors: ['CONFLICT', 'NETWORKS_EXHAUSTED', 'CONTAINER_ENGINE_UNAVAILABLE', 'DATABASE_SERVER_UNAVAILABLE'],
        response: { 200: Database }
      }
    },
    async (request) => {
      const { userId } = sessionOf(request)
      const { id } = request.params
      const isShown = request.query.secrets && hasFullScope(request)
      return isShown ? showDatabase(deps, request, userId, id) : viewDatabase(deps, userId, id)
    }
  )
  app.patch(
    '/api/databases/:id',
    {
      config,
      schema: {
        tags,
        operationId: 'updateDatabase',
        summary: 'Link or unlink a database',
        description:
          'Removes the injected variables from the previous project, except those edited by hand. Takes effect on the next deployment. The ' +
          'password is masked.',
        params,
        body: UpdateDatabase,
        errors: [
          'CONFLICT',
          'DATABASE_VARIABLES_EXIST',
          'NETWORKS_EXHAUSTED',
          'CONTAINER_ENGINE_UNAVAILABLE',
          'DATABASE_SERVER_UNAVAILABLE'
        ],
        response: { 200: Database }
      }
    },
    async (request) => changeDatabase(deps, request, sessionOf(request).userId, request.params.id, request.body)
  )
  app.post(
    '/api/databases/:id/test',
    {
      config,
      schema: {
        tags,
        operationId: 'testDatabase',
        summary: 'Test the connection',
        description:
          "Connects as the database's user. Connection errors, including an unreachable engine, are reported in a 200 response.",
        params,
        errors: ['CONFLICT', 'DATABASE_SERVER_UNAVAILABLE'],
        response: { 200: DatabaseTest }
      }
    },
    async (request) => testDatabase(deps, sessionOf(request).userId, request.params.id)
  )
  app.post(
    '/api/databases/:id/rotate-password',
    {
      config,
      schema: {
        tags,
        operationId: 'rotateDatabasePassword',
        summary: 'Rotate the password',
        description:
          "Also updates the linked project's variables and redeploys a live site from the same image. A stopped site gets the new password " +
          'on its next deployment. After a 503 the panel completes the rotation on its own.',
        params,
        errors: [
          'ACCOUNT_SUSPENDED',
          'CONFLICT',
          'IMAGE_NOT_KEPT',
          'DEPLOYMENT_IN_PROGRESS',
          'DATABASE_CHANGING',
          'NETWORKS_EXHAUSTED',
          'CONTAINER_ENGINE_UNAVAILABLE',
          'DATABASE_SERVER_UNAVAILABLE'
        ],
        response: { 200: Database }
      }
    },
    async (request) => changePassword(deps, request, sessionOf(request).userId, request.params.id)
  )
  app.delete(
    '/api/databases/:id',
    {
      config,
      schema: {
        tags,
        operationId: 'deleteDatabase',
        summary: 'Delete a database',
        description:
          'Drops the database, its user and the injected variables, and closes open connections. Cannot be undone. The linked project keeps ' +
          'its current variables until the next deployment.',
        params,
        errors: [
          'ACCOUNT_SUSPENDED',
          'IMAGE_NOT_KEPT',
          'DEPLOYMENT_IN_PROGRESS',
          'DATABASE_CHANGING',
          'NETWORKS_EXHAUSTED',
          'CONTAINER_ENGINE_UNAVAILABLE',
          'DATABASE_SERVER_UNAVAILABLE'
        ],
        response: { 200: Message }
      }
    },
    async (request) => {
      await deleteDatabase(deps, request, sessionOf(request).userId, request.params.id)
      return { message: 'Database deleted' }
    }
  )
}

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
        summary: 'List your databases, newest first, passwords masked',
        description: 'Names, engines and linked projects; `getDatabase` has the password.',
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
        summary: 'Create a database and the account that may use it alone',
        description:
          'Names are those of the engine: whoever comes first has one, the case does not count. With autoInjectEnv the project gets the ' +
          'seven variables of the connection; 409 DATABASE_VARIABLES_EXIST where it has one of them already. A running site gets them with ' +
          'its next deployment.',
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
        summary: 'Show a database; audited where it shows the password',
        description:
          'With the addresses from inside (containers) and from the server itself. To a token below the scope `full` it is as with `secrets=false`.',
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
        summary: 'Link a database to another project or to none',
        description:
          'Variables that the database brought go with the link; what was set by hand since stays. A running site notices with its next ' +
          'deployment. The password is masked.',
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
        summary: 'Connect as the account of the database',
        description: 'What stands in the way is the answer, also an engine that cannot be reached.',
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
        summary: 'Give the account a new password',
        description:
          'The variables of the linked project change with it, and a site that is live is deployed again from the same image. One that is ' +
          'stopped gets the password with its next deployment. After a 503 in between, the panel goes on by itself.',
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
        summary: 'Drop a database, its account and the variables it brought; open connections end',
        description:
          'There is no way back. The linked project keeps running with the variables that it has until its next deployment.',
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
      return { message: 'The database is deleted' }
    }
  )
}

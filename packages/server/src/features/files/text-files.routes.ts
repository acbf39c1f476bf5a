import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { FileContent, maxReadBytes, PathQuery, ReplaceFile, WriteFile, WrittenFile } from '@panel/contract/files'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess } from '../../http/access.ts'
import { readText, writeText } from './files.service.ts'
import { projectScopeOf } from './project-scope.service.ts'

const config = { access: sessionAccess }
const tags = ['Files']
const params = z.object({ id: Id.meta({ description: 'A project, or one of its volumes.' }) })
// JSON may escape one character as six.
const contentBodyLimit = 6 * maxReadBytes + 64 * 1024

export async function textFileRoutes(app: App, deps: Dependencies): Promise<void> {
  app.get(
    '/api/files/:id/read',
    {
      config: { ...config, scope: 'full' },
      schema: {
        tags,
        operationId: 'readFile',
        summary: 'Read a text file',
        description: 'Up to 2 MB (413). Files that are not UTF-8 are 409 NOT_TEXT; download them instead.',
        params,
        querystring: PathQuery,
        errors: ['PATH_INVALID', 'PATH_FORBIDDEN', 'NOT_A_FILE', 'NOT_TEXT', 'PAYLOAD_TOO_LARGE', 'FILES_UNAVAILABLE'],
        response: { 200: FileContent }
      }
    },
    async (request) => readText(deps, projectScopeOf(request), request.query.path)
  )
  app.post(
    '/api/files/:id/create',
    {
      config,
      bodyLimit: contentBodyLimit,
      schema: {
        tags,
        operationId: 'createFile',
        summary: 'Create a text file',
        description: 'Creates missing parent folders. 409 if the path already exists.',
        params,
        body: WriteFile,
        errors: [
          'PATH_INVALID',
          'PATH_FORBIDDEN',
          'PATH_PROTECTED',
          'FILE_ALREADY_EXISTS',
          'NOT_A_FILE',
          'NOT_A_DIRECTORY',
          'FILES_UNAVAILABLE'
        ],
        response: { 201: WrittenFile }
      }
    },
    async (request, reply) =>
      reply.code(201).send(await writeText(deps, projectScopeOf(request), 'create', request.body))
  )
  app.post(
    '/api/files/:id/write',
    {
      config,
      bodyLimit: contentBodyLimit,
      schema: {
        tags,
        operationId: 'writeFile',
        summary: 'Create or replace a text file',
        description:
          'Atomic. Creates missing parent folders. With `ifMatch`, fails with 409 FILE_CHANGED if the file has changed since you read it.',
        params,
        body: ReplaceFile,
        errors: [
          'PATH_INVALID',
          'PATH_FORBIDDEN',
          'PATH_PROTECTED',
          'FILE_CHANGED',
          'NOT_A_FILE',
          'NOT_A_DIRECTORY',
          'FILES_UNAVAILABLE'
        ],
        response: { 200: WrittenFile }
      }
    },
    async (request) => writeText(deps, projectScopeOf(request), 'replace', request.body)
  )
}

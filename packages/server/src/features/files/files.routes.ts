import { z } from 'zod'
import { Id, Message } from '@panel/contract/common'
import {
  ChangeMode,
  ExtractArchive,
  Extracted,
  FileList,
  FileListQuery,
  FileNode,
  FileSearch,
  FileSearchQuery,
  FromTo,
  PathBody
} from '@panel/contract/files'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess } from '../../http/access.ts'
import { sendJson } from '../../http/send-json.ts'
import {
  changeMode,
  copyFile,
  deleteFile,
  extractArchive,
  listFiles,
  makeDirectory,
  moveFile,
  searchFiles
} from './files.service.ts'
import { projectScopeOf } from './project-scope.service.ts'
import { textFileRoutes } from './text-files.routes.ts'
import { transferRoutes } from './transfer.routes.ts'

const config = { access: sessionAccess }
const tags = ['Files']
const params = z.object({ id: Id.meta({ description: 'A project, or one of its volumes.' }) })

/** Another account's project is 404 here, where other project routes answer 403. */
export async function fileRoutes(app: App, deps: Dependencies): Promise<void> {
  app.get(
    '/api/files/:id/list',
    {
      config: { ...config, admission: 'large', compressed: true },
      schema: {
        tags,
        operationId: 'listFiles',
        summary: 'List a folder',
        description: 'Sorted by name. For the next page, pass `next` as `after`.',
        params,
        querystring: FileListQuery,
        errors: ['PATH_INVALID', 'PATH_FORBIDDEN', 'CONFLICT', 'NOT_A_DIRECTORY', 'FILES_UNAVAILABLE'],
        response: { 200: FileList }
      }
    },
    async (request, reply) => {
      return sendJson(reply, await listFiles(deps, projectScopeOf(request), request.query))
    }
  )
  app.delete(
    '/api/files/:id/delete',
    {
      config,
      schema: {
        tags,
        operationId: 'deleteFile',
        summary: 'Delete a file, or a folder and its contents',
        description: '403 PATH_PROTECTED if the path or anything below it is protected; then nothing is deleted.',
        params,
        body: PathBody,
        errors: ['PATH_INVALID', 'PATH_FORBIDDEN', 'PATH_PROTECTED', 'FILES_UNAVAILABLE'],
        response: { 200: Message }
      }
    },
    async (request) => ({ message: `Deleted ${await deleteFile(deps, projectScopeOf(request), request.body.path)}` })
  )
  for (const operation of ['rename', 'move'] as const)
    app.post(
      `/api/files/:id/${operation}`,
      {
        config,
        schema: {
          tags,
          operationId: operation === 'rename' ? 'renameFile' : 'moveFile',
          summary: operation === 'rename' ? 'Rename a file or folder' : 'Move a file or folder',
          description: '`to` is the full new path. Never overwrites: 409 FILE_ALREADY_EXISTS.',
          params,
          body: FromTo,
          errors: [
            'PATH_INVALID',
            'PATH_FORBIDDEN',
            'PATH_PROTECTED',
            'FILE_ALREADY_EXISTS',
            'NOT_A_DIRECTORY',
            'FILES_UNAVAILABLE'
          ],
          response: { 200: FileNode }
        }
      },
      async (request) => moveFile(deps, projectScopeOf(request), request.body)
    )
  app.post(
    '/api/files/:id/mkdir',
    {
      config,
      schema: {
        tags,
        operationId: 'createDirectory',
        summary: 'Create a folder',
        description: 'Creates missing parent folders.',
        params,
        body: PathBody,
        errors: [
          'PATH_INVALID',
          'PATH_FORBIDDEN',
          'PATH_PROTECTED',
          'FILE_ALREADY_EXISTS',
          'NOT_A_DIRECTORY',
          'FILES_UNAVAILABLE'
        ],
        response: { 201: FileNode }
      }
    },
    async (request, reply) =>
      reply.code(201).send(await makeDirectory(deps, projectScopeOf(request), request.body.path))
  )
  app.post(
    '/api/files/:id/copy',
    {
      config,
      schema: {
        tags,
        operationId: 'copyFile',
        summary: 'Copy a file, or a folder and its contents',
        description:
          'You can copy a single protected file to an unprotected name, where a web server may expose it, but not a folder that contains ' +
          'one. 409 CONFLICT while two of your copies, searches or extractions are running.',
        params,
        body: FromTo,
        errors: [
          'PATH_INVALID',
          'QUOTA_EXCEEDED',
          'PATH_FORBIDDEN',
          'PATH_PROTECTED',
          'CONFLICT',
          'FILE_ALREADY_EXISTS',
          'NOT_A_FILE',
          'NOT_A_DIRECTORY',
          'FILES_UNAVAILABLE'
        ],
        response: { 201: FileNode }
      }
    },
    async (request, reply) => reply.code(201).send(await copyFile(deps, projectScopeOf(request), request.body))
  )
  app.post(
    '/api/files/:id/chmod',
    {
      config,
      schema: {
        tags,
        operationId: 'changeFileMode',
        summary: 'Change file permissions',
        description: 'Three octal digits, as in `chmod 644`.',
        params,
        body: ChangeMode,
        errors: ['PATH_INVALID', 'PATH_FORBIDDEN', 'PATH_PROTECTED', 'NOT_A_FILE', 'FILES_UNAVAILABLE'],
        response: { 200: FileNode }
      }
    },
    async (request) => changeMode(deps, projectScopeOf(request), request.body)
  )
  app.post(
    '/api/files/:id/extract',
    {
      config,
      schema: {
        tags,
        operationId: 'extractArchive',
        summary: 'Extract an archive',
        description:
          'All or nothing: the archive is rejected if any entry points outside the folder, is a link or a device, has a protected name ' +
          'or already exists.',
        params,
        body: ExtractArchive,
        errors: [
          'PATH_INVALID',
          'QUOTA_EXCEEDED',
          'PATH_FORBIDDEN',
          'PATH_PROTECTED',
          'CONFLICT',
          'FILE_ALREADY_EXISTS',
          'NOT_A_FILE',
          'NOT_A_DIRECTORY',
          'ARCHIVE_INVALID',
          'FILES_UNAVAILABLE'
        ],
        response: { 200: Extracted }
      }
    },
    async (request) => extractArchive(deps, projectScopeOf(request), request.body)
  )
  app.get(
    '/api/files/:id/search',
    {
      config: { ...config, compressed: true },
      schema: {
        tags,
        operationId: 'searchFiles',
        summary: 'Search files by name',
        description:
          'Matches part of the name, case-insensitively, below `path`. Returns at most `limit` results. Does not follow links.',
        params,
        querystring: FileSearchQuery,
        errors: ['PATH_INVALID', 'PATH_FORBIDDEN', 'CONFLICT', 'NOT_A_DIRECTORY', 'FILES_UNAVAILABLE'],
        response: { 200: FileSearch }
      }
    },
    async (request) => searchFiles(deps, projectScopeOf(request), request.query)
  )
  await textFileRoutes(app, deps)
  await transferRoutes(app, deps)
}

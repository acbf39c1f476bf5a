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
const params = z.object({ id: Id })

/** Everything is relative to the project's root; a project that is not the caller's is 404 here, where other routes of a project say 403. */
export async function fileRoutes(app: App, deps: Dependencies): Promise<void> {
  app.get(
    '/api/files/:id/list',
    {
      config: { ...config, admission: 'large', compressed: true },
      schema: {
        tags,
        operationId: 'listFiles',
        summary: 'List a directory',
        description: 'In order of the names. More than `limit` is got by asking again with `after`.',
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
        summary: 'Delete a file, or a directory with all that is in it',
        description: '403 PATH_PROTECTED also where something below is protected: then nothing is deleted.',
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
          summary: operation === 'rename' ? 'Rename a file or directory' : 'Move a file or directory',
          description: '`to` is its whole new path; what is there stays, 409 FILE_ALREADY_EXISTS.',
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
        summary: 'Make a directory',
        description: 'Directories above it that are missing are made.',
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
        summary: 'Copy a file, or a directory with all that is in it',
        description:
          'A protected file alone can be copied to a name that is not protected, where a web server may give it away; a directory that has one ' +
          'cannot. 409 CONFLICT while two copies, searches or extractions of yours are under way.',
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
        summary: 'Change who may read, write and execute',
        description: 'Three octal digits, as `chmod` takes them.',
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
        summary: 'Unpack an archive',
        description:
          'All of it or nothing: an entry that leads out of the directory, is a link or a device, has a protected name or is there ' +
          'already refuses the whole.',
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
        summary: 'Search files by a part of their name',
        description: 'Below `path`, in any case, at most `limit`; links are not followed.',
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

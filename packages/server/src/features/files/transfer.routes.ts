import multipart from '@fastify/multipart'
import { validatorCompiler } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { FileNode, PathQuery, UploadForm } from '@panel/contract/files'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { sessionAccess } from '../../http/access.ts'
import { sendArchive } from '../../http/send-archive.ts'
import { sendFile } from '../../http/send-file.ts'
import { downloadDirectory, downloadFile } from './download.service.ts'
import { projectScopeOf } from './project-scope.service.ts'
import { formLimits } from './upload-form.service.ts'
import { uploadFile } from './upload.service.ts'

const config = { access: sessionAccess }
// Read-only tokens get no file contents, which may include passwords, keys and customer data.
const contentConfig = { ...config, scope: 'full', admission: 'apart' } as const
const tags = ['Files']
const params = z.object({ id: Id.meta({ description: 'A project, or one of its volumes.' }) })
const ArchiveQuery = z.object({ path: PathQuery.shape.path.default('') })
const binary = z.string().meta({ format: 'binary' })
const mebibyte = 1024 * 1024
const formBytes = mebibyte
// The parser's default of 16 KiB waits for the disk; larger buffers get old and cause long GC pauses.
const bufferedBytes = mebibyte / 16

export async function transferRoutes(app: App, deps: Dependencies): Promise<void> {
  app.get(
    '/api/files/:id/download',
    {
      config: contentConfig,
      schema: {
        tags,
        operationId: 'downloadFile',
        summary: 'Download a file',
        description:
          'Supports a single byte range (`Range`); several ranges return the whole file. Supports `ETag` with `If-None-Match` and `If-Range`.',
        params,
        querystring: PathQuery,
        errors: [
          'PATH_INVALID',
          'PATH_FORBIDDEN',
          'CONFLICT',
          'NOT_A_FILE',
          'RANGE_NOT_SATISFIABLE',
          'FILES_UNAVAILABLE'
        ],
        answerHeaders: ['Accept-Ranges', 'Content-Disposition', 'Content-Range', 'ETag', 'Last-Modified'],
        receives: {
          headers: {
            Range: { description: 'One part of the file (RFC 9110 §14).', example: 'bytes=0-1023' },
            'If-None-Match': {
              description: 'ETag of your copy; 304 if the file is unchanged.',
              example: '"1f-18c2"'
            },
            'If-Range': { description: 'Returns the whole file if the ETag no longer matches.', example: '"1f-18c2"' }
          }
        },
        response: {
          200: { content: { 'application/octet-stream': { schema: binary } } },
          206: { content: { 'application/octet-stream': { schema: binary } } },
          304: z.null()
        }
      }
    },
    async (request, reply) => {
      await downloadFile(deps, projectScopeOf(request), request.query.path, (file) => sendFile(reply, file, deps.now()))
    }
  )
  app.get(
    '/api/files/:id/archive',
    {
      config: contentConfig,
      schema: {
        tags,
        operationId: 'downloadDirectory',
        summary: 'Download a folder as tar.gz',
        description:
          'Omits links that point outside the project, sockets, devices and FIFOs. Includes `.env` files; `extract` rejects an archive that contains them.',
        params,
        querystring: ArchiveQuery,
        errors: ['PATH_INVALID', 'PATH_FORBIDDEN', 'CONFLICT', 'NOT_A_DIRECTORY', 'FILES_UNAVAILABLE'],
        answerHeaders: ['Content-Disposition'],
        response: { 200: { content: { 'application/gzip': { schema: binary } } } }
      }
    },
    async (request, reply) => {
      await downloadDirectory(deps, projectScopeOf(request), request.query.path, (archive) =>
        sendArchive(reply, archive)
      )
    }
  )
  await app.register(async (scope) => uploadRoute(scope as App, deps))
}

/** Separate scope: only this route accepts multipart bodies. */
async function uploadRoute(app: App, deps: Dependencies): Promise<void> {
  const maxBytes = () => deps.config.FILE_UPLOAD_MAX_MB * mebibyte
  await app.register(multipart, {
    limits: formLimits,
    throwFileSizeLimit: false,
    highWaterMark: bufferedBytes,
    fileHwm: bufferedBytes
  })
  app.post(
    '/api/files/:id/upload',
    {
      config: { ...config, slowBody: true, admission: 'apart' },
      schema: {
        tags,
        operationId: 'uploadFile',
        summary: 'Upload a file',
        description: `Up to ${deps.config.FILE_UPLOAD_MAX_MB} MB (413). Creates missing parent folders. An interrupted upload leaves no file.`,
        consumes: ['multipart/form-data'],
        params,
        body: UploadForm,
        errors: [
          'PATH_INVALID',
          'QUOTA_EXCEEDED',
          'PATH_FORBIDDEN',
          'PATH_PROTECTED',
          'CONFLICT',
          'NOT_A_FILE',
          'NOT_A_DIRECTORY',
          'FILES_UNAVAILABLE'
        ],
        response: { 201: FileNode }
      },
      validatorCompiler: (route) => (route.httpPart === 'body' ? () => true : validatorCompiler(route as never))
    },
    async (request, reply) => {
      try {
        if (Number(request.headers['content-length'] ?? 0) > maxBytes() + formBytes)
          throw new AppError('PAYLOAD_TOO_LARGE', `File too large. The limit is ${deps.config.FILE_UPLOAD_MAX_MB} MB.`)
        return await reply
          .code(201)
          .send(
            await uploadFile(
              deps,
              projectScopeOf(request),
              request.parts({ limits: { ...formLimits, fileSize: maxBytes() } })
            )
          )
      } finally {
        // Drains the body: most clients read a response only after they have sent everything.
        request.raw.unpipe().resume()
      }
    }
  )
}

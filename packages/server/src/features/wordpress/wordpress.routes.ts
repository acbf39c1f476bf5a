import multipart from '@fastify/multipart'
import { validatorCompiler } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { ImportForm, WordpressImport } from '@panel/contract/wordpress'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { signalOfClient } from '../../http/client-gone.ts'
import { type SendArchive, sendArchive } from '../../http/send-archive.ts'
import { formLimits } from './import-form.service.ts'
import { getImport, getLatestImport, importSite } from './import-request.service.ts'
import { exportSite } from './site-export.service.ts'

const config = { access: sessionAccess }
const tags = ['WordPress']
const params = z.object({ id: Id })
const importParams = z.object({ id: Id, importId: Id })
const binary = z.string().meta({ format: 'binary' })
// What a form has besides its file.
const formBytes = 1024 * 1024

export async function wordpressRoutes(app: App, deps: Dependencies): Promise<void> {
  app.get(
    '/api/projects/:id/wordpress/export',
    {
      // All that the site knows is in it.
      config: { ...config, scope: 'full', admission: 'apart' },
      schema: {
        tags,
        operationId: 'exportWordpress',
        summary: 'Download the site as tar.gz',
        description:
          'Its files, and the dump of its database as `database.sql`: for an import here, or for any other host. A link is packed as the file that it leads to; links to directories are left out. The database is the one of ' +
          'wp-config.php, where it is yours on this server (otherwise 409 CONFLICT). At most two databases are dumped at once (503 BUSY), one of them yours (409 CONFLICT).',
        params,
        errors: [
          'CONFLICT',
          'NOT_WORDPRESS',
          'NETWORKS_EXHAUSTED',
          'CONTAINER_ENGINE_UNAVAILABLE',
          'DATABASE_SERVER_UNAVAILABLE',
          'FILES_UNAVAILABLE',
          'SFTP_UNAVAILABLE',
          'DISK_FULL'
        ],
        answerHeaders: ['Content-Disposition'],
        response: { 200: { content: { 'application/gzip': { schema: binary } } } }
      }
    },
    async (request, reply) => {
      const client = signalOfClient(reply)
      const send: SendArchive = (archive) => sendArchive(reply, archive)
      try {
        await exportSite(deps, request, sessionOf(request).userId, request.params.id, { send, signal: client.signal })
      } finally {
        client.done()
      }
    }
  )
  app.get(
    '/api/projects/:id/wordpress/import',
    {
      config,
      schema: {
        tags,
        operationId: 'getNewestWordpressImport',
        summary: 'How far the newest import is',
        description: '404 where nothing was ever imported. Over with SUCCEEDED or FAILED.',
        params,
        response: { 200: WordpressImport }
      }
    },
    async (request) => getLatestImport(deps, sessionOf(request).userId, request.params.id)
  )
  app.get(
    '/api/projects/:id/wordpress/imports/:importId',
    {
      config,
      schema: {
        tags,
        operationId: 'getWordpressImport',
        summary: 'Get an import',
        params: importParams,
        response: { 200: WordpressImport }
      }
    },
    async (request) => getImport(deps, sessionOf(request).userId, request.params.id, request.params.importId)
  )
  await app.register(async (scope) => importRoute(scope as App, deps))
}

/** In a scope of its own: only here is a form a body. */
async function importRoute(app: App, deps: Dependencies): Promise<void> {
  const maxBytes = () => deps.config.WORDPRESS_IMPORT_MAX
  await app.register(multipart, { limits: formLimits, throwFileSizeLimit: false })
  app.post(
    '/api/projects/:id/wordpress/import',
    {
      config: { ...config, slowBody: true, admission: 'apart' },
      schema: {
        tags,
        operationId: 'importWordpress',
        summary: 'Replace the site by the one in an archive',
        description:
          'An export of ours, or a tar.gz, tar or zip of another host: the files, at the top or in a directory such as public_html, and a ' +
          'dump of the database (.sql or .sql.gz). It is put together beside the site, which stays as it is until all is there, and ' +
          'whenever anything fails (422). The prefix of the tables is kept, the address becomes that of the project, also in serialized ' +
          'texts; wp-config.php is written anew. Triggers, views and stored routines are left out, as `notes` and the log of the deployment say. ' +
          'It answers at the end; from the last byte on the import goes on without the client too. At most two of yours are under way at once ' +
          '(409 CONFLICT).',
        consumes: ['multipart/form-data'],
        params,
        body: ImportForm,
        errors: [
          'CONFLICT',
          'NOT_WORDPRESS',
          'WORDPRESS_IMPORT_RUNNING',
          'WORDPRESS_IMPORT_FAILED',
          'DATABASE_NAME_EXISTS',
          'DATABASE_VARIABLES_EXIST',
          'ARCHIVE_INVALID',
          'NETWORKS_EXHAUSTED',
          'CONTAINER_ENGINE_UNAVAILABLE',
          'DATABASE_SERVER_UNAVAILABLE',
          'FILES_UNAVAILABLE'
        ],
        response: { 200: WordpressImport }
      },
      // The form is checked while it is read.
      validatorCompiler: (route) => (route.httpPart === 'body' ? () => true : validatorCompiler(route as never))
    },
    async (request, reply) => {
      const client = signalOfClient(reply)
      const openForm = () => {
        if (!request.isMultipart())
          throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send a form: multipart/form-data with the field `archive`')
        if (Number(request.headers['content-length'] ?? 0) > maxBytes() + formBytes)
          throw new AppError('PAYLOAD_TOO_LARGE', `An archive may have ${Math.floor(maxBytes() / 1e6)} MB at most`)
        return request.parts({ limits: { ...formLimits, fileSize: maxBytes() } })
      }
      try {
        return await importSite(deps, sessionOf(request).userId, request.params.id, openForm, client.signal)
      } finally {
        client.done()
        // Most clients hear a refusal only when they have sent all.
        request.raw.unpipe().resume()
      }
    }
  )
}

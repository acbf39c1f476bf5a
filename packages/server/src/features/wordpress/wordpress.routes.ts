import multipart from '@fastify/multipart'
import { validatorCompiler } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { ImportForm, PageCache, WordpressImport } from '@panel/contract/wordpress'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { signalOfClient } from '../../http/client-gone.ts'
import { type SendArchive, sendArchive } from '../../http/send-archive.ts'
import { formLimits } from './import-form.service.ts'
import { getImport, getLatestImport, importSite } from './import-request.service.ts'
import { getPageCache, purgePageCache } from './page-cache.service.ts'
import { exportSite } from './site-export.service.ts'

const config = { access: sessionAccess }
const tags = ['WordPress']
const params = z.object({ id: Id })
const importParams = z.object({ id: Id, importId: Id })
const binary = z.string().meta({ format: 'binary' })
const formBytes = 1024 * 1024

export async function wordpressRoutes(app: App, deps: Dependencies): Promise<void> {
  app.get(
    '/api/projects/:id/wordpress/export',
    {
      config: { ...config, scope: 'full', admission: 'apart' },
      schema: {
        tags,
        operationId: 'exportWordpress',
        summary: 'Export site as tar.gz',
        description:
          'Contains the files and a database dump as `database.sql`, ready to import here or at another host. Links to files are replaced by the ' +
          'files; links to folders are omitted. Exports the database in wp-config.php, which must be one of yours on this server ' +
          '(otherwise 409 CONFLICT). Runs at most two dumps at a time on the server (503 BUSY) and one per account (409 CONFLICT).',
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
        summary: 'Get the latest import',
        description: '404 if there was no import yet. Finished when `status` is SUCCEEDED or FAILED.',
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
  pageCacheRoutes(app, deps)
  await app.register(async (scope) => importRoute(scope as App, deps))
}

function pageCacheRoutes(app: App, deps: Dependencies): void {
  const url = '/api/projects/:id/wordpress/page-cache'
  const errors = ['NOT_WORDPRESS', 'FILES_UNAVAILABLE', 'SFTP_UNAVAILABLE'] as const
  app.get(
    url,
    {
      config,
      schema: {
        tags,
        operationId: 'getWordpressPageCache',
        summary: 'Get the page cache and its hits',
        description: 'Enabled by the setting `pageCache` of the project (`updateProject`).',
        params,
        errors,
        response: { 200: PageCache }
      }
    },
    async (request) => getPageCache(deps, sessionOf(request).userId, request.params.id)
  )
  app.delete(
    url,
    {
      config,
      schema: {
        tags,
        operationId: 'purgeWordpressPageCache',
        summary: 'Purge the page cache',
        description:
          'Removes all stored pages at once. Changes made in WordPress do that by themselves; files that you change over SFTP do not.',
        params,
        errors,
        response: { 204: z.null() }
      }
    },
    async (request, reply) => {
      await purgePageCache(deps, sessionOf(request).userId, request.params.id)
      return reply.code(204).send(null)
    }
  )
}

/** Separate scope: only this route accepts multipart bodies. */
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
        summary: 'Import a site from an archive',
        description:
          'Replaces the site. Accepts an export of this panel, or a tar.gz, tar or zip from another host: the files, at the root or in a folder ' +
          'such as public_html, and a database dump (.sql or .sql.gz). The import is staged: the live site does not change until everything is ' +
          'ready, or if anything fails (422). Keeps the table prefix, replaces the site address with that of the project, also in serialized ' +
          'values, and writes a new wp-config.php. Triggers, views and stored routines are not imported; `notes` and the deployment log list them. ' +
          'Responds when the import is finished; once the upload is complete, it continues even if the client disconnects. At most two imports ' +
          'per account at a time (409 CONFLICT).',
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
      validatorCompiler: (route) => (route.httpPart === 'body' ? () => true : validatorCompiler(route as never))
    },
    async (request, reply) => {
      const client = signalOfClient(reply)
      const openForm = () => {
        if (!request.isMultipart())
          throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send the archive as multipart/form-data in the field `archive`')
        if (Number(request.headers['content-length'] ?? 0) > maxBytes() + formBytes)
          throw new AppError('PAYLOAD_TOO_LARGE', `Archive too large. The limit is ${Math.floor(maxBytes() / 1e6)} MB.`)
        return request.parts({ limits: { ...formLimits, fileSize: maxBytes() } })
      }
      try {
        return await importSite(deps, sessionOf(request).userId, request.params.id, openForm, client.signal)
      } finally {
        client.done()
        // Drains the body: most clients read a response only after they have sent everything.
        request.raw.unpipe().resume()
      }
    }
  )
}

import type { Readable } from 'node:stream'
import { validatorCompiler } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { Deployment, UploadSourceQuery } from '@panel/contract/deployments'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { uploadSource } from './source-uploads.service.ts'

export function sourceUploadRoutes(app: App, deps: Dependencies): void {
  // Scoped to this route: the archive is read as it arrives.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(['application/gzip', 'application/zip'], (_request, body, done) => done(null, body))
  app.post(
    '/api/projects/:id/uploads',
    {
      // Not for the scope deploy: the uploaded build sees all variables.
      config: { access: sessionAccess, scope: 'full', slowBody: true, admission: 'apart' },
      schema: {
        tags: ['Builds and deployments'],
        operationId: 'uploadSource',
        summary: 'Upload a folder or an archive and deploy it',
        description:
          'The body is a gzipped tar of the folder, up to the limit of repositories when unpacked and 100,000 files. `.git` is skipped; links that leave the ' +
          'folder, hard links and devices are refused. Queues a deployment of these files and returns; the repository of the project, if any, is not used. ' +
          'On a project without a repository, `buildProject` builds the latest upload again. If the source of the project is FILES, the body is a gzipped tar ' +
          'or a zip, and its files replace those of the project, which are saved in a deployment of their own first. If everything is in one folder, its content is the site; links are refused.',
        consumes: ['application/gzip', 'application/zip'],
        params: z.object({ id: Id }),
        querystring: UploadSourceQuery,
        body: z.string().meta({ format: 'binary' }),
        errors: ['ACCOUNT_SUSPENDED', 'ARCHIVE_INVALID', 'CONFLICT', 'QUOTA_EXCEEDED', 'DEPLOYMENT_IN_PROGRESS'],
        response: { 202: Deployment }
      },
      validatorCompiler: (route) => (route.httpPart === 'body' ? () => true : validatorCompiler(route as never))
    },
    async (request, reply) => {
      try {
        const input = request.body as unknown as Readable | null | undefined
        if (!input) throw new AppError('VALIDATION_ERROR', 'Send the folder as a gzipped tar or a zip')
        const { userId } = sessionOf(request)
        const deployment = await uploadSource(deps, request, userId, request.params.id, request.query, { input })
        return await reply.code(202).send(deployment)
      } finally {
        // Most clients read a response only after they have sent everything.
        request.raw.unpipe().resume()
      }
    }
  )
}

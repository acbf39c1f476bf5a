import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { ImageUpdate } from '@panel/contract/registries'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { checkImageNow, getImageUpdate } from './image-updates.service.ts'

const config = { access: sessionAccess }
const tags = ['Images']
const params = z.object({ id: Id })
const path = '/api/projects/:id/image-update'

export function imageUpdateRoutes(app: App, deps: Dependencies): void {
  app.get(
    path,
    {
      config,
      schema: {
        tags,
        operationId: 'getImageUpdate',
        summary: 'Get whether the tag of a project names a newer image than its live release',
        description: 'As of the latest check, which runs every few hours. Only for projects of the type IMAGE.',
        params,
        errors: ['INVALID_TARGET'],
        response: { 200: ImageUpdate }
      }
    },
    (request) => getImageUpdate(deps, sessionOf(request).userId, request.params.id)
  )
  app.post(
    path,
    {
      config,
      schema: {
        tags,
        operationId: 'checkImageUpdate',
        summary: 'Ask the registry for a newer image now',
        description: 'If the registry cannot be asked, the response is still 200, and `problem` says why.',
        params,
        errors: ['BUSY', 'INVALID_TARGET'],
        response: { 200: ImageUpdate }
      }
    },
    (request) => checkImageNow(deps, sessionOf(request).userId, request.params.id)
  )
}

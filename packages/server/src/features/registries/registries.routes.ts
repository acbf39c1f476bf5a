import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { Registry, RegistryList, SetRegistry } from '@panel/contract/registries'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { listOwnRegistries, removeRegistry, setRegistry } from './registries.service.ts'

const config = { access: sessionAccess }
const tags = ['Images']

export function registryRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/registries',
    {
      config,
      schema: {
        tags,
        operationId: 'listRegistries',
        summary: 'List the image registries that you have credentials for',
        description: 'Without the secrets.',
        response: { 200: RegistryList }
      }
    },
    (request) => listOwnRegistries(deps, sessionOf(request).userId)
  )
  app.put(
    '/api/registries',
    {
      config,
      schema: {
        tags,
        operationId: 'setRegistry',
        summary: 'Save the credentials for an image registry; audited',
        description:
          'Signs in to the registry first. Replaces earlier credentials for the host. Used when projects of the type IMAGE are deployed ' +
          'and checked for newer images, and for the images that Dockerfiles name.',
        body: SetRegistry,
        errors: ['CONFLICT', 'REGISTRY_UNREACHABLE'],
        response: { 200: Registry }
      }
    },
    (request) => setRegistry(deps, request, sessionOf(request).userId, request.body)
  )
  app.delete(
    '/api/registries/:id',
    {
      config,
      schema: {
        tags,
        operationId: 'deleteRegistry',
        summary: 'Delete the credentials for an image registry; audited',
        description: 'Running containers stay. Later deployments of its private images fail.',
        params: z.object({ id: Id }),
        response: { 204: z.null() }
      }
    },
    async (request, reply) => {
      await removeRegistry(deps, request, sessionOf(request).userId, request.params.id)
      return reply.code(204).send(null)
    }
  )
}

import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod'
import type { RouteOptions } from 'fastify'
import type { z } from 'zod'
import { ErrorBody } from '@panel/contract/errors'
import type { App } from '../app.ts'
import type { Config } from '../config.ts'
import { docsPrefix, publicAccess } from './access.ts'
import { sessionCookie } from './session.ts'
import { routeScope } from './token-scope.policy.ts'

/** The OpenAPI 3.1 document at /api/openapi.json, made from the routes' own schemas, and a reference page at /api/docs. */
export async function addOpenApi(app: App, config: Config): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Hosting Control Panel API',
        version: '0.1.0',
        description:
          'Errors are `{error, code, details?}`. Unless an operation says otherwise it needs the session cookie or an API token; without one it answers 401.'
      },
      servers: [{ url: config.API_BASE_URL }],
      components: {
        securitySchemes: {
          session: { type: 'apiKey', in: 'cookie', name: sessionCookie },
          token: { type: 'http', scheme: 'bearer', description: 'An API token; what it may do follows from its scope.' }
        }
      }
    },
    transform: (input) => {
      const { schema, url } = createJsonSchemaTransform({ skipList: [] })(
        input as Parameters<ReturnType<typeof createJsonSchemaTransform>>[0]
      )
      return { schema: { ...schema, security: securityOf(input.route) }, url }
    },
    transformObject: createJsonSchemaTransformObject({})
  })
  app.get('/api/openapi.json', { config: { access: publicAccess }, schema: { hide: true } }, async () => app.swagger())
  await app.register(swaggerUi, {
    routePrefix: docsPrefix,
    staticCSP: true,
    uiConfig: { url: '/api/openapi.json', supportedSubmitMethods: [] },
    logLevel: 'warn'
  })
}

/** What opens an operation. A token's entry names the scope that it takes. */
function securityOf(route: RouteOptions): Record<string, string[]>[] {
  const { access, scope } = route.config ?? {}
  if (access?.kind === 'public') return []
  const asked = routeScope(String([route.method].flat()[0]), route.url, scope)
  return asked === 'session' ? [{ session: [] }] : [{ session: [] }, { token: [asked] }]
}

/** The error answers of a route, for its schema; the default covers every code of the envelope. */
export const errorResponses = { '4xx': ErrorBody, '5xx': ErrorBody } as const satisfies Record<string, z.ZodType>

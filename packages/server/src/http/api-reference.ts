import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import Fastify, { type FastifyInstance, type RouteOptions } from 'fastify'
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { routerOptions, zodCompilers } from './server-options.ts'
import { hostSessionCookie, sessionCookie } from './session.ts'
import { routeScope } from './token-scope.policy.ts'

/** What of a route stands in the document. */
export type DescribedRoute = Pick<RouteOptions, 'method' | 'url' | 'schema' | 'config'>

/** An application that has the OpenAPI 3.1 document of these routes and the reference page, and serves none of the routes. */
export async function createApiReference(
  routes: readonly DescribedRoute[],
  { baseUrl, pagePrefix }: { baseUrl: string; pagePrefix: string }
): Promise<FastifyInstance> {
  const app = Fastify({ routerOptions, schemaController: { compilersFactory: zodCompilers } })
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Hosting Control Panel API',
        version: '0.1.0',
        description:
          'Errors are `{error, code, details?}`. Unless an operation says otherwise it needs the session cookie or an API token; without one it answers 401.'
      },
      servers: [{ url: baseUrl }],
      components: {
        securitySchemes: {
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: sessionCookie,
            description: `Over HTTPS its name is ${hostSessionCookie}.`
          },
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
    transformObject: (input) => tidied(createJsonSchemaTransformObject({})(input))
  })
  await app.register(swaggerUi, {
    routePrefix: pagePrefix,
    staticCSP: true,
    // The panel may be reached by plain http, where the page would then load nothing.
    transformStaticCSP: (header) => header.replace(/ ?upgrade-insecure-requests;?/, ''),
    uiConfig: { url: '/api/openapi.json', supportedSubmitMethods: [] }
  })
  for (const route of routes) app.route({ ...route, handler: (_request, reply) => reply.callNotFound() })
  await app.ready()
  return app
}

/** What opens an operation. A token's entry names the scope that it takes. */
function securityOf(route: RouteOptions): Record<string, string[]>[] {
  const { access, scope } = route.config ?? {}
  if (access?.kind === 'public') return []
  const asked = routeScope(String([route.method].flat()[0]), route.url, scope)
  return asked === 'session' ? [{ session: [] }] : [{ session: [] }, { token: [asked] }]
}

type JsonContent = { 'application/json'?: { schema: { anyOf?: { type?: string }[] } } }

/**
 * What the generator gets wrong: it has a second form of each schema for requests, which nothing refers to, and takes every
 * body for required. A body that may be null may be left out.
 */
function tidied<T extends object>(document: T): T {
  const copy = structuredClone(document) as T & {
    paths: Record<string, Record<string, { requestBody?: { required?: boolean; content: JsonContent } }>>
    components: { schemas: Record<string, object> }
  }
  for (const { requestBody } of Object.values(copy.paths).flatMap((path) => Object.values(path))) {
    const anyOf = requestBody?.content['application/json']?.schema.anyOf ?? []
    if (requestBody && anyOf.some((schema) => schema.type === 'null')) requestBody.required = false
  }
  const { schemas } = copy.components
  const namedIn = (part: object) =>
    [...JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map((match) => match[1]!)
  const named = new Set(namedIn(copy.paths))
  for (const name of named) for (const inner of namedIn(schemas[name] ?? {})) named.add(inner)
  copy.components.schemas = Object.fromEntries(Object.entries(schemas).filter(([name]) => named.has(name)))
  return copy
}

import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import Fastify, { type FastifyInstance, type RouteOptions } from 'fastify'
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { liveEvents } from '@panel/contract/live'
import { version } from '../process/version.ts'
import { complete } from './openapi/complete.ts'
import { nameSchemas } from './openapi/components.ts'
import { tagDescriptions } from './openapi/tags.ts'
import type { DescribedRoute } from './openapi.ts'
import { routerOptions, zodCompilers } from './server-options.ts'
import { hostSessionCookie, sessionCookie } from './session.ts'
import { routeScope } from './token-scope.policy.ts'

/** An application that has the OpenAPI 3.1 document of these routes and the reference page, and serves none of the routes. */
export async function createApiReference(
  routes: readonly DescribedRoute[],
  { baseUrl, pagePrefix }: { baseUrl: string; pagePrefix: string }
): Promise<FastifyInstance> {
  nameSchemas()
  const app = Fastify({ routerOptions, schemaController: { compilersFactory: zodCompilers } })
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Hosting Control Panel API',
        version,
        description,
        license: { name: 'MIT', identifier: 'MIT' },
        contact: { name: 'The administrators of this panel', url: baseUrl }
      },
      servers: [{ url: baseUrl, description: 'This panel.' }],
      tags: Object.entries(tagDescriptions).map(([name, text]) => ({ name, description: text })),
      components: { securitySchemes }
    },
    transform: (input) => {
      const { errors: _, answerHeaders: __, receives: ___, ...given } = input.schema ?? {}
      const { schema, url } = createJsonSchemaTransform({ skipList: [] })({ ...input, schema: given } as Parameters<
        ReturnType<typeof createJsonSchemaTransform>
      >[0])
      return { schema: { ...schema, security: securityOf(input.route) }, url }
    },
    transformObject: (input) =>
      complete({ ...createJsonSchemaTransformObject({})(input), 'x-live-events': liveEventSchemas() }, routes) as object
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

/** What the live channel tells, by name, from the table that it is checked against. */
const liveEventSchemas = (): Record<string, object> =>
  Object.fromEntries(
    Object.entries(liveEvents).map(([name, event]) => {
      const { $schema: _, $defs: __, ...schema } = z.toJSONSchema(event)
      const text = JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')
      return [name, JSON.parse(text) as object]
    })
  )

const description = `Everything that the panel does, as its own pages do it.

**Errors** are \`{error, code, details?}\`: a sentence for a person, a code for a program, and which members are not valid. Each operation lists its
own. A code stays what it is; new ones may come.

Before any operation: 400 MALFORMED_REQUEST, 405 METHOD_NOT_ALLOWED with Allow, 408 REQUEST_TIMEOUT, 431 HEADERS_TOO_LARGE.

**Signing in.** Unless an operation says otherwise it needs the session cookie (\`login\`, \`register\`) or an API token
(\`Authorization: Bearer …\`); without one it answers 401. A browser on another site is refused (403).

**Lists** come in pages: \`page\` and \`limit\`, and \`pagination\` in the answer; where the answer is an array, the headers X-Total-Count and Link. Members
that a client does not know may come with any version.

**Live.** What changes is told by Socket.IO at \`/socket.io/\`, for the same cookie or token: \`x-live-events\` of this document has the events, docs/api-and-cli.md the rest.
Or what is under way is asked again: a deployment is over with RUNNING, FAILED or CANCELLED.`

const securitySchemes = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: sessionCookie,
    description: `Set by \`login\`, \`register\` and \`answerLoginChallenge\`, ended by \`logout\`. Over HTTPS its name is ${hostSessionCookie}.`
  },
  token: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An API token (`createApiToken`). Its scope says what it may do: `read` every GET but those that show secrets; `deploy` also builds, ' +
      'deployments, rollbacks and container actions, with no command of its own; `full` all that the account may, except managing tokens, ' +
      'sessions, passwords and two-factor. Each operation names the scope that it takes; one without takes a session.'
  },
  pushSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Hub-Signature-256',
    description:
      '`sha256=` and the HMAC-SHA256 of the raw body in hex, under the webhook secret of the project (`getGit`). Bitbucket sends the same as ' +
      'X-Hub-Signature.'
  },
  pushToken: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Gitlab-Token',
    description: 'GitLab sends the webhook secret itself, with X-Gitlab-Event.'
  }
} as const

/** What opens an operation. A token's entry names the scope that it takes. */
function securityOf(route: RouteOptions): Record<string, string[]>[] {
  const { access, scope } = route.config ?? {}
  if (route.schema?.security) return route.schema.security as Record<string, string[]>[]
  if (access?.kind === 'public') return []
  const scopeOfRoute = routeScope(String([route.method].flat()[0]), route.url, scope)
  return scopeOfRoute === 'session' ? [{ session: [] }] : [{ session: [] }, { token: [scopeOfRoute] }]
}

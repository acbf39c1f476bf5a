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

/** An application that serves the OpenAPI 3.1 document of these routes and the reference page, but not the routes. */
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
    // Over plain HTTP this directive would keep the page from loading its assets.
    transformStaticCSP: (header) => header.replace(/ ?upgrade-insecure-requests;?/, ''),
    uiConfig: { url: '/api/openapi.json', supportedSubmitMethods: [] }
  })
  for (const route of routes) app.route({ ...route, handler: (_request, reply) => reply.callNotFound() })
  await app.ready()
  return app
}

/** JSON schemas of the live events by name. */
const liveEventSchemas = (): Record<string, object> =>
  Object.fromEntries(
    Object.entries(liveEvents).map(([name, event]) => {
      const { $schema: _, $defs: __, ...schema } = z.toJSONSchema(event)
      const text = JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')
      return [name, JSON.parse(text) as object]
    })
  )

const description = `The complete API of the panel; the dashboard uses it too.

**Errors** are \`{error, code, details?}\`: a message for people, a stable code for programs, and the invalid members. Each operation lists its
codes; new versions may add codes.

Any request can fail with: 400 MALFORMED_REQUEST, 405 METHOD_NOT_ALLOWED with Allow, 408 REQUEST_TIMEOUT, 431 HEADERS_TOO_LARGE.

**Signing in.** Unless an operation says otherwise, it requires the session cookie (\`login\`, \`register\`) or an API token
(\`Authorization: Bearer …\`), and answers 401 without one. Requests that a browser sends from another site are rejected (403).

**Lists** are paginated with \`page\` and \`limit\`; the response has \`pagination\`, or for an array the headers X-Total-Count and Link. Ignore members
that your client does not know: new versions may add some.

**Live.** Changes are sent over Socket.IO at \`/socket.io/\`, with the same cookie or token. \`x-live-events\` in this document lists the events; see docs/api-and-cli.md.
Polling works as well: a deployment has ended with the status RUNNING, FAILED or CANCELLED.`

const securitySchemes = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: sessionCookie,
    description: `Set by \`login\`, \`register\` and \`answerLoginChallenge\`, removed by \`logout\`. Over HTTPS its name is ${hostSessionCookie}.`
  },
  token: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An API token (`createApiToken`). Scopes: `read` allows every GET except those that return secrets; `deploy` also builds, ' +
      'deployments, rollbacks and container actions, without a custom build command; `full` everything the account may do, except managing tokens, ' +
      'sessions, passwords and two-factor. Each operation lists the scope it requires; operations without one require a session.'
  },
  pushSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Hub-Signature-256',
    description:
      '`sha256=` and the hex HMAC-SHA256 of the raw body, keyed with the webhook secret of the project (`getGit`). Bitbucket sends it as ' +
      'X-Hub-Signature.'
  },
  pushToken: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Gitlab-Token',
    description: 'GitLab sends the webhook secret itself, with X-Gitlab-Event.'
  },
  deployHookSecret: {
    type: 'apiKey',
    in: 'query',
    name: 'secret',
    description: 'The secret of the deploy hook of the project (`createDeployHook`).'
  }
} as const

/** Security requirements of an operation, with the scope for tokens. */
function securityOf(route: RouteOptions): Record<string, string[]>[] {
  const { access, scope } = route.config ?? {}
  if (route.schema?.security) return route.schema.security as Record<string, string[]>[]
  if (access?.kind === 'public') return []
  const scopeOfRoute = routeScope(String([route.method].flat()[0]), route.url, scope)
  return scopeOfRoute === 'session' ? [{ session: [] }] : [{ session: [] }, { token: [scopeOfRoute] }]
}

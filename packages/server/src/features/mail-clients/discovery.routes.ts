import { Autodiscover } from '@panel/contract/mail-clients'
import { z } from 'zod'
import { singleLine } from '@panel/contract/common'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { publicAccess } from '../../http/access.ts'
import { maxRequestBytes } from './autodiscover-request.policy.ts'
import { outlookSchema } from './autodiscover.render.ts'
import { autoconfigOf, autodiscoverAddressOf, autodiscoverOf } from './discovery.service.ts'

const config = { access: publicAccess, rateLimited: 'discovery' } as const
const tags = ['Mail']
const address = singleLine(320)
const xmlAnswer = (description: string) => ({
  200: { description, content: { 'application/xml': { schema: z.string() } } }
})
const noMailbox = 'The response does not depend on whether the mailbox exists.'

/** Public endpoints for mail clients. The proxy routes these paths of mail domains here, in lower case. */
export function discoveryRoutes(app: App, deps: Dependencies): void {
  for (const [url, operationId] of [
    ['/mail/config-v1.1.xml', 'getAutoconfig'],
    ['/.well-known/autoconfig/mail/config-v1.1.xml', 'getWellKnownAutoconfig']
  ] as const)
    app.get(
      url,
      {
        config,
        schema: {
          tags,
          operationId,
          summary: 'Get the mail settings of a domain for Thunderbird and others (config-v1.1.xml)',
          description: `Served at \`autoconfig.<domain>\` and at the domain itself. ${noMailbox}`,
          querystring: z.object({
            emailaddress: address.optional().meta({ description: 'Defaults to the domain of the host.' })
          }),
          errors: ['NOT_FOUND'],
          response: xmlAnswer('The settings')
        }
      },
      async (request, reply) =>
        reply
          .type('application/xml; charset=utf-8')
          .send(await autoconfigOf(deps, request.query.emailaddress, request.hostname.toLowerCase()))
    )
  app.post(
    '/autodiscover/autodiscover.xml',
    {
      config,
      bodyLimit: maxRequestBytes,
      schema: {
        tags,
        operationId: 'postAutodiscover',
        summary: 'Get the mail settings of a domain for Outlook (Autodiscover, XML)',
        description: `Served at \`autodiscover.<domain>\`. ${noMailbox}`,
        errors: ['NOT_FOUND'],
        receives: {
          body: {
            mediaType: 'text/xml',
            schema: { type: 'string', description: 'UTF-8 XML without a document type, at most 16 KiB.' },
            example: `<Autodiscover xmlns="http://schemas.microsoft.com/exchange/autodiscover/outlook/requestschema/2006"><Request><EMailAddress>ann@example.com</EMailAddress><AcceptableResponseSchema>${outlookSchema}</AcceptableResponseSchema></Request></Autodiscover>`
          }
        },
        response: xmlAnswer('The settings')
      }
    },
    async (request, reply) =>
      reply.type('application/xml; charset=utf-8').send(await autodiscoverOf(deps, String(request.body ?? '')))
  )
  // Outlook capitalizes the parameter names; other clients do not.
  const addressQuery = address.optional().meta({ description: 'An address in the domain.' })
  const protocol = singleLine(64).optional().meta({ description: '`AutodiscoverV1`.' })
  const query = z.object({ Email: addressQuery, email: addressQuery, Protocol: protocol, protocol })
  const jsonSchema = {
    tags,
    summary: 'Get the Autodiscover URL of a domain for Outlook (Autodiscover, JSON)',
    description: `Returns the URL of the XML endpoint. ${noMailbox}`,
    querystring: query,
    errors: ['NOT_FOUND'],
    response: { 200: Autodiscover }
  } as const
  app.get(
    '/autodiscover/autodiscover.json',
    { config, schema: { ...jsonSchema, operationId: 'getAutodiscover' } },
    async ({ query }) =>
      autodiscoverAddressOf(deps, query.Email ?? query.email ?? '', query.Protocol ?? query.protocol ?? '')
  )
  app.get(
    '/autodiscover/autodiscover.json/v1.0/:address',
    {
      config,
      schema: {
        ...jsonSchema,
        operationId: 'getAutodiscoverOf',
        params: z.object({ address: address.meta({ description: 'An address in the domain.' }) })
      }
    },
    async ({ params, query }) => autodiscoverAddressOf(deps, params.address, query.Protocol ?? query.protocol ?? '')
  )
  // Only in this scope: other routes accept JSON only.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(/^(?:text|application)\/xml\b/, { parseAs: 'string' }, (_request, body, done) =>
    done(null, body)
  )
}

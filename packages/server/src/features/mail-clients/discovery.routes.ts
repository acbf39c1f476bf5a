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
const noMailbox = 'The answer is the same whether there is such a mailbox or not.'

/** What mail programs ask for before anybody is signed in, under the names of the domains that have mail (the proxy leads these paths here, in lower case). */
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
          summary: 'Settings of a domain for Thunderbird and others (config-v1.1.xml)',
          description: `At \`autoconfig.<domain>\`, or at the domain itself. ${noMailbox}`,
          querystring: z.object({
            emailaddress: address.optional().meta({ description: 'Without it the host says which domain is meant.' })
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
        summary: 'Settings of a domain for Outlook (Autodiscover, XML)',
        description: `At \`autodiscover.<domain>\`. ${noMailbox}`,
        errors: ['NOT_FOUND'],
        receives: {
          body: {
            mediaType: 'text/xml',
            schema: { type: 'string', description: 'XML in UTF-8 without a document type, 16 KiB at most.' },
            example: `<Autodiscover xmlns="http://schemas.microsoft.com/exchange/autodiscover/outlook/requestschema/2006"><Request><EMailAddress>ann@example.com</EMailAddress><AcceptableResponseSchema>${outlookSchema}</AcceptableResponseSchema></Request></Autodiscover>`
          }
        },
        response: xmlAnswer('The settings')
      }
    },
    async (request, reply) =>
      reply.type('application/xml; charset=utf-8').send(await autodiscoverOf(deps, String(request.body ?? '')))
  )
  // Outlook writes the names with capitals, others do not.
  const addressQuery = address.optional().meta({ description: 'An address of the domain.' })
  const protocol = singleLine(64).optional().meta({ description: '`AutodiscoverV1`.' })
  const query = z.object({ Email: addressQuery, email: addressQuery, Protocol: protocol, protocol })
  const jsonSchema = {
    tags,
    summary: 'Where Outlook finds the settings of a domain (Autodiscover, JSON)',
    description: `The address of the answer in XML. ${noMailbox}`,
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
        params: z.object({ address: address.meta({ description: 'An address of the domain.' }) })
      }
    },
    async ({ params, query }) => autodiscoverAddressOf(deps, params.address, query.Protocol ?? query.protocol ?? '')
  )
  // In this scope alone: everywhere else a body is JSON.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(/^(?:text|application)\/xml\b/, { parseAs: 'string' }, (_request, body, done) =>
    done(null, body)
  )
}

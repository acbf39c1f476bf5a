import { z } from 'zod'
import type { DescribedRoute } from '../openapi.ts'
import { operationErrors } from '../operation-errors.policy.ts'
import {
  type Components,
  type Document,
  type Operation,
  operationsOf,
  type Parameter,
  type Response,
  type Schema
} from './document.types.ts'
import { errorResponses, headerReference } from './error-responses.ts'
import { exampleOf } from './examples.ts'
import { answerHeaders } from './headers.ts'
import { byParameter } from './member-examples.ts'
import { parameterDescription } from './parameters.ts'
import { operationLinks } from './links.ts'
import { dropUnnamed, mendSchemas } from './mend-schemas.ts'
import { shareParameters, shareResponses } from './share-components.ts'

const successes: Readonly<Record<string, string>> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted: the work continues after this response.',
  204: 'Done; no content.',
  206: 'The requested range.',
  304: 'Not modified.'
}

/** Adds what the generator omits, and fixes what it gets wrong. */
export function complete(generated: object, routes: readonly DescribedRoute[]): Document {
  const document = structuredClone(generated) as Document
  mendSchemas(document)
  const byId = new Map(routes.map((route) => [route.schema?.operationId, route]))
  for (const operation of operationsOf(document))
    completeOperation(operation, byId.get(operation.operationId)!, document)
  const { schemas } = document.components
  for (const [name, schema] of Object.entries(schemas))
    if (schema.properties) schema.examples = [exampleOf({ $ref: `#/components/schemas/${name}` }, schemas)]
  document.components.headers = { ...answerHeaders }
  shareResponses(document)
  shareParameters(document)
  dropUnnamed(document)
  return document
}

function completeOperation(operation: Operation, { schema, ...route }: DescribedRoute, document: Document): void {
  const { schemas } = document.components
  operation.description ??= `${operation.summary}.`
  for (const [status, response] of Object.entries(operation.responses) as [string, Response][]) {
    response.description = successes[status] ?? response.description
    const names = schema?.answerHeaders ?? []
    if (names.length > 0)
      response.headers = Object.fromEntries(names.map((name) => [name, headerReference(name)] as const))
    for (const [type, media] of Object.entries(response.content ?? {}))
      if (type === 'application/json') media.example = exampleOf(media.schema, schemas)
    const links = operationLinks[operation.operationId]?.[status]
    if (links) response.links = links
  }
  Object.assign(operation.responses, errorResponses(operationErrors({ ...route, schema })))
  const { requestBody } = operation
  for (const [type, media] of Object.entries(requestBody?.content ?? {})) {
    if (type === 'application/json') media.example = exampleOf(media.schema, schemas)
    if (resolved(media.schema, schemas).anyOf?.some(({ type }) => type === 'null')) requestBody!.required = false
  }
  describeRequest(operation, schema?.receives)
  const query = queryMembers(schema?.querystring)
  for (const parameter of (operation.parameters ?? []) as Parameter[]) {
    const { description, default: usual } = (parameter.in === 'query' && query[parameter.name]) || {}
    parameter.description ??= description
    if (parameter.schema.$ref !== undefined && usual !== undefined) parameter.schema.default = usual
    parameter.description ??= parameterDescription(parameter.name, route.url)
    parameter.example ??= byParameter[parameter.name] ?? exampleOf(parameter.schema, schemas, parameter.name)
  }
}

/** Members of a named query schema, of which the generator keeps only the name. */
const queryMembers = (querystring: unknown): Record<string, Schema> =>
  querystring instanceof z.ZodType
    ? ((z.toJSONSchema(querystring, { io: 'input', unrepresentable: 'any' }) as Schema).properties ?? {})
    : {}

/** Describes request parts that no schema validates. */
function describeRequest(operation: Operation, receives: NonNullable<DescribedRoute['schema']>['receives']): void {
  const headers = Object.entries(receives?.headers ?? {}).map(([name, { description, example }]) => ({
    ...{ in: 'header', name, description, required: false, example, schema: { type: 'string' } }
  }))
  if (headers.length > 0) operation.parameters = [...(operation.parameters ?? []), ...headers]
  for (const parameter of (operation.parameters ?? []) as Parameter[]) {
    const documented = parameter.in === 'query' ? receives?.query?.[parameter.name] : undefined
    if (documented)
      Object.assign(parameter, { ...documented, required: true, schema: { $ref: '#/components/schemas/Id' } })
  }
  if (receives?.body) {
    const { mediaType = 'application/json', ...media } = receives.body
    operation.requestBody = { required: true, content: { [mediaType]: media } }
  }
}

const resolved = (schema: Schema, schemas: Components['schemas']): Schema =>
  schema.$ref === undefined ? schema : schemas[schema.$ref.split('/').at(-1)!]!

import type { DescribedRoute } from '../openapi.ts'
import { operationErrors } from '../operation-errors.policy.ts'
import type { Components, Document, Operation, Parameter, Reference, Response, Schema } from './document.types.ts'
import { errorExamples, errorResponses, headerReference } from './error-responses.ts'
import { exampleOf } from './examples.ts'
import { answerHeaders } from './headers.ts'
import { parameterDescription } from './parameters.ts'
import { operationLinks } from './links.ts'

const successes: Readonly<Record<string, string>> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted: it goes on after this answer.',
  204: 'Done; there is nothing to say.',
  206: 'The part that was asked for.',
  304: 'The client has it already.'
}

/** What the generator knows nothing of, and what it gets wrong. */
export function complete(generated: object, routes: readonly DescribedRoute[]): Document {
  const document = structuredClone(generated) as Document
  mendSchemas(document)
  const byId = new Map(routes.map((route) => [route.schema?.operationId, route]))
  for (const operation of operationsOf(document))
    completeOperation(operation, byId.get(operation.operationId)!, document)
  const { schemas } = document.components
  for (const schema of Object.values(schemas)) if (schema.properties) schema.examples = [exampleOf(schema, schemas)]
  document.components.headers = { ...answerHeaders }
  shareResponses(document)
  shareParameters(document)
  dropUnnamed(document)
  return document
}

const operationsOf = ({ paths }: Document): Operation[] => Object.values(paths).flatMap((path) => Object.values(path))

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
  for (const parameter of (operation.parameters ?? []) as Parameter[]) {
    parameter.description ??= parameterDescription(parameter.name, route.url)
    parameter.example ??= exampleOf(parameter.schema, schemas, parameter.name)
  }
}

/** What a request brings that no schema checks. */
function describeRequest(operation: Operation, receives: NonNullable<DescribedRoute['schema']>['receives']): void {
  const headers = Object.entries(receives?.headers ?? {}).map(([name, { description, example }]) => ({
    ...{ in: 'header', name, description, required: false, example, schema: { type: 'string' } }
  }))
  if (headers.length > 0) operation.parameters = [...(operation.parameters ?? []), ...headers]
  if (receives?.body) {
    const { mediaType = 'application/json', ...media } = receives.body
    operation.requestBody = { required: true, content: { [mediaType]: media } }
  }
}

const resolved = (schema: Schema, schemas: Components['schemas']): Schema =>
  schema.$ref === undefined ? schema : schemas[schema.$ref.split('/').at(-1)!]!

/**
 * The generator has two forms of each schema, one for requests; bounds of what JavaScript counts exactly; and answers that may never have
 * another member, which would break clients that validate with each new one.
 */
function mendSchemas(document: Document): void {
  const { components, paths } = document
  const { schemas } = components
  const named = namedIn({ paths, schemas: {} }, schemas)
  const text = (name: string) =>
    JSON.stringify(schemas[name]).replaceAll(/(#\/components\/schemas\/\w+?)Input"/g, '$1"')
  visitSchemas(document, (schema) => {
    if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
    if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
    if (schema.additionalProperties === false) delete schema.additionalProperties
  })
  const renamed = new Map<string, string>()
  for (const name of Object.keys(schemas)) {
    const plain = name.replace(/Input$/, '')
    if (plain === name || !named.has(name)) continue
    if (!named.has(plain) || text(plain) === text(name)) renamed.set(name, plain)
  }
  for (const [name, plain] of renamed) {
    schemas[plain] = schemas[name]!
    delete schemas[name]
  }
  visitSchemas(document, (schema) => {
    const name = schema.$ref?.split('/').at(-1)
    if (name !== undefined && renamed.has(name)) schema.$ref = `#/components/schemas/${renamed.get(name)}`
  })
}

function visitSchemas(part: unknown, visit: (schema: Schema) => void): void {
  if (typeof part !== 'object' || part === null) return
  visit(part)
  for (const inner of Object.values(part)) visitSchemas(inner, visit)
}

/** Names of the components that are referred to, also by one another. */
function namedIn(part: object, schemas: Components['schemas']): Set<string> {
  const direct = (value: object) =>
    [...(JSON.stringify(value) ?? '').matchAll(/"#\/components\/schemas\/(\w+)"/g)].map((match) => match[1]!)
  const named = new Set(direct(part))
  for (const name of named) for (const inner of direct(schemas[name] ?? {})) named.add(inner)
  return named
}

function dropUnnamed({ components, paths }: Document): void {
  const { schemas, ...rest } = components
  const named = namedIn({ paths, rest }, schemas)
  components.schemas = pick(schemas, (name) => named.has(name))
  const text = JSON.stringify({ paths, rest })
  components.examples = pick(errorExamples, (code) => text.includes(`"#/components/examples/${code}"`))
}

const pick = <T>(values: Record<string, T>, isWanted: (name: string) => boolean): Record<string, T> =>
  Object.fromEntries(Object.entries(values).filter(([name]) => isWanted(name)))

/** Errors that several operations have alike stand once, under the names of their codes. */
function shareResponses(document: Document): void {
  const uses = new Map<string, (() => void)[]>()
  const responses: Record<string, Response> = {}
  for (const operation of operationsOf(document))
    for (const [status, response] of Object.entries(operation.responses) as [string, Response][]) {
      const codes = Object.keys(response.content?.['application/json']?.examples ?? {})
      if (codes.length === 0) continue
      const name = codes.map(pascalCase).join('Or')
      uses.set(name, [
        ...(uses.get(name) ?? []),
        () => {
          responses[name] = response
          operation.responses[status] = { $ref: `#/components/responses/${name}` }
        }
      ])
    }
  for (const share of uses.values()) if (share.length > 2) for (const apply of share) apply()
  document.components.responses = responses
}

const pascalCase = (code: string): string =>
  code.toLowerCase().replaceAll(/(?:^|_)(\w)/g, (_all, letter: string) => letter.toUpperCase())

/** Those that all lists have alike. */
const shared: Readonly<Record<string, string>> = { page: 'Page', limit: 'Limit' }

function shareParameters(document: Document): void {
  const parameters: Record<string, Parameter> = {}
  for (const operation of operationsOf(document))
    operation.parameters = operation.parameters?.map((parameter): Parameter | Reference => {
      const name = 'name' in parameter && parameter.in === 'query' ? shared[parameter.name] : undefined
      if (name === undefined || !('name' in parameter)) return parameter
      parameters[name] ??= parameter
      const isSame = JSON.stringify(parameters[name]) === JSON.stringify(parameter)
      return isSame ? { $ref: `#/components/parameters/${name}` } : parameter
    })
  document.components.parameters = parameters
}

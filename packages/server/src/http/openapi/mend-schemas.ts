import type { Components, Document, Schema } from './document.types.ts'
import { errorExamples } from './error-responses.ts'

/**
 * Removes the separate request forms of schemas, bounds that only state JavaScript's safe integers, and
 * `additionalProperties: false` in responses, which would break validating clients with each new member.
 */
export function mendSchemas(document: Document): void {
  const { components, ...rest } = document
  const { schemas } = components
  const named = namedIn(rest, schemas)
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

function namedIn(part: object, schemas: Components['schemas']): Set<string> {
  const direct = (value: object) =>
    [...(JSON.stringify(value) ?? '').matchAll(/"#\/components\/schemas\/(\w+)"/g)].map((match) => match[1]!)
  const named = new Set(direct(part))
  for (const name of named) for (const inner of direct(schemas[name] ?? {})) named.add(inner)
  return named
}

export function dropUnnamed({ components, ...document }: Document): void {
  const { schemas, ...others } = components
  const rest = { ...document, others }
  const named = namedIn(rest, schemas)
  components.schemas = pick(schemas, (name) => named.has(name))
  const text = JSON.stringify(rest)
  components.examples = pick(errorExamples, (code) => text.includes(`"#/components/examples/${code}"`))
}

const pick = <T>(values: Record<string, T>, isWanted: (name: string) => boolean): Record<string, T> =>
  Object.fromEntries(Object.entries(values).filter(([name]) => isWanted(name)))

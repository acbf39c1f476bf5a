import type { Schema } from './document.types.ts'
import { address, byName, day, id, time } from './member-examples.ts'
import { bodyExamples, answerMembers } from './schema-examples.ts'

export function exampleOf(schema: Schema, schemas: Readonly<Record<string, Schema>>, name = ''): unknown {
  const component = schema.$ref?.split('/').at(-1)
  if (component === undefined) return exampleOfOwn(schema, schemas, name)
  const made = bodyExamples[component] ?? exampleOfOwn(schemas[component]!, schemas, name)
  const members = answerMembers[component]
  return members === undefined ? made : { ...(made as object), ...members }
}

function exampleOfOwn(own: Schema, schemas: Readonly<Record<string, Schema>>, name: string): unknown {
  const named = byName[name]
  if (own.const !== undefined) return own.const
  if (own.enum) return own.enum[0]
  if (own.examples) return own.examples[0]
  if (named !== undefined && isOf(own, named)) return named
  const [first] = own.anyOf ?? own.oneOf ?? []
  if (first) return exampleOf(first, schemas, name)
  if (own.properties)
    return Object.fromEntries(
      Object.entries(own.properties).map(([member, value]) => [member, exampleOf(value, schemas, member)])
    )
  return plain(own, schemas, name)
}

function plain(schema: Schema, schemas: Readonly<Record<string, Schema>>, name: string): unknown {
  const type = [schema.type].flat()[0]
  if (schema.default !== undefined) return schema.default
  if (type === 'array') return schema.items ? [exampleOf(schema.items, schemas, name)] : []
  if (type === 'object') return {}
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return Math.max(schema.minimum ?? 1, 1)
  if (type === 'null') return null
  if (schema.format === 'date-time') return time
  if (schema.format === 'binary') return 'the bytes of the file'
  const texts = [...(/(^i|I)ds?$/.test(name) ? [id] : []), 'example', id, 'A'.repeat(43), address, day]
  return texts.find((text) => isOf(schema, text)) ?? 'example'
}

function isOf(
  { type, items, pattern, anyOf, format, minLength = 0, maxLength = Infinity }: Schema,
  value: unknown
): boolean {
  if (anyOf) return anyOf.some((each) => isOf(each, value))
  const types = [type].flat()
  if (value === null) return types.includes('null')
  if (typeof value === 'boolean') return types.includes('boolean')
  if (typeof value === 'number') return types.includes('integer') || types.includes('number')
  if (Array.isArray(value))
    return types.includes('array') && value.every((each) => items !== undefined && isOf(items, each))
  if (typeof value !== 'string' || !types.includes('string')) return false
  if (format === 'date-time' && value !== time) return false
  if (format === 'uri' && !URL.canParse(value)) return false
  return value.length >= minLength && value.length <= maxLength && (!pattern || new RegExp(pattern, 'u').test(value))
}

import { z } from 'zod'
import { fullScopeMark, secretMark } from '@panel/contract/field-scope'

type Schema = z.core.$ZodType
/** Removes marked members from a value. */
export type Hide = (value: unknown) => unknown
type Json = Record<string, unknown>

const markOf = (schema: Schema, mark: string): unknown => z.globalRegistry.get(schema)?.[mark]
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const accepts = (schema: Schema, value: unknown): boolean => z.safeParse(schema, value).success

/**
 * Returns a function that removes secret members from answers of this schema; undefined if it has none. Throws if a
 * secret member is neither nullable nor optional, because it could not be hidden.
 */
export function hideSecrets(schema: Schema, path = 'the answer'): Hide | undefined {
  const mark = markOf(schema, secretMark)
  if (mark === 'masked') return undefined
  if (mark !== undefined) {
    if (accepts(schema, null)) return () => null
    if (accepts(schema, undefined)) return () => undefined
    throw new Error(`${path} is secret and can be neither null nor absent`)
  }
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'readonly':
      return hideSecrets(def.innerType, path)
    case 'array': {
      const hide = hideSecrets(def.element, `${path}[]`)
      return hide && ((value) => (Array.isArray(value) ? value.map(hide) : value))
    }
    case 'object': {
      const members = Object.entries(def.shape).flatMap(([name, member]): [string, Hide][] => {
        const hide = hideSecrets(member, `${path}.${name}`)
        return hide ? [[name, hide]] : []
      })
      return members.length === 0 ? undefined : (value) => (isObject(value) ? withHidden(value, members) : value)
    }
    case 'union': {
      const hides = def.options.flatMap((option) => hideSecrets(option, path) ?? [])
      return hides.length === 0 ? undefined : (value) => hides.reduce((hidden, hide) => hide(hidden), value)
    }
    default:
      if (innerOf(def).some((inner) => hideSecrets(inner, path) !== undefined))
        throw new Error(`${path} has a secret inside a ${def.type}, where it cannot be hidden`)
      return undefined
  }
}

/** All direct child schemas. */
const innerOf = (def: object): Schema[] =>
  Object.values(def)
    .flat()
    .filter((part): part is Schema => isObject(part) && '_zod' in part)

function withHidden(value: Json, members: readonly [string, Hide][]): Json {
  const copy = { ...value }
  for (const [name, hide] of members) if (copy[name] != null) copy[name] = hide(copy[name])
  return copy
}

/** Name of the request member that requires full scope; undefined if there is none. */
export type FindFullScope = (request: unknown) => string | undefined

/** Returns a finder for such members in a body or parameters; undefined if the schema has none. */
export function findFullScope(schema: Schema, name = ''): FindFullScope | undefined {
  const mark = markOf(schema, fullScopeMark)
  if (mark !== undefined)
    return (value) => (value != null && (mark === true || (mark as unknown[]).includes(value)) ? name : undefined)
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (def.type === 'optional' || def.type === 'nullable' || def.type === 'default')
    return findFullScope(def.innerType, name)
  if (def.type !== 'object') {
    if (innerOf(def).some((inner) => findFullScope(inner) !== undefined))
      throw new Error(`${name} requires the scope full inside a ${def.type}, where it is not checked`)
    return undefined
  }
  const members = Object.entries(def.shape).flatMap(([key, member]): [string, FindFullScope][] => {
    const find = findFullScope(member, key)
    return find ? [[key, find]] : []
  })
  if (members.length === 0) return undefined
  return (value) => (isObject(value) ? members.map(([key, find]) => find(value[key])).find(Boolean) : undefined)
}

import type { z } from 'zod'

/** How the schemas' members say what they mean for API tokens; in the OpenAPI document under the same names. */
export const secretMark = 'x-secret'
export const fullScopeMark = 'x-full-scope'

/**
 * A member of an answer that opens something, or leads to what does. Tokens below the scope full get null in its place, or nothing where
 * it may be absent; a route where neither is possible takes full, or the panel does not start (http/field-scope.policy.ts).
 */
export const secret = <S extends z.ZodType>(schema: S): S => schema.meta({ [secretMark]: true })

/** A member with a secret in it, which whoever makes the answer masks for such tokens: as it is for everybody who asks for no secrets. */
export const maskable = <S extends z.ZodType>(schema: S): S => schema.meta({ [secretMark]: 'masked' })

/** A member of a request that takes the scope full of a token, whatever its route does: at all, or with one of these values. */
export const fullScope = <S extends z.ZodType>(schema: S, values?: readonly string[]): S =>
  schema.meta({ [fullScopeMark]: values ?? true })

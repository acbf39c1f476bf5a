import type { z } from 'zod'

/** How schema members declare what API tokens may see and send; the OpenAPI document uses the same names. */
export const secretMark = 'x-secret'
export const fullScopeMark = 'x-full-scope'

/** Tokens below the scope full get null, or nothing if it is optional (http/field-scope.policy.ts). */
export const secret = <S extends z.ZodType>(schema: S): S => schema.meta({ [secretMark]: true })

/** Contains a secret; the handler masks it for tokens below the scope full. */
export const maskable = <S extends z.ZodType>(schema: S): S => schema.meta({ [secretMark]: 'masked' })

/** Requires the scope full for API tokens: any value, or only the listed ones. */
export const fullScope = <S extends z.ZodType>(schema: S, values?: readonly string[]): S =>
  schema.meta({ [fullScopeMark]: values ?? true })

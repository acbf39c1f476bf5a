import type { z } from 'zod'

/** How schema members declare what API tokens may see and send; the OpenAPI document uses the same names. */
export const secretMark = 'x-secret'
export const fullScopeMark = 'x-full-scope'

/**
 * A response member that is a secret or leads to one. Tokens below the scope full get null instead, or nothing if it is
 * optional. A route where neither is possible must require full, otherwise the panel does not start
 * (http/field-scope.policy.ts).
 */
export const secret = <S extends z.ZodType>(schema: S): S => schema.meta({ [secretMark]: true })

/**
 * A member that contains a secret; the handler masks it for such tokens, the same way as for requests without secrets.
 */
export const maskable = <S extends z.ZodType>(schema: S): S => schema.meta({ [secretMark]: 'masked' })

/**
 * A request member that requires the scope full, whatever the scope of its route: any value, or only the listed ones.
 */
export const fullScope = <S extends z.ZodType>(schema: S, values?: readonly string[]): S =>
  schema.meta({ [fullScopeMark]: values ?? true })

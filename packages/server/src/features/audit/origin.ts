import { z } from 'zod'
import { TokenScope } from '@panel/contract/api-tokens'
import type { AuditOrigin } from './recording.service.ts'

export const Origin: z.ZodType<AuditOrigin> = z.object({
  ip: z.string().optional(),
  headers: z.object({ 'user-agent': z.string().optional() }).optional(),
  session: z.object({ id: z.string(), scope: TokenScope.optional() }).nullish()
}) as z.ZodType<AuditOrigin>

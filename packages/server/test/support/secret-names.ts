import type { Database } from '../../src/db/database.ts'
import { auditLog, auditPending } from '../../src/db/schema/audit-log.ts'

/** Member names that suggest a secret. */
export const secretName =
  /secret|passw|token|private|credential|recovery|manualkey|otpauth|qrdata|^(internal|host)uri$|^value$|^content$/i

export function textsNamedSecret(value: unknown, path = ''): { path: string; name: string; text: string }[] {
  if (Array.isArray(value)) return value.flatMap((item) => textsNamedSecret(item, path))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => [
    ...(secretName.test(name) && typeof member === 'string' ? [{ path: `${path}.${name}`, name, text: member }] : []),
    ...textsNamedSecret(member, `${path}.${name}`)
  ])
}

const inPublicDns = 'dns_record.'

/** Audit log entries have no schema for their details, so check their member names. */
export async function secretsWrittenDown(db: Database): Promise<string[]> {
  const entries = await Promise.all(
    [auditLog, auditPending].map((table) => db.select({ action: table.action, metadata: table.metadata }).from(table))
  )
  const found = entries
    .flat()
    .filter(({ action }) => !action.startsWith(inPublicDns))
    .flatMap(({ action, metadata }) => textsNamedSecret(metadata).map(({ path }) => `${action}${path}`))
  return [...new Set(found)]
}

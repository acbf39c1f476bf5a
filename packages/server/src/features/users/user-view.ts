import type { User } from '@panel/contract/users'
import type { UserRow } from './users.repository.ts'

export function userView(row: UserRow): User {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    role: row.role,
    permissions: row.permissions,
    oversellingEnabled: row.oversellingEnabled,
    totpEnabled: row.totpEnabled,
    maxProjects: row.maxProjects,
    maxDomains: row.maxDomains,
    maxDatabases: row.maxDatabases,
    maxMailboxes: row.maxMailboxes,
    maxSubAccounts: row.maxSubAccounts,
    maxDiskMb: row.maxDiskMb,
    maxMemoryMb: row.maxMemoryMb,
    maxCpus: row.maxCpus,
    maxTcpPorts: row.maxTcpPorts,
    suspended: row.suspendedAt !== null,
    parentId: row.parentId,
    locale: row.locale,
    timezone: row.timezone,
    theme: row.theme,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString()
  }
}

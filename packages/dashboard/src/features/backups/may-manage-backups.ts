import type { Schema } from '../../api/client.ts'

export const mayManageBackups = ({ role, permissions }: Schema<'User'>): boolean =>
  role === 'ADMIN' || permissions.includes('canManageBackups')

import type { Schema } from '../../api/client.ts'

export const mayManageFirewall = ({ role, permissions }: Schema<'User'>): boolean =>
  role === 'ADMIN' || permissions.includes('canManageFirewall')

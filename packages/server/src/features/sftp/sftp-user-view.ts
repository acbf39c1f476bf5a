import type { SftpUser } from '@panel/contract/sftp'
import type { SftpUserRow } from './sftp-users.repository.ts'

export const sftpUserView = (row: SftpUserRow): SftpUser => ({
  id: row.id,
  userId: row.userId,
  linuxUsername: row.linuxUsername,
  sshPublicKeys: row.sshPublicKeys,
  isEnabled: row.isEnabled,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString()
})

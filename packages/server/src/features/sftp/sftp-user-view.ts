import type { SftpUser } from '@panel/contract/sftp'
import type { Dependencies } from '../../dependencies.ts'
import type { SftpUserRow } from './sftp-users.repository.ts'

type Config = Pick<Dependencies, 'config'>

export const sftpAddress = ({ config }: Config): { host: string; port: number } => {
  const { SFTP_HOST, SFTP_PORT, PANEL_DOMAIN, PUBLIC_IP } = config
  return { host: SFTP_HOST ?? PANEL_DOMAIN ?? PUBLIC_IP ?? 'localhost', port: SFTP_PORT }
}

export const sftpUserView = (deps: Config, row: SftpUserRow): SftpUser => ({
  id: row.id,
  userId: row.userId,
  linuxUsername: row.linuxUsername,
  ...sftpAddress(deps),
  sshPublicKeys: row.sshPublicKeys,
  isEnabled: row.isEnabled,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString()
})

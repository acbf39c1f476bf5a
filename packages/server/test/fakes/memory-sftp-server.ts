import type { SftpServer } from '../../src/infra/sftp-server/sftp-server.ts'

export const createMemorySftpServer = (): SftpServer => ({
  ping: async () => 'OpenSSH_9.2p1 memory',
  hostKeys: async () => ['SHA256:memory']
})

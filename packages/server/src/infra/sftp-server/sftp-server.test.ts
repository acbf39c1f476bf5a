import { describeSftpServer } from '../../../test/contracts/sftp-server.contract.ts'
import { createMemorySftpServer } from '../../../test/fakes/memory-sftp-server.ts'

describeSftpServer('in memory', async () => ({
  server: createMemorySftpServer(),
  unavailable: createMemorySftpServer({ isUnavailable: true }),
  close: async () => {}
}))

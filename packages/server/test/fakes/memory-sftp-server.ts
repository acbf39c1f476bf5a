import { AdapterError } from '../../src/infra/adapter-error.ts'
import type { SftpServer } from '../../src/infra/sftp-server/sftp-server.ts'

export function createMemorySftpServer({ isUnavailable = false } = {}): SftpServer {
  const answer = async <T>(value: T): Promise<T> => {
    if (isUnavailable) throw new AdapterError('sftp-unavailable', 'No SSH server is responding. Try again later.')
    return value
  }
  return {
    ping: () => answer('OpenSSH_9.2p1 memory'),
    hostKeys: () => answer([`SHA256:${'memory'.padEnd(43, 'A')}`])
  }
}

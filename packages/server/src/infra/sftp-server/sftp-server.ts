/** The SSH server that serves SFTP. Rejects with AdapterError sftp-unavailable on timeout. */
export interface SftpServer {
  ping(): Promise<string>
  hostKeys(): Promise<readonly string[]>
}

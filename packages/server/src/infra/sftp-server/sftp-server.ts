/** The SSH server that serves SFTP. Rejects with AdapterError sftp-unavailable when it does not answer within its time limit. */
export interface SftpServer {
  /** What it greets with, such as "OpenSSH_9.2p1 Debian-2+deb12u7". */
  ping(): Promise<string>
  /** Fingerprints of its host keys, `SHA256:` and Base64 as ssh-keygen -l prints them. */
  hostKeys(): Promise<readonly string[]>
}

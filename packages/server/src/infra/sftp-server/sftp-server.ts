/** The SSH server that serves SFTP. Rejects with AdapterError sftp-unavailable on timeout. */
export interface SftpServer {
  /** Its banner, for example "OpenSSH_9.2p1 Debian-2+deb12u7". */
  ping(): Promise<string>
  /** Host key fingerprints, in the `SHA256:` format of ssh-keygen -l. */
  hostKeys(): Promise<readonly string[]>
}

/**
 * For a root shell on the machine: allows the panel's key, without a terminal, and prints the key of the SSH server. A
 * public key and its comment contain no quotes.
 */
export const authorizeCommand = (publicKey: string): string =>
  `install -d -m 700 /root/.ssh && echo 'restrict,port-forwarding ${publicKey}' >> /root/.ssh/authorized_keys && ` +
  'cat /etc/ssh/ssh_host_ed25519_key.pub'

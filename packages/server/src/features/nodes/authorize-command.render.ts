/** For OpenSSH's authorized_keys: no terminal. A public key and its comment contain no quotes. */
const allowed = (publicKey: string): string => `restrict,port-forwarding ${publicKey}`

/** For a root shell on the machine: allows the panel's key and prints the key of the SSH server. */
export const authorizeCommand = (publicKey: string): string =>
  `install -d -m 700 /root/.ssh && echo '${allowed(publicKey)}' >> /root/.ssh/authorized_keys && ` +
  'cat /etc/ssh/ssh_host_ed25519_key.pub'

interface Join {
  publicKey: string
  /** Of the panel, without a quote, as URLs are. */
  url: string
  token: string
  /** Of Debian, if the machine may get into the encrypted network; wireguard-go only where the kernel has none. */
  needsWireguard: boolean
}

const installWireguard = [
  '{ command -v wg >/dev/null || { apt-get -qq update && apt-get -qq install -y --no-install-recommends wireguard-tools >/dev/null; }; }',
  '{ { ip link add panel-wg type wireguard && ip link del panel-wg; } 2>/dev/null || command -v wireguard-go >/dev/null || { apt-get -qq update && apt-get -qq install -y wireguard-go >/dev/null; }; }'
]

/** For a root shell on the machine: installs the engine, allows the panel's key, and tells the panel how to reach it. */
export const joinCommand = ({ publicKey, url, token, needsWireguard }: Join): string =>
  [
    '{ { command -v dockerd && command -v curl; } >/dev/null || { apt-get -qq update && apt-get -qq install -y docker.io curl >/dev/null; }; }',
    ...(needsWireguard ? installWireguard : []),
    'install -d -m 700 /root/.ssh',
    `echo '${allowed(publicKey)}' >> /root/.ssh/authorized_keys`,
    `printf '{"token":"%s","hostKey":"%s","port":%s}' ${token} "$(cut -d ' ' -f 1,2 /etc/ssh/ssh_host_ed25519_key.pub)" ` +
      `"$(sshd -T | sed -n 's/^port //p' | head -n 1)" | curl -sS --fail-with-body --json @- '${url}'`
  ].join(' && ')

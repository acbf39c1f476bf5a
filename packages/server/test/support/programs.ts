import { access, constants } from 'node:fs/promises'
import { join } from 'node:path'

/** Debian packages and the programs tests use from them. `./panel test` installs them. */
export const apiPrograms = {
  'mariadb-server': ['mariadbd', 'mariadb-install-db'],
  'redis-server': ['redis-server'],
  'openssh-client': ['ssh-keygen'],
  openssl: ['openssl'],
  git: ['git']
}

export const endToEndPrograms = {
  ...apiPrograms,
  'bind9-dnsutils': ['delv'],
  'bind9-utils': ['named-checkzone', 'named-compilezone', 'dnssec-keygen', 'dnssec-signzone', 'dnssec-dsfromkey'],
  'apache2-utils': ['htpasswd'],
  'busybox-static': ['busybox'],
  curl: ['curl'],
  'docker-registry': ['docker-registry'],
  'dovecot-core': ['dovecot', 'doveadm'],
  'dovecot-sieve': ['sievec'],
  haproxy: ['haproxy'],
  iproute2: ['ip', 'ss'],
  knot: ['knotd', 'knotc', 'kzonecheck', 'kjournalprint'],
  'knot-dnsutils': ['kdig'],
  'mariadb-client': ['mariadb'],
  nftables: ['nft'],
  'openssh-client': ['ssh', 'ssh-keygen', 'sftp'],
  opendkim: ['opendkim'],
  'openssh-server': ['sshd'],
  pebble: ['pebble'],
  postfix: ['postfix', 'postmap'],
  postsrsd: ['postsrsd'],
  procps: ['ps'],
  python3: ['python3'],
  sudo: ['sudo', 'visudo'],
  unbound: ['unbound'],
  'util-linux': ['setpriv', 'nsenter', 'unshare', 'runuser']
}

// Not in every user's PATH.
const systemDirectories = ['/usr/sbin', '/sbin']

/** Fails early with the missing programs and how to install them. */
export async function requirePrograms(packages: Readonly<Record<string, readonly string[]>>): Promise<void> {
  const missing: { program: string; name: string }[] = []
  for (const [name, programs] of Object.entries(packages))
    for (const program of programs) if (!(await isInstalled(program))) missing.push({ program, name })
  if (missing.length === 0) return
  const programs = missing.map(({ program }) => program).join(', ')
  const names = [...new Set(missing.map(({ name }) => name))].join(' ')
  throw new Error(
    `Tests need programs that are missing: ${programs}. Run ./panel test, or as root: apt-get install ${names}`
  )
}

async function isInstalled(program: string): Promise<boolean> {
  for (const directory of [...(process.env.PATH ?? '').split(':'), ...systemDirectories]) {
    try {
      await access(join(directory, program), constants.X_OK)
      return true
    } catch {
      continue
    }
  }
  return false
}

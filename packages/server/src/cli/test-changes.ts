import type { Run } from '../infra/process/process.ts'

/**
 * Words of a path in the product, and of the end-to-end files that drive what lies there: they run `./panel`, so that no import says so.
 * A path may have several.
 */
const areas: readonly (readonly [product: RegExp, files: RegExp])[] = [
  [/acme|certificate|x509/, /acme|certificate/],
  [/dns|zone|knot/, /dns|zone|name-servers/],
  [/reverse-proxy|haproxy|domains|routing/, /reverse-proxy|routing|domains/],
  [/sftp|sshd|host-helper/, /sftp|host-helper/],
  [/wordpress|site-database/, /wordpress|site-database/],
  [/database|postgresql|mariadb/, /database/],
  [/builds|image|container|deployments|reconcile/, /build|framework|writable|container|deployments|recovery/],
  [/env-vars/, /env\./],
  [/dashboard/, /dashboard|pages\//],
  [/git|commit/, /git|webhooks/],
  [/firewall|network/, /firewall|account-networks/],
  [/disk|quota|mounts/, /disk|project-mounts/],
  [/mail(?!er)|delivery-|dovecot|postfix|dkim|rspamd|programs\/redis/, /mail/],
  [/own-container|roundcube/, /webmail|database-admin/],
  [/file/, /files|project-mounts/],
  [/http\/|auth|access|proxy|deployments|api-tokens|users/, /hostile/],
  [/packages\/(cli|client)\/|http\/openapi|api-tokens/, /\bcli\./],
  [/programs\/|infra\/process|cli\/|wiring\/|config|scripts\//, /launcher|recovery|process|release/]
]

/** What every change of the product runs. */
const always = /first-path/

const isProduct = (path: string): boolean =>
  /^(packages\/[^/]+\/src\/|scripts\/)/.test(path) && !/\.test\.ts$/.test(path)

/** Which of the end-to-end files a change of these paths can touch, besides those that import them. */
export function endToEndFilesFor(changed: readonly string[], files: readonly string[]): string[] {
  const product = changed.filter(isProduct)
  if (product.length === 0) return []
  const wanted = areas.filter(([part]) => product.some((path) => part.test(path))).map(([, name]) => name)
  return files.filter((file) => [always, ...wanted].some((name) => name.test(file)))
}

/** Paths from the root that differ from the commit, those that git does not know yet too. */
export async function changedPaths(run: Run, root: string, commit: string): Promise<string[]> {
  const git = async (...args: string[]) =>
    (await run(['git', ...args], { cwd: root, timeoutMs: 30_000, maxOutputBytes: 16 * 1024 * 1024 })).stdout
  const lists = await Promise.all([
    git('diff', '--name-only', '-z', commit, '--'),
    git('ls-files', '--others', '--exclude-standard', '-z')
  ])
  return lists.flatMap((list) => list.split('\0')).filter((path) => path !== '')
}

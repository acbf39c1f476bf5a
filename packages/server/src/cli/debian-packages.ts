import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Run } from '../infra/process/process.ts'
import { ProcessError } from '../infra/process/process.ts'
import { resolveProgram } from '../infra/process/program-path.ts'
import { messageOf } from '../text/message-of.ts'
import { step } from './command.ts'

export const toolPackages = [
  'nftables',
  'git',
  'openssh-client',
  'openssl',
  'ca-certificates',
  'iproute2',
  'minisign',
  'mmdebstrap',
  'procps',
  'quota',
  'mariadb-client',
  'postgresql-client',
  'restic',
  'wireguard-tools'
] as const

export const ensureDebianPackages = (run: Run, packages: readonly string[]): Promise<void> => ensure(run, packages, [])

/** For optional packages: never removes other packages. Resolves with the reason if they could not be installed. */
export async function ensureIfHarmless(run: Run, packages: readonly string[]): Promise<string | undefined> {
  try {
    await ensure(run, packages, ['--no-remove'])
    return undefined
  } catch (error) {
    const reason = messageOf(error)
    return /remove is disabled/.test(reason)
      ? `Installing them would remove another mail server, because Debian allows only one. See apt-get install --simulate ${packages.join(' ')}, then remove that server or set MAIL=off`
      : reason
  }
}

/** Installs those that this Debian has. A failure is not one of `up`. */
export async function ensureOptional(run: Run, packages: readonly string[]): Promise<void> {
  for (const name of await findMissing(run, packages)) {
    const { stdout } = await run(['apt-cache', 'policy', name], { timeoutMs: 60_000, env: { LC_ALL: 'C.UTF-8' } })
    if (!/^ {2}Candidate: \d/m.test(stdout)) continue
    const problem = await ensureIfHarmless(run, [name])
    if (problem !== undefined) step(`${name} could not be installed: ${problem}`)
  }
}

/** `docker`, which tests and `bench` call. It is part of docker.io in Debian 12. */
export async function ensureDockerCommand(run: Run): Promise<void> {
  if (!resolveProgram('docker').startsWith('/')) await ensureDebianPackages(run, ['docker-cli'])
}

// On a slow server with hundreds of packages to unpack. Ending dpkg in the middle is worse than waiting.
const installMs = 60 * 60_000

// At the first start dpkg may still be installing the panel itself, and at boot unattended-upgrades runs.
const lockSeconds = 300

async function ensure(run: Run, packages: readonly string[], options: readonly string[]): Promise<void> {
  const missing = await findMissing(run, packages)
  if (missing.length === 0) return
  const command = `apt-get install ${missing.join(' ')}`
  if (process.getuid?.() !== 0)
    throw new Error(`Debian packages are missing: ${missing.join(', ')}. Run as root: ${command}`)
  step(`Installing Debian packages: ${missing.join(' ')} (a minute or two)`)
  const env = { DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C.UTF-8' }
  const limits = { timeoutMs: installMs, env, maxOutputBytes: 16 * 1024 * 1024 }
  const apt = async (...args: string[]) => {
    const argv = ['apt-get', '-qq', '-o', `DPkg::Lock::Timeout=${lockSeconds}`, ...args] as const
    try {
      await run(argv, limits).catch(async (error: unknown) => {
        if (!(error instanceof ProcessError) || !error.stderr.includes('dpkg --configure -a')) throw error
        step('Completing an installation of packages that was interrupted')
        await run(['dpkg', '--configure', '-a'], limits)
        await run(argv, limits)
      })
    } catch (error) {
      throw error instanceof ProcessError
        ? new Error(`${command} failed:\n${error.stderr.trim().slice(-2_000)}`, { cause: error })
        : error
    }
  }
  await apt('update')
  const answers = missing.flatMap((name) => packageAnswers[name] ?? [])
  if (answers.length > 0) await preseed(run, answers.join(''))
  await withoutDebianServices(run, missing, () =>
    withoutMainCluster(() => apt('install', '-y', '--no-install-recommends', ...options, '--', ...missing))
  )
}

const packageAnswers: Readonly<Record<string, string>> = {
  // Keeps the package from writing its own configuration.
  postfix: 'postfix postfix/main_mailer_type select No configuration\n',
  // Without systemd the package's postinst starts the service, which fails without a domain.
  postsrsd: 'postsrsd postsrsd/domain string localhost.invalid\n'
}

const preseed = (run: Run, answers: string) =>
  run(['debconf-set-selections'], { timeoutMs: 30_000, input: answers, env: { LC_ALL: 'C.UTF-8' } })

/** Debian's packages start these units and enable them at boot; they would bind our ports. */
const services: Readonly<Record<string, readonly string[]>> = {
  'docker-registry': ['docker-registry.service'],
  'dovecot-core': ['dovecot.service', 'dovecot.socket'],
  haproxy: ['haproxy.service'],
  knot: ['knot.service'],
  opendkim: ['opendkim.service'],
  postfix: ['postfix.service'],
  postsrsd: ['postsrsd.service'],
  'redis-server': ['redis-server.service'],
  rspamd: ['rspamd.service']
}

/**
 * Keeps Debian's units of newly installed packages from running: the panel runs these programs itself. Units that existed before belong to the
 * administrator. The mask is in /run, so a reboot removes one that a killed panel left.
 */
async function withoutDebianServices(
  run: Run,
  missing: readonly string[],
  install: () => Promise<void>
): Promise<void> {
  const units = missing.flatMap((name) => services[name] ?? [])
  if (units.length === 0 || !existsSync('/run/systemd/system')) return install()
  const systemctl = (...args: string[]) => run(['systemctl', ...args, '--', ...units], { timeoutMs: 5 * 60_000 })
  await systemctl('mask', '--runtime')
  try {
    await install()
  } finally {
    await systemctl('unmask', '--runtime')
      // Also after a failure: a second run takes those that are there for the administrator's.
      .then(() => systemctl('disable'))
      .catch((error: unknown) =>
        step(
          `Could not disable Debian's services of these packages, which may occupy the ports of the panel: ${messageOf(error)}`
        )
      )
  }
}

// Read by pg_createcluster on the first installation of PostgreSQL.
const clusterSettings = '/etc/postgresql-common/createcluster.d'

/** Debian's PostgreSQL package creates a cluster on port 5432; this prevents that. Existing clusters are kept. */
async function withoutMainCluster(install: () => Promise<void>): Promise<void> {
  const path = join(clusterSettings, 'panel.conf')
  await mkdir(clusterSettings, { recursive: true })
  await writeFile(
    path,
    '# While the panel installs packages; it runs a cluster of its own.\ncreate_main_cluster = false\n'
  )
  try {
    await install()
  } finally {
    await rm(path, { force: true })
  }
}

export async function findMissing(run: Run, packages: readonly string[]): Promise<string[]> {
  const installed = await run(['dpkg-query', '-W', '-f', '${db:Status-Abbrev} ${Package}\n', '--', ...packages], {
    timeoutMs: 30_000
  }).then(
    (result) => result.stdout,
    (error: unknown) => {
      // dpkg-query fails if one package is unknown, and Run discards stdout on failure: query one by one.
      if (error instanceof ProcessError && error.reason === 'failed') return undefined
      throw new Error(
        'This is not a Debian system. Install Docker, HAProxy, Knot DNS, PostgreSQL, MariaDB, Git and OpenSSH yourself.',
        {
          cause: error
        }
      )
    }
  )
  if (installed !== undefined) return packages.filter((name) => !installed.includes(`ii  ${name}\n`))
  const alone = await Promise.all(
    packages.map(async (name) => (packages.length === 1 || (await findMissing(run, [name])).length > 0 ? [name] : []))
  )
  return alone.flat()
}

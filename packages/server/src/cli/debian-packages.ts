import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Run } from '../infra/process/process.ts'
import { ProcessError } from '../infra/process/process.ts'
import { messageOf } from '../text/message-of.ts'
import { step } from './command.ts'

/** What `./panel up` uses of a Debian server, besides the programs that it runs (programs/list.ts). */
export const toolPackages = [
  'nftables',
  'git',
  'openssh-client',
  'openssl',
  'ca-certificates',
  'iproute2',
  'mmdebstrap',
  'procps',
  'quota',
  'mariadb-client'
] as const

/** Installs those of the packages that are missing. Rejects with the remedy where it cannot. */
export const ensureDebianPackages = (run: Run, packages: readonly string[]): Promise<void> => ensure(run, packages, [])

/** The same, of those without which the panel goes on: nothing else is removed for them. Resolves with why they are not there. */
export async function ensureIfHarmless(run: Run, packages: readonly string[]): Promise<string | undefined> {
  try {
    await ensure(run, packages, ['--no-remove'])
    return undefined
  } catch (error) {
    const reason = messageOf(error)
    return /remove is disabled/.test(reason)
      ? `Other packages of this machine would have to go for them, as Debian has one mail server at a time: see apt-get install --simulate ${packages.join(' ')}, and remove that one or set MAIL=off`
      : reason
  }
}

async function ensure(run: Run, packages: readonly string[], options: readonly string[]): Promise<void> {
  const missing = await findMissing(run, packages)
  if (missing.length === 0) return
  const command = `apt-get install ${missing.join(' ')}`
  if (process.getuid?.() !== 0)
    throw new Error(`These Debian packages are missing: ${missing.join(', ')}. As root: ${command}`)
  step(`Installing Debian packages: ${missing.join(' ')} (a minute or two)`)
  const env = { DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C.UTF-8' }
  const apt = async (...args: string[]) => {
    try {
      await run(['apt-get', '-qq', ...args], { timeoutMs: 15 * 60_000, env, maxOutputBytes: 16 * 1024 * 1024 })
    } catch (error) {
      throw error instanceof ProcessError
        ? new Error(`${command} failed:\n${error.stderr.trim().slice(-2_000)}`, { cause: error })
        : error
    }
  }
  await apt('update')
  const answers = missing.flatMap((name) => packageAnswers[name] ?? [])
  if (answers.length > 0) await preseed(run, answers.join(''))
  await withoutMainCluster(() => apt('install', '-y', '--no-install-recommends', ...options, '--', ...missing))
  await leaveToPanel(run, missing)
}

/** What packages ask as they are installed (debconf). */
const packageAnswers: Readonly<Record<string, string>> = {
  // By this answer it makes no configuration of its own.
  postfix: 'postfix postfix/main_mailer_type select No configuration\n',
  // Without a domain the installation fails where a script starts the service, and not systemd.
  postsrsd: 'postsrsd postsrsd/domain string localhost.invalid\n'
}

const preseed = (run: Run, answers: string) =>
  run(['debconf-set-selections'], { timeoutMs: 30_000, input: answers, env: { LC_ALL: 'C.UTF-8' } })

/** Services that come with packages of mail, and take the ports of those that the panel runs, at each start of the machine. */
const services: Readonly<Record<string, string>> = {
  'dovecot-core': 'dovecot.service',
  opendkim: 'opendkim.service',
  postfix: 'postfix.service',
  postsrsd: 'postsrsd.service',
  'redis-server': 'redis-server.service',
  rspamd: 'rspamd.service'
}

/** Only of what has just been installed for the panel: one that was there before is somebody's. */
async function leaveToPanel(run: Run, installed: readonly string[]): Promise<void> {
  const units = installed.flatMap((name) => services[name] ?? [])
  if (units.length === 0 || !existsSync('/run/systemd/system')) return
  await run(
    ['systemctl', 'disable', '--now', ...units, ...(units.includes('dovecot.service') ? ['dovecot.socket'] : [])],
    {
      timeoutMs: 60_000
    }
  ).catch((error: unknown) => step(`Services of Debian's own may hold ports of mail: ${messageOf(error)}`))
}

// Read by pg_createcluster, which PostgreSQL's packages run when they are installed first.
const clusterSettings = '/etc/postgresql-common/createcluster.d'

/** PostgreSQL's packages come with a server that starts at once and takes port 5432; clusters that there are stay as they are. */
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

async function findMissing(run: Run, packages: readonly string[]): Promise<string[]> {
  const installed = await run(['dpkg-query', '-W', '-f', '${db:Status-Abbrev} ${Package}\n', '--', ...packages], {
    timeoutMs: 30_000
  }).then(
    (result) => result.stdout,
    (error: unknown) => {
      // It fails when one is unknown to dpkg and still lists the others, but our Run keeps no stdout of a failure: ask one by one.
      if (error instanceof ProcessError && error.reason === 'failed') return undefined
      throw new Error(
        'This is not a Debian system; install the container engine, HAProxy, Knot DNS, PostgreSQL, MariaDB, git and OpenSSH yourself',
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

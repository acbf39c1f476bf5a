import { mkdir, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { probeRspamd } from '../infra/mail-filter/rspamd-probe.ts'
import { renderRspamdConfig, type RspamdConfigOptions } from '../infra/mail-filter/rspamd-config.render.ts'
import { renderRspamdRules } from '../infra/mail-filter/rspamd-rules.render.ts'
import { makeOwned } from '../infra/mail-server/mail-directories.ts'
import { mailGid, mailPaths } from '../infra/mail-server/mail-paths.ts'
import { findMailUser } from '../infra/mail-server/mail-users.ts'
import { withoutPrivileges } from '../infra/process/privileges.ts'
import { readProcessState } from '../infra/process/process-state.ts'
import { processesIn } from '../infra/process/processes-in.ts'
import type { Run } from '../infra/process/process.ts'
import { findInstalled, withVersion } from './finding.ts'
import { mailPathsOf, mailProgramOptions } from './mail-programs.ts'
import type { FoundProcesses, ManagedProgram } from './managed-program.ts'
import type { Program } from './program.ts'

const checkTimeoutMs = 60_000

/** jemalloc keeps about 150 MB per process after compiling the public suffix list; these return it at once. */
const allocator = { MALLOC_CONF: 'dirty_decay_ms:0,muzzy_decay_ms:0' }

/** Rspamd on Unix sockets. Restarted on a configuration change; domain settings are read per message. */
export async function rspamdProgram(options: RspamdConfigOptions & { run: Run }): Promise<ManagedProgram> {
  const { run } = options
  const paths = mailPaths(options)
  const { filter } = paths
  const user = await findMailUser('_rspamd', run)
  const variables = (directory: string) => [`--var=LOCAL_CONFDIR=${directory}`, `--var=DBDIR=${filter.data}`]
  const render = () => [
    { path: filter.config, content: renderRspamdConfig(options), mode: 0o644 },
    { path: filter.rules, content: renderRspamdRules(), mode: 0o644 }
  ]
  return {
    name: 'the spam filter',
    log: filter.log,
    stopSignal: 'SIGTERM',
    limits: { startMs: 120_000, stopMs: 20_000 },
    async prepare() {
      const root = { uid: 0, gid: 0 }
      const { gid: postfix } = await findMailUser('postfix', run)
      for (const path of [paths.directory, paths.logs, paths.run]) await makeOwned(path, root, 0o711)
      await makeOwned(filter.directory, root, 0o711)
      await makeOwned(filter.domains, { uid: 0, gid: user.gid }, 0o2750)
      await makeOwned(filter.held, user, 0o700)
      await makeOwned(filter.data, user, 0o700)
      // Sockets inherit the groups of their directories.
      await makeOwned(filter.run, { uid: user.uid, gid: postfix }, 0o2750)
      await makeOwned(filter.learnRun, { uid: user.uid, gid: mailGid }, 0o2750)
    },
    render,
    async check(_candidate, files) {
      await rm(filter.candidate, { recursive: true, force: true })
      await mkdir(filter.candidate, { mode: 0o755 })
      try {
        for (const { path, content } of files) await writeFile(join(filter.candidate, basename(path)), content)
        const config = join(filter.candidate, basename(filter.config))
        const argv = ['rspamadm', ...variables(filter.candidate), 'configtest', '-q', '-c', config] as const
        await run(withoutPrivileges(user, argv), { timeoutMs: checkTimeoutMs })
      } finally {
        await rm(filter.candidate, { recursive: true, force: true })
      }
    },
    command: () => {
      const argv = ['rspamd', '-f', '-c', filter.config, ...variables(filter.directory)] as const
      return { argv: ['env', `--chdir=${filter.data}`, ...withoutPrivileges(user, argv)], env: allocator }
    },
    find: () => findRspamd(filter.data),
    probe: () => probeRspamd(paths).then(() => 'serving')
  }
}

/** Without its own daemonisation it writes no pid file, and it changes its process title after start. */
async function findRspamd(directory: string): Promise<FoundProcesses> {
  const all = await processesIn(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [] as number[] // Never started.
    throw error
  })
  const states = await Promise.all(all.map(readProcessState))
  return { main: all.find((_, index) => states[index]?.isSessionLeader), all }
}

export const mailFilter: Program = {
  name: 'mailFilter',
  title: 'the spam filter',
  packages: ['rspamd', 'publicsuffix'],
  needs: ['mailFilterStore'],
  isRequired: false,
  isUsed: ({ MAIL, MAIL_SPAM_FILTER }) => MAIL && MAIL_SPAM_FILTER,
  follows: [
    'PANEL_DOMAIN',
    'BASE_DOMAIN',
    'DNS_RESOLVERS',
    'MAIL_SPAM_LOOKUPS',
    'MAIL_GREYLIST_SECONDS',
    'MAIL_MESSAGE_LIMIT'
  ],
  isOurs: ({ MAIL, MAIL_SPAM_FILTER }) => MAIL && MAIL_SPAM_FILTER,
  ports: () => [],
  portHint: '',
  open: async ({ config, run }) =>
    rspamdProgram({
      ...(await mailProgramOptions(config, run, [])),
      resolvers: config.DNS_RESOLVERS,
      hasLookups: config.MAIL_SPAM_LOOKUPS,
      greylistSeconds: config.MAIL_GREYLIST_SECONDS
    }),
  ping: ({ mailFilter: filter }) => filter.ping('filter'),
  remedy: { code: 'RUN_UP_UNFILTERED' },
  async inspect(config) {
    const paths = await mailPathsOf(config)
    return withVersion(
      await findInstalled('Spam filter', ['rspamd', '--version'], 'Run apt-get install rspamd, or ./panel up'),
      () => probeRspamd(paths).then(() => ''),
      `Run ./panel up to start it. If that fails, see ${paths.filter.log}`
    )
  }
}

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
import { findInstalled, withAnswer } from './finding.ts'
import { mailPathsOf, mailProgramOptions } from './mail-programs.ts'
import type { FoundProcesses, ManagedProgram } from './managed-program.ts'
import type { Program } from './program.ts'

const checkTimeoutMs = 60_000

/**
 * Its allocator (jemalloc) keeps what compiling the list of public suffixes has freed, some 150 MB that every process would share for ever.
 * With these it gives freed pages back at once.
 */
const allocator = { MALLOC_CONF: 'dirty_decay_ms:0,muzzy_decay_ms:0' }

/** Rspamd, on Unix sockets. Replaced where its configuration has changed; settings of domains it reads for each message. */
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
    // It reads thousands of rules before it serves.
    limits: { startMs: 120_000, stopMs: 20_000 },
    async prepare() {
      const root = { uid: 0, gid: 0 }
      const { gid: postfix } = await findMailUser('postfix', run)
      for (const path of [paths.directory, paths.logs, paths.run]) await makeOwned(path, root, 0o711)
      await makeOwned(filter.directory, root, 0o711)
      await makeOwned(filter.domains, { uid: 0, gid: user.gid }, 0o2750)
      await makeOwned(filter.held, user, 0o700)
      await makeOwned(filter.data, user, 0o700)
      // Their sockets get the groups of their directories.
      await makeOwned(filter.run, { uid: user.uid, gid: postfix }, 0o2750)
      await makeOwned(filter.learnRun, { uid: user.uid, gid: mailGid }, 0o2750)
    },
    render,
    // Both files are looked at together, each time, as it will run them.
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

/** It writes no number of its own when somebody else keeps it in the background, and calls itself otherwise when it has started. */
async function findRspamd(directory: string): Promise<FoundProcesses> {
  const all = await processesIn(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [] as number[] // It was never started.
    throw error
  })
  const states = await Promise.all(all.map(readProcessState))
  return { main: all.find((_, index) => states[index]?.isSessionLeader), all }
}

/** Says of mail whether it is spam. Mail goes on without it. */
export const mailFilter: Program = {
  name: 'mailFilter',
  title: 'the spam filter',
  packages: ['rspamd'],
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
    return withAnswer(
      await findInstalled('Spam filter', ['rspamd', '--version'], 'apt-get install rspamd, or ./panel up'),
      () => probeRspamd(paths).then(() => ''),
      `./panel up starts it; why it may not start is in ${paths.filter.log}`
    )
  }
}

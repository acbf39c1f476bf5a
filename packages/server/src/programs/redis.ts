import { renderRedisConfig } from '../infra/mail-filter/redis-config.render.ts'
import { probeFilterStore } from '../infra/mail-filter/rspamd-probe.ts'
import { makeOwned } from '../infra/mail-server/mail-directories.ts'
import { mailPaths } from '../infra/mail-server/mail-paths.ts'
import { findMailUser } from '../infra/mail-server/mail-users.ts'
import { findByDirectory } from '../infra/process/find-by-directory.ts'
import { withoutPrivileges } from '../infra/process/privileges.ts'
import { findInstalled, withVersion } from './finding.ts'
import { mailPathsOf, type MailProgramOptions, mailProgramOptions } from './mail-programs.ts'
import type { ManagedProgram } from './managed-program.ts'
import type { Program } from './program.ts'

/** Redis on a Unix socket for the spam filter only. Contains no other data of the panel. */
export async function filterStoreProgram(
  options: Pick<MailProgramOptions, 'certificateDirectory' | 'directory' | 'run'>
): Promise<ManagedProgram> {
  const paths = mailPaths(options)
  const { config, data, log, pid } = paths.filterStore
  const user = await findMailUser('redis', options.run)
  return {
    name: 'Redis (spam filter)',
    log,
    stopSignal: 'SIGTERM',
    limits: { startMs: 30_000, stopMs: 15_000 },
    async prepare() {
      for (const path of [paths.directory, paths.logs, paths.run, paths.filter.directory])
        await makeOwned(path, { uid: 0, gid: 0 }, 0o711)
      await makeOwned(data, user, 0o700)
      const { gid } = await findMailUser('_rspamd', options.run)
      // The socket inherits the directory's group.
      await makeOwned(paths.filterStore.run, { uid: user.uid, gid }, 0o2750)
    },
    render: () => [{ path: config, content: renderRedisConfig(options), mode: 0o644 }],
    command: () => ({ argv: withoutPrivileges(user, ['redis-server', config]), pidFile: pid }),
    find: () => findByDirectory(data, pid),
    probe: () => probeFilterStore(paths).then(() => 'serving')
  }
}

export const mailFilterStore: Program = {
  name: 'mailFilterStore',
  title: 'Redis (spam filter)',
  packages: ['redis-server'],
  needs: [],
  isRequired: false,
  isUsed: ({ MAIL, MAIL_SPAM_FILTER }) => MAIL && MAIL_SPAM_FILTER,
  isOurs: ({ MAIL, MAIL_SPAM_FILTER }) => MAIL && MAIL_SPAM_FILTER,
  ports: () => [],
  portHint: '',
  open: async ({ config, run }) => filterStoreProgram(await mailProgramOptions(config, run, [])),
  ping: ({ mailFilter }) => mailFilter.ping('store'),
  remedy: { code: 'RUN_UP_UNLEARNED' },
  async inspect(config) {
    const paths = await mailPathsOf(config)
    return withVersion(
      await findInstalled(
        'Redis (spam filter)',
        ['redis-server', '--version'],
        'Run apt-get install redis-server, or ./panel up'
      ),
      () => probeFilterStore(paths).then(() => ''),
      `Run ./panel up to start it. If that fails, see ${paths.filterStore.log}`
    )
  }
}

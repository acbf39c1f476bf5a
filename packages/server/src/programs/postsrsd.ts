import { renderPostsrsdArguments, type PostsrsdOptions } from '../infra/mail-server/postsrsd-arguments.render.ts'
import { makeOwned } from '../infra/mail-server/mail-directories.ts'
import { mailPaths } from '../infra/mail-server/mail-paths.ts'
import { probePostsrsd } from '../infra/mail-server/mail-probes.ts'
import { findMailUser } from '../infra/mail-server/mail-users.ts'
import { findProcesses } from '../infra/process/find-processes.ts'
import { withCapabilities } from '../infra/process/privileges.ts'
import { readProcessState } from '../infra/process/process-state.ts'
import type { Run } from '../infra/process/process.ts'
import { forwardingSecrets } from '../security/program-secrets.ts'
import { findInstalled, withVersion } from './finding.ts'
import { mailPathsOf, mailProgramOptions, mailVariablesFollowed } from './mail-programs.ts'
import type { ManagedProgram } from './managed-program.ts'
import type { Program } from './program.ts'

interface PostsrsdProgramOptions extends PostsrsdOptions {
  run: Run
  /** The first one signs; all are accepted. */
  secrets: readonly string[]
}

/**
 * Constant script; its arguments are passed on unchanged. Debian's AppArmor profile allows postsrsd to read only
 * /etc/postsrsd.secret, but not pipes, and sh turns this here-document into one.
 */
const withSecrets = 'secrets=$(cat -- "$1") && shift && exec "$@" <<end\n$secrets\nend'

/** postsrsd on loopback. Restarted when arguments or secrets change; Postfix defers forwarded mail meanwhile. */
export function postsrsdProgram(options: PostsrsdProgramOptions): ManagedProgram {
  const { run } = options
  const paths = mailPaths(options)
  const { srs } = paths
  const args = renderPostsrsdArguments(options)
  const secrets = options.secrets.map((secret) => `${secret}\n`).join('')
  const { ports } = options
  return {
    name: 'the sender rewriter',
    log: srs.log,
    stopSignal: 'SIGTERM',
    limits: { startMs: 20_000, stopMs: 10_000 },
    addresses: [ports.srs, ports.srsReverse].map((port) => ({ host: '127.0.0.1', port })),
    async prepare() {
      const root = { uid: 0, gid: 0 }
      await findMailUser('postsrsd', run)
      for (const path of [paths.directory, paths.logs]) await makeOwned(path, root, 0o711)
      await makeOwned(srs.directory, root, 0o700)
      await makeOwned(srs.root, root, 0o755)
    },
    // Stored to detect which arguments a running process was started with.
    render: () => [
      { path: srs.options, content: `${args.join('\n')}\n`, mode: 0o600 },
      { path: srs.secrets, content: secrets, mode: 0o600 }
    ],
    command: () => ({
      argv: [
        ...(['sh', '-c', withSecrets, 'sh', srs.secrets] as const),
        ...withCapabilities(['setuid', 'setgid', 'sys_chroot'], ['postsrsd', ...args])
      ]
    }),
    async find() {
      const all = [...(await findProcesses('postsrsd', `-c${srs.root}`)).keys()]
      const states = await Promise.all(all.map(readProcessState))
      return { main: all.find((_, index) => states[index]?.isSessionLeader), all }
    },
    probe: () => probePostsrsd(ports.srsReverse).then(() => 'serving'),
    probeEveryMs: 60_000
  }
}

/** Rewrites the envelope senders of forwarded mail (SRS). Without it, forwarded mail is deferred. */
export const mailRewriter: Program = {
  name: 'mailRewriter',
  title: 'the sender rewriter',
  packages: ['postsrsd'],
  yields: true,
  needs: [],
  isRequired: false,
  isUsed: ({ MAIL }) => MAIL,
  follows: mailVariablesFollowed,
  isOurs: ({ MAIL }) => MAIL,
  ports: () => [],
  portHint: 'One of the ports is in use. Set MAIL_SRS_PORT and MAIL_SRS_REVERSE_PORT to free ports',
  open: async ({ config, deps, run }) =>
    postsrsdProgram({ ...(await mailProgramOptions(config, run, [])), secrets: await forwardingSecrets(deps) }),
  ping: ({ mailServer }) => mailServer.ping('rewriter'),
  remedy: { code: 'RUN_UP_UNFORWARDED' },
  async inspect(config) {
    const paths = await mailPathsOf(config)
    return withVersion(
      await findInstalled('Sender rewriter', ['postsrsd', '-v'], 'Run apt-get install postsrsd, or ./panel up'),
      () => probePostsrsd(config.MAIL_SRS_REVERSE_PORT).then(() => ''),
      `Run ./panel up to start it. If that fails, see ${paths.srs.log}`
    )
  }
}

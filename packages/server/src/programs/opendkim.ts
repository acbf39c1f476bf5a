import { mkdir, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { exists } from '../infra/disk/exists.ts'
import { makeOwned } from '../infra/mail-server/mail-directories.ts'
import { type MailPaths, mailPaths } from '../infra/mail-server/mail-paths.ts'
import { probeOpendkim } from '../infra/mail-server/mail-probes.ts'
import { findMailUser } from '../infra/mail-server/mail-users.ts'
import { renderOpendkimConfig } from '../infra/mail-signer/opendkim-config.render.ts'
import { renderSenderRules } from '../infra/mail-signer/sender-rules.render.ts'
import { findProcesses } from '../infra/process/find-processes.ts'
import type { Run } from '../infra/process/process.ts'
import { findInstalled, withVersion } from './finding.ts'
import { mailPathsOf, type MailProgramOptions, mailProgramOptions, mailVariablesFollowed } from './mail-programs.ts'
import type { ManagedProgram } from './managed-program.ts'
import type { Program } from './program.ts'

const checkTimeoutMs = 10_000

/** OpenDKIM on a Unix socket. Restarted on a configuration change; key tables are reloaded at runtime. */
export function opendkimProgram(
  options: Pick<MailProgramOptions, 'certificateDirectory' | 'directory' | 'run'>
): ManagedProgram {
  const { run } = options
  const paths = mailPaths(options)
  const { candidate, config, log, pid, senderRules } = paths.dkim
  return {
    name: 'the DKIM signer',
    log,
    stopSignal: 'SIGTERM',
    limits: { startMs: 20_000, stopMs: 10_000 },
    prepare: () => prepare(paths, run),
    render: () => [
      { path: config, content: renderOpendkimConfig(options), mode: 0o644 },
      { path: senderRules, content: renderSenderRules(options), mode: 0o644 }
    ],
    // The checker needs both files together.
    async check(_candidate, files) {
      await rm(candidate, { recursive: true, force: true })
      await mkdir(candidate, { mode: 0o755 })
      const beside = (path: string) => join(candidate, basename(path))
      try {
        for (const { path, content } of files)
          await writeFile(beside(path), content.replaceAll(senderRules, beside(senderRules)))
        await run(['opendkim', '-n', '-x', beside(config)], { timeoutMs: checkTimeoutMs })
      } finally {
        await rm(candidate, { recursive: true, force: true })
      }
    },
    command: () => ({ argv: ['opendkim', '-f', '-x', config], pidFile: pid }),
    async find() {
      const all = [...(await findProcesses('opendkim', config)).keys()]
      return { main: all[0], all }
    },
    probe: () => probeOpendkim(paths).then(() => 'serving')
  }
}

async function prepare(paths: MailPaths, run: Run): Promise<void> {
  const [signer, postfix] = [await findMailUser('opendkim', run), await findMailUser('postfix', run)]
  for (const path of [paths.directory, paths.logs, paths.run]) await makeOwned(path, { uid: 0, gid: 0 }, 0o711)
  await makeOwned(paths.dkim.directory, { uid: 0, gid: signer.gid }, 0o751)
  await makeOwned(paths.dkim.keys, signer, 0o700)
  // The socket inherits the directory's group, through which Postfix can use it.
  await makeOwned(paths.dkim.run, { uid: signer.uid, gid: postfix.gid }, 0o2750)
  for (const table of [paths.dkim.keyTable, paths.dkim.signingTable])
    if (!(await exists(table))) await writeFile(table, '', { mode: 0o644 })
}

/** Signs outgoing mail (DKIM, RFC 6376). */
export const mailSigner: Program = {
  name: 'mailSigner',
  title: 'the DKIM signer',
  packages: ['opendkim'],
  yields: true,
  needs: [],
  isRequired: false,
  isUsed: ({ MAIL }) => MAIL,
  follows: mailVariablesFollowed,
  isOurs: ({ MAIL }) => MAIL,
  ports: () => [],
  portHint: '',
  open: async ({ config, run }) => opendkimProgram(await mailProgramOptions(config, run, [])),
  ping: ({ mailSigner: signer }) => signer.ping(),
  remedy: { code: 'RUN_UP_OR_ASK' },
  async inspect(config) {
    const paths = await mailPathsOf(config)
    return withVersion(
      await findInstalled('DKIM signer', ['opendkim', '-V'], 'Run apt-get install opendkim, or ./panel up'),
      () => probeOpendkim(paths).then(() => ''),
      `Run ./panel up to start it. If that fails, see ${paths.dkim.log}`
    )
  }
}

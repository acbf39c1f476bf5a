import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFileAtomically } from '../infra/disk/atomic-file.ts'
import { junkScript, learnHamScript, learnSpamScript, renderLearn } from '../infra/mail-filter/junk-scripts.render.ts'
import { renderDovecotSend } from '../infra/mail-server/dovecot-send.render.ts'
import type { DovecotConfigOptions } from '../infra/mail-server/dovecot-config.policy.ts'
import { renderDovecotConfig } from '../infra/mail-server/dovecot-config.render.ts'
import { findDovecotLanguage } from '../infra/mail-server/dovecot-language.ts'
import { ensureDefaultCertificate } from '../infra/mail-server/default-certificate.ts'
import { ensurePolicyKey } from '../infra/mail-server/log-in-policy-server.ts'
import { makeOwned } from '../infra/mail-server/mail-directories.ts'
import { type MailPaths, mailGid, mailPaths, mailUid } from '../infra/mail-server/mail-paths.ts'
import { probeDovecot } from '../infra/mail-server/mail-probes.ts'
import { findMailUser } from '../infra/mail-server/mail-users.ts'
import { findByDirectory } from '../infra/process/find-by-directory.ts'
import { findProcesses } from '../infra/process/find-processes.ts'
import { listenAddresses } from '../infra/process/listen-addresses.ts'
import type { Run } from '../infra/process/process.ts'
import { messageOf } from '../text/message-of.ts'
import { findInstalled, withVersion } from './finding.ts'
import {
  forEverybody,
  mailPathsOf,
  type MailProgramOptions,
  mailProgramOptions,
  mailVariablesFollowed,
  webmailAddress
} from './mail-programs.ts'
import type { ManagedProgram } from './managed-program.ts'
import type { Program } from './program.ts'

const commandTimeoutMs = 20_000
const loadCertificates = () => import('../features/mail-certificates/mail-certificates.service.ts')

const readableByServer = 0o640

export async function dovecotProgram(
  options: MailProgramOptions & Pick<DovecotConfigOptions, 'policyKey'>
): Promise<ManagedProgram> {
  const { run, ports } = options
  const language = await findDovecotLanguage(run)
  const paths = mailPaths(options)
  const { config, base, log } = paths.dovecot
  return {
    name: 'the IMAP server',
    log,
    stopSignal: 'SIGTERM',
    limits: { startMs: 30_000, stopMs: 15_000 },
    async prepare() {
      await prepare(paths, options.hostname, run)
      if (options.hasFilter === true) await writeSpamScripts(paths)
    },
    render: () => [{ path: config, content: renderDovecotConfig(options, language), mode: readableByServer }],
    check: async (candidate) => void (await run(['doveconf', '-n', '-c', candidate], { timeoutMs: commandTimeoutMs })),
    command: () => ({ argv: ['dovecot', '-F', '-c', config], pidFile: paths.dovecot.pid }),
    async find() {
      const [main] = (await findProcesses('dovecot', config)).keys()
      const directories = [base, ...['login', 'empty', 'token-login'].map((name) => join(base, name))]
      const found = await Promise.all(directories.map((directory) => findByDirectory(directory, paths.dovecot.pid)))
      const others = found.flatMap(({ all }) => all)
      return { main, all: [...new Set([...(main === undefined ? [] : [main]), ...others])] }
    },
    probe: () => probeDovecot(ports.auth).then(() => 'serving'),
    ...(options.hasFilter === true ? { secure: () => compileSpamScripts(paths, run) } : {}),
    reload: async () => {
      await run(['doveadm', '-c', config, 'reload'], { timeoutMs: commandTimeoutMs })
      await probeDovecot(ports.auth, commandTimeoutMs)
    }
  }
}

async function prepare(paths: MailPaths, hostname: string, run: Run): Promise<void> {
  const root = { uid: 0, gid: 0 }
  const { gid } = await findMailUser('dovecot', run)
  const mail = { uid: mailUid, gid: mailGid }
  await makeOwned(paths.directory, root, 0o711)
  await makeOwned(paths.run, root, 0o711)
  await makeOwned(paths.logs, root, 0o711)
  await makeOwned(paths.dovecot.directory, { uid: 0, gid }, 0o751)
  await makeOwned(paths.dovecot.users, { uid: 0, gid }, 0o2750)
  await makeOwned(paths.dovecot.sieve, { uid: 0, gid: mailGid }, 0o2750)
  await makeOwned(paths.mail, mail, 0o700)
  await makeOwned(paths.kept, root, 0o700)
  await mkdir(paths.dovecot.base, { recursive: true, mode: 0o755 })
  await writeFileAtomically(paths.dovecot.send, renderDovecotSend(paths), 0o755)
  await ensureDefaultCertificate(paths, hostname, new Date())
}

const spamScripts = {
  'junk.sieve': junkScript,
  'learn-spam.sieve': learnSpamScript,
  'learn-ham.sieve': learnHamScript
}

async function writeSpamScripts(paths: MailPaths): Promise<void> {
  const { spamScripts: scripts, spamPrograms } = paths.dovecot
  for (const path of [scripts, spamPrograms]) await makeOwned(path, { uid: 0, gid: mailGid }, 0o750)
  for (const [name, content] of Object.entries(spamScripts))
    await writeFileAtomically(join(scripts, name), content, 0o644)
  await writeFileAtomically(join(spamPrograms, 'learn'), renderLearn(paths), 0o755)
}

/** Compiled here, because the delivery process has no write access and would compile them for every message. */
async function compileSpamScripts({ dovecot }: MailPaths, run: Run): Promise<void> {
  for (const name of Object.keys(spamScripts))
    await run(['sievec', '-c', dovecot.config, join(dovecot.spamScripts, name)], { timeoutMs: commandTimeoutMs })
}

export const imapServer: Program = {
  name: 'imapServer',
  title: 'the IMAP server',
  packages: ['dovecot-core', 'dovecot-imapd', 'dovecot-lmtpd', 'dovecot-sieve', 'dovecot-managesieved'],
  yields: true,
  needs: [],
  isRequired: false,
  isUsed: ({ MAIL }) => MAIL,
  follows: mailVariablesFollowed,
  isOurs: ({ MAIL }) => MAIL,
  ports: ({ IMAP_PORT, IMAPS_PORT, MANAGESIEVE_PORT }) => forEverybody([IMAP_PORT, IMAPS_PORT, MANAGESIEVE_PORT]),
  portHint:
    'stop the other program (systemctl disable --now dovecot), set IMAP_PORT, IMAPS_PORT and MANAGESIEVE_PORT, or set MAIL=off',
  async open({ config, deps, run }) {
    const options = await mailProgramOptions(config, run, listenAddresses())
    // They are on tmpfs and therefore missing after a reboot; needed before the first connection.
    const { syncMailCertificates } = await loadCertificates()
    await syncMailCertificates(deps).catch((error: unknown) =>
      deps.logger.warn({ error: messageOf(error) }, 'could not write the certificates of the mail servers')
    )
    return dovecotProgram({
      ...options,
      policyKey: await ensurePolicyKey(mailPaths(options)),
      trusted: await webmailAddress(config, deps)
    })
  },
  ping: ({ mailServer }) => mailServer.ping('imap'),
  remedy: { code: 'RUN_UP_OR_ASK' },
  async inspect(config) {
    const paths = await mailPathsOf(config)
    return withVersion(
      await findInstalled('IMAP server', ['dovecot', '--version'], 'Run apt-get install dovecot-imapd, or ./panel up'),
      () => probeDovecot(config.MAIL_AUTH_PORT).then(() => ''),
      `Run ./panel up to start it. If that fails, see ${paths.dovecot.log}`
    )
  }
}

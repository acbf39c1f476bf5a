import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ensureDefaultCertificate } from '../infra/mail-server/default-certificate.ts'
import { ensureForwardingKey } from '../infra/mail-server/forwarding-key.ts'
import { boundMailLog } from '../infra/mail-server/mail-log.ts'
import { makeOwned } from '../infra/mail-server/mail-directories.ts'
import { mailGid, type MailPaths, mailPaths } from '../infra/mail-server/mail-paths.ts'
import { probePostfix } from '../infra/mail-server/mail-probes.ts'
import { findMailUser } from '../infra/mail-server/mail-users.ts'
import { renderPostfixMain, renderPostfixMaster } from '../infra/mail-server/postfix-config.render.ts'
import { createPostfixMaps } from '../infra/mail-server/postfix-maps.ts'
import { findByDirectory } from '../infra/process/find-by-directory.ts'
import { findProcesses } from '../infra/process/find-processes.ts'
import { listenAddresses } from '../infra/process/listen-addresses.ts'
import { ProcessError, type Run } from '../infra/process/process.ts'
import { resolveProgram } from '../infra/process/program-path.ts'
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
import type { RenderedFile } from './rendered-files.ts'

const commandTimeoutMs = 60_000
// By path, because the name `master` is too common.
const master = '/usr/lib/postfix/sbin/master'

export function postfixProgram(options: MailProgramOptions): ManagedProgram {
  const { run } = options
  const paths = mailPaths(options)
  const { postfix } = paths
  const render = () => [
    { path: postfix.main, content: renderPostfixMain(options), mode: 0o644 },
    { path: postfix.master, content: renderPostfixMaster(options), mode: 0o644 }
  ]
  return {
    name: 'the mail server',
    log: postfix.log,
    stopSignal: 'SIGTERM',
    limits: { startMs: 30_000, stopMs: 15_000 },
    prepare: () => prepare(paths, options.hostname, run, render),
    render,
    check: (_candidate, files) => check(paths, files, run),
    command: () => ({ argv: [master, '-c', postfix.directory, '-d'] }),
    async find() {
      const [main] = (await findProcesses('master', postfix.directory)).keys()
      const { all } = await findByDirectory(postfix.queue, join(postfix.queue, 'pid', 'master.pid'))
      return { main, all: [...new Set([...(main === undefined ? [] : [main]), ...all])] }
    },
    probe: () => probePostfix(paths).then(() => 'serving'),
    boundLogs: () => boundMailLog(paths, run),
    reload: async () => {
      await run(['postfix', '-c', postfix.directory, 'reload'], { timeoutMs: commandTimeoutMs })
      await probePostfix(paths, commandTimeoutMs)
    }
  }
}

async function prepare(
  paths: MailPaths,
  hostname: string,
  run: Run,
  render: () => readonly RenderedFile[]
): Promise<void> {
  const root = { uid: 0, gid: 0 }
  const { postfix } = paths
  for (const path of [paths.directory, paths.logs]) await makeOwned(path, root, 0o711)
  for (const path of [postfix.directory, postfix.maps, postfix.queue]) await makeOwned(path, root, 0o755)
  // The DKIM signer reads the sender permissions there; setgid gives new files its group.
  const { gid: signer } = await findMailUser('opendkim', run)
  await makeOwned(postfix.fragments, { uid: 0, gid: signer }, 0o2750)
  await makeOwned(postfix.data, await findMailUser('postfix', run), 0o700)
  await ensureDefaultCertificate(paths, hostname, new Date())
  await raiseDatagramQueue()
  const maps = createPostfixMaps({ paths, run })
  const isRunning = (await findProcesses('master', postfix.directory)).size > 0
  if (!isRunning || !(await maps.areThere())) await maps.compile()
  if (!isRunning) {
    await check(paths, render(), run)
  }
  // Filters run as the owner of the mail. Without ACL support in the file system, they cannot send replies.
  const access = `g:${mailGid}:x`
  await run(['setfacl', '-m', access, '--', dirname(postfix.replies)], { timeoutMs: commandTimeoutMs }).catch(() => {})
}

/** Warnings are refused too: one logged during start goes to Postfix's own log daemon, which deadlocks. */
async function check({ postfix }: MailPaths, files: readonly RenderedFile[], run: Run): Promise<void> {
  const { candidate } = postfix
  await rm(candidate, { recursive: true, force: true })
  await mkdir(candidate, { mode: 0o755 })
  try {
    for (const { path, content } of files)
      await writeFile(join(candidate, path === postfix.main ? 'main.cf' : 'master.cf'), content, { mode: 0o644 })
    for (const argv of [
      ['postconf', '-c', candidate, '-n'],
      ['postconf', '-c', candidate, '-M'],
      ['postfix', '-c', candidate, 'check']
    ] as const) {
      const { stderr } = await run(argv, { timeoutMs: commandTimeoutMs })
      if (stderr.trim() !== '') throw new ProcessError(`${argv[0]} complains`, 'failed', 0, stderr)
    }
  } finally {
    await rm(candidate, { recursive: true, force: true })
  }
}

const datagramQueue = '/proc/sys/net/unix/max_dgram_qlen'

/** Without systemd the limit is 10, and postlogd may deadlock on its own log. May be read-only in a container. */
async function raiseDatagramQueue(): Promise<void> {
  await writeFile(datagramQueue, '512').catch(() => {})
}

export const mailTransfer: Program = {
  name: 'mailTransfer',
  title: 'the mail server',
  packages: ['postfix', 'postfix-lmdb', 'acl'],
  yields: true,
  // Without Dovecot the submission listeners fail for a minute; without the signer nothing is accepted.
  needs: ['imapServer', 'mailSigner'],
  isRequired: false,
  isUsed: ({ MAIL }) => MAIL,
  follows: mailVariablesFollowed,
  isOurs: ({ MAIL }) => MAIL,
  // Containers must log in like everyone else; on port 25 the sender would be unknown.
  ports: ({ SMTP_PORT, SUBMISSION_PORT, SUBMISSIONS_PORT }) => [
    { port: SMTP_PORT, containers: 'nowhere' },
    ...forEverybody([SUBMISSION_PORT, SUBMISSIONS_PORT])
  ],
  portHint:
    'stop the other program (systemctl disable --now postfix), set SMTP_PORT, SUBMISSION_PORT, SUBMISSIONS_PORT and MAIL_FORWARD_PORT, or set MAIL=off',
  async open({ config, deps, run }) {
    const options = await mailProgramOptions(config, run, listenAddresses())
    const isRewriterInstalled = resolveProgram('postsrsd').startsWith('/')
    return postfixProgram({
      ...options,
      trusted: await webmailAddress(config, deps),
      forwardingKey: isRewriterInstalled ? await ensureForwardingKey(mailPaths(options)) : undefined
    })
  },
  ping: ({ mailServer }) => mailServer.ping('smtp'),
  remedy: { code: 'RUN_UP_OR_ASK' },
  async inspect(config) {
    const paths = await mailPathsOf(config)
    return withVersion(
      await findInstalled(
        'Mail server',
        ['postconf', '-h', '-d', 'mail_version'],
        'Run apt-get install postfix postfix-lmdb, or ./panel up'
      ),
      () => probePostfix(paths).then(() => ''),
      `Run ./panel up to start it. If that fails, see ${paths.postfix.mailLog}`
    )
  }
}

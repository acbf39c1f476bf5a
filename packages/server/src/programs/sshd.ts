import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { readIfExists } from '../infra/disk/read-if-exists.ts'
import { isContained } from '../infra/process/is-contained.ts'
import { ifAlive, listPids } from '../infra/process/proc.ts'
import { listenAddresses } from '../infra/process/listen-addresses.ts'
import type { Run } from '../infra/process/process.ts'
import { run } from '../infra/process/run.ts'
import { readGreeting } from '../infra/sftp-server/banner.ts'
import { machineSshPorts } from '../infra/sftp-server/machine-ports.ts'
import { createOpenSsh } from '../infra/sftp-server/openssh.ts'
import { type Confinement, renderSshdConfig } from '../infra/sftp-server/sshd-config.render.ts'
import { makeSshdDirectory, sshd } from '../infra/sftp-server/sshd-program.ts'
import { sftpPaths } from '../process/paths.ts'
import { withVersion } from './finding.ts'
import { type ManagedProgram, NothingToStart } from './managed-program.ts'
import type { Program } from './program.ts'

interface SshdProgramOptions extends Confinement {
  run: Run
  directory: string
  listen: readonly string[]
  port: number
}

const timeoutMs = 10_000
const probeTimeoutMs = 3_000
const keyTypes = ['ed25519', 'rsa'] as const

export const sshdPaths = (directory: string) => ({
  config: join(directory, 'sshd_config'),
  log: join(directory, 'sshd.log'),
  pid: join(directory, 'sshd.pid'),
  hostKeys: keyTypes.map((type) => join(directory, `ssh_host_${type}_key`))
})

function sshdProgram(options: SshdProgramOptions): ManagedProgram {
  const { directory, run, port } = options
  const paths = sshdPaths(directory)
  return {
    name: 'the SSH server for SFTP',
    log: paths.log,
    stopSignal: 'SIGTERM',
    limits: { startMs: timeoutMs, stopMs: timeoutMs },
    async prepare() {
      await makeSshdDirectory()
      // The accounts' keys are below the parent too, and sshd reads them as the account.
      if ((await mkdir(dirname(directory), { recursive: true })) !== undefined) await chmod(dirname(directory), 0o711)
      await mkdir(directory, { recursive: true, mode: 0o700 })
      for (const type of keyTypes) await makeHostKey(directory, type, run)
    },
    render: () => [
      {
        path: paths.config,
        content: renderSshdConfig({ ...options, hostKeys: paths.hostKeys, pidFile: paths.pid })
      }
    ],
    check: async (candidate) => void (await run([sshd, '-t', '-f', candidate], { timeoutMs })),
    command: () => ({ argv: [sshd, '-D', '-e', '-f', paths.config], pidFile: paths.pid }),
    async find() {
      const main = await findListener(directory)
      return { main, all: main === undefined ? [] : [main] }
    },
    async probe() {
      const { kind } = await readGreeting({ host: '127.0.0.1', port }, probeTimeoutMs)
      // Under a connection flood it closes connections without a greeting (MaxStartups).
      if (kind !== 'ssh' && kind !== 'other') throw new Error(`the port is ${kind}`)
      return 'serving'
    },
    probeEveryMs: 60_000,
    findSessions: childrenOf
  }
}

export async function findListener(directory: string): Promise<number | undefined> {
  const argument = `-f ${sshdPaths(directory).config} [listener]`
  const pids = await listPids()
  const titles = await Promise.all(pids.map((pid) => readProc(pid, 'cmdline')))
  for (const [index, pid] of pids.entries()) {
    // sshd replaces its title: "sshd: /usr/sbin/sshd -D -e -f … [listener] 0 of 30-100 startups".
    const title = titles[index]!.replaceAll('\0', ' ')
    if (!title.startsWith('sshd: ') || !title.includes(argument)) continue
    // Any user can set such a process title, so check the owner.
    const status = await readProc(pid, 'status')
    if (/^Uid:\t0\t/m.test(status) && !isContained(status)) return pid
  }
  return undefined
}

/** Created once: clients remember it. Renamed into place when complete. */
async function makeHostKey(directory: string, type: (typeof keyTypes)[number], run: Run): Promise<void> {
  const path = join(directory, `ssh_host_${type}_key`)
  if ((await readIfExists(path)) !== undefined) return
  const draft = `${path}.new`
  await rm(draft, { force: true })
  const size = type === 'rsa' ? ['-b', '3072'] : []
  await run(['ssh-keygen', '-q', '-t', type, ...size, '-N', '', '-C', 'panel', '-f', draft], { timeoutMs: 60_000 })
  await rename(`${draft}.pub`, `${path}.pub`)
  await rename(draft, path)
}

async function childrenOf(parent: number): Promise<number[]> {
  const isParent = new RegExp(`^PPid:\t${parent}$`, 'm')
  const pids = await listPids()
  const states = await Promise.all(pids.map((pid) => readProc(pid, 'status')))
  return pids.filter((_, index) => isParent.test(states[index]!))
}

const readProc = async (pid: number, name: 'cmdline' | 'status'): Promise<string> =>
  (await ifAlive(readFile(`/proc/${pid}/${name}`, 'utf8'))) ?? ''

/** The machine's own sshd if SFTP_PORT is its port, otherwise a dedicated one. */
export const sftpServer: Program = {
  name: 'sftpServer',
  title: 'the SSH server for SFTP',
  packages: ['openssh-server'],
  needs: [],
  isRequired: false,
  isOurs: () => true,
  ports: (config) => [{ port: config.SFTP_PORT, containers: 'nowhere' }],
  portHint: 'set SFTP_PORT to another port',
  async open({ config, deps, run }) {
    const { serverDirectory: directory, ...paths } = sftpPaths(config)
    const isAnswered = () =>
      deps.sftpServer.ping().then(
        () => true,
        () => false
      )
    if (process.getuid?.() !== 0) {
      if (await isAnswered()) return undefined
      throw new NothingToStart(
        'An SSH server must be started as root. Run the panel as root, or set SFTP_PORT to the port of the existing SSH server'
      )
    }
    if (await belongsToMachine(config.SFTP_PORT, run, directory, isAnswered)) {
      if (await isAnswered()) return undefined
      throw new NothingToStart(
        `Port ${config.SFTP_PORT} belongs to this machine's SSH server, which is not running. Start it, or set SFTP_PORT to another port`
      )
    }
    const listen = listenAddresses()
    return sshdProgram({
      ...paths,
      directory,
      run,
      projectsDirectory: config.PROJECTS_DIR,
      listen,
      port: config.SFTP_PORT
    })
  },
  ping: ({ sftpServer: server }) => server.ping(),
  remedy: { code: 'RUN_UP_OR_CHECK_SFTP' },
  inspect: ({ SFTP_PORT: port }) =>
    withVersion(
      { part: `SFTP (port ${port})`, found: true },
      () => createOpenSsh({ run, host: '127.0.0.1', port }).ping(),
      `No SSH server is responding on port ${port}. Run ./panel up to start it`
    )
}

/** Never take the port of the machine's own sshd: the server would become unreachable for its administrator. */
async function belongsToMachine(
  port: number,
  run: Run,
  directory: string,
  isAnswered: () => Promise<boolean>
): Promise<boolean> {
  if (!(await machineSshPorts(run)).includes(port)) return false
  if (existsSync('/run/systemd/system')) return true
  return (await findListener(directory)) === undefined && (await isAnswered())
}

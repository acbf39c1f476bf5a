import { existsSync } from 'node:fs'
import type { Dependencies } from '../dependencies.ts'
import type { Run } from '../infra/process/process.ts'
import { findListener, type SshdProcessOptions, startSshd, stopSshd } from '../infra/sftp-server/sshd-process.ts'
import { superviseSshd } from '../infra/sftp-server/sshd-supervisor.ts'
import { machineSshPorts } from '../infra/sftp-server/machine-ports.ts'
import { sftpPlaces } from '../places.ts'
import { step } from './command.ts'
import { everyAddress } from './every-address.ts'
import { explain } from './explain.ts'

type Deps = Pick<Dependencies, 'config' | 'logger' | 'sftpServer'>

/**
 * Sees to it that an SSH server serves SFTP on SFTP_PORT: the machine's own where that is its port, which confines the accounts (see
 * infra/host-helper), else one for the accounts alone, watched. Where neither can be, the panel goes on.
 */
export async function startSftpServer(deps: Deps, run: Run): Promise<{ stop(): Promise<void> }> {
  const { config, logger } = deps
  const { serverDirectory: directory, ...places } = sftpPlaces(config)
  const options: SshdProcessOptions = {
    ...places,
    directory,
    run,
    projectsDirectory: config.PROJECTS_DIR,
    listen: everyAddress(),
    port: config.SFTP_PORT
  }
  const nothing = { stop: async () => {} }
  const goOn = (why: string) => {
    step(`The panel goes on without SFTP. ${why}`)
    return nothing
  }
  const isRoot = process.getuid?.() === 0
  if (isRoot && (await belongsToMachine(deps, run, directory))) {
    if (await answers(deps)) return nothing
    return goOn(`Port ${config.SFTP_PORT} is the machine's own SSH server's, which does not run: start it, or set SFTP_PORT to another`) // prettier-ignore
  }
  if (!isRoot) return (await answers(deps)) ? nothing : goOn('Only root can start an SSH server; the one of this machine may have SFTP_PORT') // prettier-ignore

  const portHint = 'another program has the port: set SFTP_PORT to another'
  step(`Starting the SSH server for SFTP on port ${config.SFTP_PORT}`)
  const started = await startSshd(options).catch((error: unknown) => {
    step(`The panel goes on without SFTP. ${explain(error, portHint)}`)
    return undefined
  })
  const supervisor = superviseSshd(started, options, {
    onFailure: (error) => logger.error({ error: explain(error, portHint) }, 'SSH server for SFTP')
  })
  return {
    async stop() {
      await supervisor.stop()
      await stopSshd(options)
    }
  }
}

/**
 * The port of the machine's own server is never taken, were it only that it starts after the panel when the machine does: nobody could
 * administer it any more. Without systemd nobody starts it then, and what does not run now leaves its port to us.
 */
async function belongsToMachine(deps: Deps, run: Run, directory: string): Promise<boolean> {
  if (!(await machineSshPorts(run)).includes(deps.config.SFTP_PORT)) return false
  if (existsSync('/run/systemd/system')) return true
  return (await findListener(directory)) === undefined && (await answers(deps))
}

const answers = ({ sftpServer }: Pick<Deps, 'sftpServer'>): Promise<boolean> =>
  sftpServer.ping().then(
    () => true,
    () => false
  )

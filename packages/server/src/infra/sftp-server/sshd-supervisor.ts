import { supervise, type Supervisor, type SupervisorOptions } from '../process/supervisor.ts'
import { isSshdAnswering, type SshdProcess, type SshdProcessOptions, startSshd } from './sshd-process.ts'

/** Watches our SSH server and starts it again whenever it is gone or hangs; at once where startSshd has failed. */
export function superviseSshd(
  started: SshdProcess | undefined,
  process: SshdProcessOptions,
  options: SupervisorOptions<SshdProcess> = {}
): Supervisor {
  return supervise(started, { isAnswering: () => isSshdAnswering(process), start: () => startSshd(process) }, options)
}

import { existsSync } from 'node:fs'
import type { Logger } from 'pino'
import { messageOf } from '../../text/message-of.ts'
import type { FailedLogIn, FailedLogIns } from './failed-log-ins.ts'
import { followFile } from './follow-file.ts'
import { followJournal } from './follow-journal.ts'
import { failedAddressOf } from './sshd-line.ts'

interface LocalFailedLogIns {
  /** Log of the panel's own sshd. */
  sftpLog: string
  logger: Pick<Logger, 'warn'>
}

// Without systemd, syslog writes it.
const machineLog = '/var/log/auth.log'
// From the start of the line, so that text of other programs, or a username, cannot pose as it.
const sshdPrefix = /^(?:[A-Z][a-z]{2} [ \d]\d [\d:]{8}|\d{4}-\S+) \S+ sshd(?:-session)?\[\d+\]: /

export function createFailedLogIns({ sftpLog, logger }: LocalFailedLogIns): FailedLogIns {
  const listeners = new Set<(failure: FailedLogIn) => void>()
  const report = (failure: FailedLogIn) => {
    for (const listener of listeners) listener(failure)
  }
  return {
    report,
    follow(listener, signal) {
      listeners.add(listener)
      signal.addEventListener('abort', () => listeners.delete(listener), { once: true })
      const read = (service: 'SSH' | 'SFTP') => (line: string) => {
        const address = failedAddressOf(line)
        if (address !== undefined) listener({ service, address })
      }
      const start = (what: string, reading: Promise<void>) =>
        void reading.catch((error: unknown) => logger.warn({ error: messageOf(error), log: what }, 'log unreadable'))
      start(sftpLog, followFile(sftpLog, read('SFTP'), { signal }))
      if (existsSync('/run/systemd/system')) start('journal', followJournal(read('SSH'), signal))
      else start(machineLog, followFile(machineLog, withoutPrefix(read('SSH')), { signal }))
    }
  }
}

const withoutPrefix = (onLine: (line: string) => void) => (line: string) => {
  const text = line.replace(sshdPrefix, '')
  if (text !== line) onLine(text)
}

import { once } from 'node:events'
import { Duplex } from 'node:stream'
import { programPath } from '../process/program-path.ts'
import { killGroup, startChild } from '../process/start-child.ts'
import { parseMailbox } from './mail-names.ts'

// A constant; the words after it are passed on as they are. Dovecot refuses a socket as its output, which is what a child of this process has.
const throughPipe = 'doveadm -c "$1" exec imap -u "$2" | cat'

/** Sessions that are opened here, without a password. Dovecot does not count them among those that it can end. */
export function createImapSessions(config: string) {
  const open = new Map<string, Set<() => Promise<void>>>()
  return {
    /** Of Dovecot's own program, as after a log-in: as the owner of the mail, with the mailbox's quota. It ends with its input. */
    async open(address: string): Promise<Duplex> {
      parseMailbox(address)
      const child = await startChild(['sh', '-c', throughPipe, 'sh', config, address], {
        env: { PATH: programPath },
        stdio: ['pipe', 'pipe', 'ignore']
      })
      const closed = once(child, 'close')
      const session = Duplex.from({ readable: child.stdout!, writable: child.stdin! })
      const end = async () => {
        killGroup(child)
        await closed
      }
      const mine = open.get(address) ?? new Set()
      open.set(address, mine.add(end))
      session.once('close', () => {
        mine.delete(end)
        if (mine.size === 0 && open.get(address) === mine) open.delete(address)
        killGroup(child)
      })
      return session
    },
    /** Resolves when none is left that could write. */
    async end(address: string): Promise<void> {
      await Promise.all([...(open.get(address) ?? [])].map((end) => end()))
    }
  }
}

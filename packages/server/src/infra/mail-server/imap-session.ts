import { once } from 'node:events'
import { Duplex } from 'node:stream'
import { programPath } from '../process/program-path.ts'
import { killGroup, startChild } from '../process/start-child.ts'
import { parseMailbox } from './mail-names.ts'

// A constant; arguments are passed as they are. The pipe is needed: doveadm rejects a socket as its output.
const throughPipe = 'doveadm -c "$1" exec imap -u "$2" | cat'

/** IMAP sessions opened without a password. `doveadm kick` does not affect them. */
export function createImapSessions(config: string) {
  const open = new Map<string, Set<() => Promise<void>>>()
  return {
    /** A session of Dovecot's imap process as the mailbox owner, with the mailbox quota. Ends with its input. */
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
    /** Resolves once no session of the mailbox can write any more. */
    async end(address: string): Promise<void> {
      await Promise.all([...(open.get(address) ?? [])].map((end) => end()))
    }
  }
}
